package dev.quickwater.tls.openssl;

import dev.quickwater.system.NativeFunction;
import dev.quickwater.system.NativeLibrary;
import java.util.ArrayList;
import java.util.List;

/// The functions of OpenSSL that are called, by the names of its manual. [OpenSslLibrary] links
/// them; an `int` result is narrowed by the caller.
final class LibSsl {

  private static final List<NativeFunction> ALL = new ArrayList<>();

  // ---- library and errors ----

  static final NativeFunction OPENSSL_init_ssl = function("OPENSSL_init_ssl", 2);
  static final NativeFunction OpenSSL_version = function("OpenSSL_version", 1);
  static final NativeFunction OpenSSL_version_num = function("OpenSSL_version_num", 0);
  static final NativeFunction ERR_get_error = function("ERR_get_error", 0);
  static final NativeFunction ERR_clear_error = function("ERR_clear_error", 0);
  static final NativeFunction ERR_reason_error_string = function("ERR_reason_error_string", 1);
  static final NativeFunction CRYPTO_malloc = function("CRYPTO_malloc", 3);
  static final NativeFunction CRYPTO_free = function("CRYPTO_free", 3);

  // ---- keys and certificates ----

  static final NativeFunction d2i_X509 = function("d2i_X509", 3);
  static final NativeFunction i2d_X509 = function("i2d_X509", 2);
  static final NativeFunction X509_free = function("X509_free", 1);
  static final NativeFunction d2i_AutoPrivateKey = function("d2i_AutoPrivateKey", 3);
  static final NativeFunction EVP_PKEY_free = function("EVP_PKEY_free", 1);
  static final NativeFunction X509_STORE_CTX_get0_untrusted =
      function("X509_STORE_CTX_get0_untrusted", 1);
  static final NativeFunction X509_STORE_CTX_set_error = function("X509_STORE_CTX_set_error", 2);
  static final NativeFunction OPENSSL_sk_num = function("OPENSSL_sk_num", 1);
  static final NativeFunction OPENSSL_sk_value = function("OPENSSL_sk_value", 2);

  // ---- ticket encryption ----

  static final NativeFunction HMAC_Init_ex = function("HMAC_Init_ex", 5);
  static final NativeFunction EVP_sha256 = function("EVP_sha256", 0);
  static final NativeFunction EVP_aes_256_cbc = function("EVP_aes_256_cbc", 0);
  static final NativeFunction EVP_EncryptInit_ex = function("EVP_EncryptInit_ex", 5);
  static final NativeFunction EVP_DecryptInit_ex = function("EVP_DecryptInit_ex", 5);
  static final NativeFunction RAND_bytes = function("RAND_bytes", 2);

  // ---- BIO ----

  static final NativeFunction BIO_new = function("BIO_new", 1);
  static final NativeFunction BIO_new_mem_buf = function("BIO_new_mem_buf", 2);
  static final NativeFunction BIO_free = function("BIO_free", 1);
  static final NativeFunction BIO_ctrl = function("BIO_ctrl", 4);
  static final NativeFunction BIO_read = function("BIO_read", 3);
  static final NativeFunction BIO_set_init = function("BIO_set_init", 2);
  static final NativeFunction BIO_s_null = function("BIO_s_null", 0);
  static final NativeFunction BIO_get_new_index = function("BIO_get_new_index", 0);
  static final NativeFunction BIO_meth_new = function("BIO_meth_new", 2);
  static final NativeFunction BIO_meth_set_write = function("BIO_meth_set_write", 2);
  static final NativeFunction BIO_meth_get_ctrl = function("BIO_meth_get_ctrl", 1);
  static final NativeFunction BIO_meth_set_ctrl = function("BIO_meth_set_ctrl", 2);

  // ---- SSL_CTX ----

  static final NativeFunction TLS_server_method = function("TLS_server_method", 0);
  static final NativeFunction TLS_client_method = function("TLS_client_method", 0);
  static final NativeFunction SSL_CTX_new = function("SSL_CTX_new", 1);
  static final NativeFunction SSL_CTX_free = function("SSL_CTX_free", 1);
  static final NativeFunction SSL_CTX_ctrl = function("SSL_CTX_ctrl", 4);
  static final NativeFunction SSL_CTX_callback_ctrl = function("SSL_CTX_callback_ctrl", 3);
  static final NativeFunction SSL_CTX_set_options = function("SSL_CTX_set_options", 2);
  static final NativeFunction SSL_CTX_set_cipher_list = function("SSL_CTX_set_cipher_list", 2);
  static final NativeFunction SSL_CTX_set_ciphersuites = function("SSL_CTX_set_ciphersuites", 2);
  static final NativeFunction OPENSSL_cipher_name = function("OPENSSL_cipher_name", 1);
  static final NativeFunction SSL_CTX_use_certificate = function("SSL_CTX_use_certificate", 2);
  static final NativeFunction SSL_CTX_use_PrivateKey = function("SSL_CTX_use_PrivateKey", 2);
  static final NativeFunction SSL_CTX_check_private_key = function("SSL_CTX_check_private_key", 1);
  static final NativeFunction SSL_CTX_add_client_CA = function("SSL_CTX_add_client_CA", 2);
  static final NativeFunction SSL_CTX_set_session_id_context =
      function("SSL_CTX_set_session_id_context", 3);
  static final NativeFunction SSL_CTX_set_timeout = function("SSL_CTX_set_timeout", 2);
  static final NativeFunction SSL_CTX_set_num_tickets = function("SSL_CTX_set_num_tickets", 2);
  static final NativeFunction SSL_CTX_sess_set_new_cb = function("SSL_CTX_sess_set_new_cb", 2);
  static final NativeFunction SSL_CTX_set_verify = function("SSL_CTX_set_verify", 3);
  static final NativeFunction SSL_CTX_set_cert_verify_callback =
      function("SSL_CTX_set_cert_verify_callback", 3);
  static final NativeFunction SSL_CTX_set_info_callback = function("SSL_CTX_set_info_callback", 2);
  static final NativeFunction SSL_CTX_set_alpn_select_cb =
      function("SSL_CTX_set_alpn_select_cb", 3);
  static final NativeFunction SSL_CTX_set_alpn_protos = function("SSL_CTX_set_alpn_protos", 3);
  static final NativeFunction SSL_CTX_set_keylog_callback =
      function("SSL_CTX_set_keylog_callback", 2);

  // ---- SSL ----

  static final NativeFunction SSL_new = function("SSL_new", 1);
  static final NativeFunction SSL_free = function("SSL_free", 1);
  static final NativeFunction SSL_ctrl = function("SSL_ctrl", 4);
  static final NativeFunction SSL_set_accept_state = function("SSL_set_accept_state", 1);
  static final NativeFunction SSL_set_connect_state = function("SSL_set_connect_state", 1);
  static final NativeFunction SSL_set_bio = function("SSL_set_bio", 3);
  static final NativeFunction SSL_do_handshake = function("SSL_do_handshake", 1);
  static final NativeFunction SSL_read = function("SSL_read", 3);
  static final NativeFunction SSL_write = function("SSL_write", 3);
  static final NativeFunction SSL_shutdown = function("SSL_shutdown", 1);
  static final NativeFunction SSL_set_shutdown = function("SSL_set_shutdown", 2);
  static final NativeFunction SSL_get_error = function("SSL_get_error", 2);
  static final NativeFunction SSL_get_version = function("SSL_get_version", 1);
  static final NativeFunction SSL_get_servername = function("SSL_get_servername", 2);
  static final NativeFunction SSL_get0_alpn_selected = function("SSL_get0_alpn_selected", 3);
  static final NativeFunction SSL_get_current_cipher = function("SSL_get_current_cipher", 1);
  static final NativeFunction SSL_get_pending_cipher = function("SSL_get_pending_cipher", 1);
  static final NativeFunction SSL_CIPHER_standard_name = function("SSL_CIPHER_standard_name", 1);
  static final NativeFunction SSL_get1_peer_certificate =
      function(1, "SSL_get1_peer_certificate", "SSL_get_peer_certificate");

  // ---- sessions ----

  static final NativeFunction SSL_session_reused = function("SSL_session_reused", 1);
  static final NativeFunction SSL_get_session = function("SSL_get_session", 1);
  static final NativeFunction SSL_get1_session = function("SSL_get1_session", 1);
  static final NativeFunction SSL_set_session = function("SSL_set_session", 2);
  static final NativeFunction SSL_SESSION_free = function("SSL_SESSION_free", 1);
  static final NativeFunction SSL_SESSION_get_id = function("SSL_SESSION_get_id", 2);
  static final NativeFunction SSL_SESSION_get_time = function("SSL_SESSION_get_time", 1);
  static final NativeFunction SSL_SESSION_is_resumable = function("SSL_SESSION_is_resumable", 1);
  static final NativeFunction SSL_SESSION_get_protocol_version =
      function("SSL_SESSION_get_protocol_version", 1);

  // ---- constants of OPENSSL_init_ssl ----

  static final long INIT_LOAD_CRYPTO_STRINGS = 0x2;
  static final long INIT_LOAD_SSL_STRINGS = 0x200000;

  /// No cleanup when the process exits, because event loops may still be inside OpenSSL then.
  static final long INIT_NO_ATEXIT = 0x80000;

  // ---- constants of BIO ----

  static final int BIO_TYPE_SOURCE_SINK = 0x400;
  static final int BIO_C_GET_BUF_MEM_PTR = 115;
  static final int BIO_C_SET_BUF_MEM_EOF_RETURN = 130;

  // ---- commands of SSL_ctrl, SSL_CTX_ctrl and SSL_CTX_callback_ctrl ----

  static final int CTRL_MODE = 33;
  static final int CTRL_SET_SESS_CACHE_SIZE = 42;
  static final int CTRL_SET_SESS_CACHE_MODE = 44;
  static final int CTRL_SET_TLSEXT_SERVERNAME_CB = 53;
  static final int CTRL_SET_TLSEXT_HOSTNAME = 55;
  static final int CTRL_SET_TLSEXT_STATUS_REQ_CB = 63;
  static final int CTRL_SET_TLSEXT_STATUS_REQ_TYPE = 65;
  static final int CTRL_GET_TLSEXT_STATUS_REQ_OCSP_RESP = 70;
  static final int CTRL_SET_TLSEXT_STATUS_REQ_OCSP_RESP = 71;
  static final int CTRL_SET_TLSEXT_TICKET_KEY_CB = 72;
  static final int CTRL_CHAIN_CERT = 89;
  static final int CTRL_SET_GROUPS_LIST = 92;
  static final int CTRL_SET_MIN_PROTO_VERSION = 123;
  static final int CTRL_SET_MAX_PROTO_VERSION = 124;

  static final int STATUS_TYPE_OCSP = 1;

  // ---- flags ----

  static final long MODE_NO_AUTO_CHAIN = 0x8;
  static final long MODE_RELEASE_BUFFERS = 0x10;
  static final long OP_NO_TICKET = 1L << 14;
  static final long OP_NO_COMPRESSION = 1L << 17;
  static final long OP_CIPHER_SERVER_PREFERENCE = 1L << 22;
  static final long OP_NO_RENEGOTIATION = 1L << 30;
  static final int SESS_CACHE_OFF = 0;
  static final int SESS_CACHE_CLIENT = 1;
  static final int SESS_CACHE_SERVER = 2;
  static final int SESS_CACHE_NO_INTERNAL = 0x300;
  static final int VERIFY_NONE = 0;
  static final int VERIFY_PEER = 1;
  static final int VERIFY_FAIL_IF_NO_PEER_CERT = 2;
  static final int SENT_AND_RECEIVED_SHUTDOWN = 3;

  // ---- results ----

  static final int ERROR_WANT_READ = 2;
  static final int ERROR_SYSCALL = 5;
  static final int ERROR_ZERO_RETURN = 6;

  static final int TLSEXT_ERR_OK = 0;
  static final int TLSEXT_ERR_ALERT_FATAL = 2;
  static final int TLSEXT_ERR_NOACK = 3;

  static final int CB_READ_ALERT = 0x4004;
  static final int CB_WRITE_ALERT = 0x4008;

  static final int TLS1_3_VERSION = 0x304;

  private LibSsl() {}

  private static NativeFunction function(String name, int arguments) {
    return function(arguments, name);
  }

  private static NativeFunction function(int arguments, String... names) {
    NativeFunction function = NativeFunction.of(arguments, names);
    ALL.add(function);
    return function;
  }

  /// Links all functions.
  ///
  /// @throws UnsupportedOperationException if the library does not have one
  static void link(NativeLibrary library) {
    ALL.forEach(function -> function.link(library));
  }
}

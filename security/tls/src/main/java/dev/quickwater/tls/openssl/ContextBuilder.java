package dev.quickwater.tls.openssl;

import static dev.quickwater.tls.openssl.LibSsl.SSL_CTX_ctrl;

import dev.quickwater.system.Memory;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsProtocols;
import dev.quickwater.tls.TlsProtocols.Version;
import dev.quickwater.tls.TlsSessions;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.tls.TlsTrust.ClientAuth;
import dev.quickwater.tls.library.PeerVerifier;
import java.lang.foreign.Arena;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Creates the `SSL_CTX` of one side and identity. Immutable.
///
/// Everything that OpenSSL refuses is an [IllegalArgumentException] that names the setting and has
/// the reason of OpenSSL.
final class ContextBuilder {

  /// The list of issuers in a certificate request has a maximum size, and a client needs it only to
  /// choose among several certificates.
  private static final int MAX_ISSUERS = 100;

  private final TlsSettings settings;
  private final PeerVerifier verifier;
  private final @Nullable TlsIdentity identity;
  private final boolean server;
  private final byte[] sessionContext;

  private ContextBuilder(
      TlsSettings settings,
      PeerVerifier verifier,
      @Nullable TlsIdentity identity,
      boolean server,
      byte[] sessionContext) {
    this.settings = settings;
    this.verifier = verifier;
    this.identity = identity;
    this.server = server;
    this.sessionContext = sessionContext;
  }

  /// The builder of a server.
  ///
  /// @param sessionContext up to 32 bytes; only sessions with equal bytes are resumed
  static ContextBuilder server(
      TlsSettings settings, PeerVerifier verifier, TlsIdentity identity, byte[] sessionContext) {
    return new ContextBuilder(settings, verifier, identity, true, sessionContext);
  }

  /// The builder of a client.
  static ContextBuilder client(TlsSettings settings, PeerVerifier verifier) {
    return new ContextBuilder(
        settings, verifier, settings.identities().defaultIdentity(), false, new byte[0]);
  }

  /// A new `SSL_CTX`, which the caller owns.
  long build() {
    long method = server ? LibSsl.TLS_server_method.call() : LibSsl.TLS_client_method.call();
    long context = LibSsl.SSL_CTX_new.call(method);
    if (context == 0) {
      throw new IllegalStateException("SSL_CTX_new failed: " + Alerts.takeErrors());
    }
    boolean complete = false;
    try (Arena arena = Arena.ofConfined()) {
      configure(context);
      protocols(context, arena);
      if (identity != null) {
        identity(context, identity, arena);
      }
      sessions(context, arena);
      if (server) {
        serverSide(context);
      } else {
        clientSide(context, arena);
      }
      complete = true;
      return context;
    } finally {
      LibSsl.ERR_clear_error.call();
      if (!complete) {
        LibSsl.SSL_CTX_free.call(context);
      }
    }
  }

  private void configure(long context) {
    Upcalls.Addresses upcalls = Upcalls.addresses();
    control(context, LibSsl.CTRL_MODE, LibSsl.MODE_RELEASE_BUFFERS | LibSsl.MODE_NO_AUTO_CHAIN, 0);
    long options = LibSsl.OP_NO_COMPRESSION | LibSsl.OP_NO_RENEGOTIATION;
    if (server) {
      options |= LibSsl.OP_CIPHER_SERVER_PREFERENCE;
    }
    if (!settings.sessions().tickets()) {
      options |= LibSsl.OP_NO_TICKET;
    }
    LibSsl.SSL_CTX_set_options.call(context, options);
    LibSsl.SSL_CTX_set_info_callback.call(context, upcalls.info());
    LibSsl.SSL_CTX_set_cert_verify_callback.call(context, upcalls.verify(), 0);
    if (settings.engine().keyLog() != null) {
      LibSsl.SSL_CTX_set_keylog_callback.call(context, upcalls.keyLog());
    }
  }

  private void protocols(long context, Arena arena) {
    TlsProtocols protocols = settings.protocols();
    List<String> suites12 = new ArrayList<>();
    List<String> suites13 = new ArrayList<>();
    for (String suite : protocols.cipherSuites()) {
      long name = LibSsl.OPENSSL_cipher_name.call(NativeText.allocate(arena, suite));
      @Nullable String known = NativeText.read(name);
      if (known == null || known.equals("(NONE)")) {
        throw new IllegalArgumentException(
            "cipherSuites has " + suite + ", which this OpenSSL does not support");
      }
      (known.startsWith("TLS_") ? suites13 : suites12).add(known);
    }
    versions(context, !suites12.isEmpty(), !suites13.isEmpty());
    if (!suites12.isEmpty()) {
      long list = NativeText.allocate(arena, String.join(":", suites12));
      require(LibSsl.SSL_CTX_set_cipher_list.call(context, list), "cipherSuites", suites12);
    }
    long list = NativeText.allocate(arena, String.join(":", suites13));
    require(LibSsl.SSL_CTX_set_ciphersuites.call(context, list), "cipherSuites", suites13);
    if (!protocols.groups().isEmpty()) {
      long groups = NativeText.allocate(arena, String.join(":", protocols.groups()));
      require(
          SSL_CTX_ctrl.call(context, LibSsl.CTRL_SET_GROUPS_LIST, 0, groups),
          "groups",
          protocols.groups());
    }
  }

  /// A version without a cipher suite is not offered.
  private void versions(long context, boolean has12, boolean has13) {
    List<Version> versions = settings.protocols().versions();
    boolean use12 = has12 && versions.contains(Version.TLS_1_2);
    boolean use13 = has13 && versions.contains(Version.TLS_1_3);
    if (!use12 && !use13) {
      throw new IllegalArgumentException(
          "cipherSuites " + settings.protocols().cipherSuites() + " has none for " + versions);
    }
    int min = use12 ? LibSsl.TLS1_3_VERSION - 1 : LibSsl.TLS1_3_VERSION;
    int max = use13 ? LibSsl.TLS1_3_VERSION : LibSsl.TLS1_3_VERSION - 1;
    require(SSL_CTX_ctrl.call(context, LibSsl.CTRL_SET_MIN_PROTO_VERSION, min, 0), "versions", min);
    require(SSL_CTX_ctrl.call(context, LibSsl.CTRL_SET_MAX_PROTO_VERSION, max, 0), "versions", max);
  }

  private static void identity(long context, TlsIdentity identity, Arena arena) {
    List<X509Certificate> chain = identity.chain();
    String subject = chain.getFirst().getSubjectX500Principal().getName();
    long leaf = certificate(chain.getFirst(), arena);
    try {
      require(LibSsl.SSL_CTX_use_certificate.call(context, leaf), "identities", subject);
    } finally {
      LibSsl.X509_free.call(leaf);
    }
    for (X509Certificate issuer : chain.subList(1, chain.size())) {
      long x509 = certificate(issuer, arena);
      if ((int) SSL_CTX_ctrl.call(context, LibSsl.CTRL_CHAIN_CERT, 0, x509) != 1) {
        LibSsl.X509_free.call(x509);
        throw refused("identities", issuer.getSubjectX500Principal().getName());
      }
    }
    long key = key(identity, subject, arena);
    try {
      boolean fits =
          (int) LibSsl.SSL_CTX_use_PrivateKey.call(context, key) == 1
              && (int) LibSsl.SSL_CTX_check_private_key.call(context) == 1;
      if (!fits) {
        throw new IllegalArgumentException(
            "identities: the private key does not match the certificate of "
                + subject
                + " (OpenSSL: "
                + Alerts.takeErrors()
                + ")");
      }
    } finally {
      LibSsl.EVP_PKEY_free.call(key);
    }
  }

  private static long key(TlsIdentity identity, String subject, Arena arena) {
    if (identity.isRemote()) {
      throw new IllegalArgumentException(
          "library is OPENSSL, which cannot use the TlsSigner of "
              + subject
              + " (identities); the library JDK can (withLibrary(TlsLibrary.JDK))");
    }
    byte @Nullable [] encoded = identity.key().getEncoded();
    if (encoded == null) {
      throw new IllegalArgumentException(
          "identities: the private key of "
              + subject
              + " cannot be exported, for example because it is in a hardware module; OpenSSL"
              + " cannot use it, the library JDK can (withLibrary(TlsLibrary.JDK))");
    }
    long bytes = NativeText.allocate(arena, encoded);
    try {
      long pointer = arena.allocate(Long.BYTES, Long.BYTES).address();
      CallFrame.putLong(pointer, bytes);
      long key = LibSsl.d2i_AutoPrivateKey.call(0, pointer, encoded.length);
      if (key == 0) {
        throw refused("identities", "the private key of " + subject);
      }
      return key;
    } finally {
      Memory.fill(bytes, encoded.length, (byte) 0);
      Arrays.fill(encoded, (byte) 0);
    }
  }

  /// An `X509`, which the caller owns.
  private static long certificate(X509Certificate certificate, Arena arena) {
    byte[] encoded;
    try {
      encoded = certificate.getEncoded();
    } catch (CertificateEncodingException e) {
      throw new IllegalArgumentException("identities: a certificate has no encoding", e);
    }
    long pointer = arena.allocate(Long.BYTES, Long.BYTES).address();
    CallFrame.putLong(pointer, NativeText.allocate(arena, encoded));
    long result = LibSsl.d2i_X509.call(0, pointer, encoded.length);
    if (result == 0) {
      throw refused("identities", certificate.getSubjectX500Principal().getName());
    }
    return result;
  }

  private void sessions(long context, Arena arena) {
    TlsSessions sessions = settings.sessions();
    LibSsl.SSL_CTX_set_timeout.call(context, sessions.lifetime().toSeconds());
    if (!server) {
      boolean keep = sessions.cacheSize() > 0;
      int mode = keep ? LibSsl.SESS_CACHE_CLIENT | LibSsl.SESS_CACHE_NO_INTERNAL : 0;
      control(context, LibSsl.CTRL_SET_SESS_CACHE_MODE, mode, 0);
      if (keep) {
        LibSsl.SSL_CTX_sess_set_new_cb.call(context, Upcalls.addresses().newSession());
      }
      return;
    }
    if (sessions.cacheSize() > 0) {
      control(context, LibSsl.CTRL_SET_SESS_CACHE_MODE, LibSsl.SESS_CACHE_SERVER, 0);
      control(context, LibSsl.CTRL_SET_SESS_CACHE_SIZE, sessions.cacheSize(), 0);
    } else {
      control(context, LibSsl.CTRL_SET_SESS_CACHE_MODE, LibSsl.SESS_CACHE_OFF, 0);
    }
    if (sessions.tickets()) {
      long callback = Upcalls.addresses().ticketKey();
      LibSsl.SSL_CTX_callback_ctrl.call(context, LibSsl.CTRL_SET_TLSEXT_TICKET_KEY_CB, callback);
    } else {
      LibSsl.SSL_CTX_set_num_tickets.call(context, 0);
    }
    require(
        LibSsl.SSL_CTX_set_session_id_context.call(
            context, NativeText.allocate(arena, sessionContext), sessionContext.length),
        "sessions",
        sessions);
  }

  private void serverSide(long context) {
    Upcalls.Addresses upcalls = Upcalls.addresses();
    LibSsl.SSL_CTX_callback_ctrl.call(
        context, LibSsl.CTRL_SET_TLSEXT_SERVERNAME_CB, upcalls.serverName());
    if (identity != null && identity.staples()) {
      LibSsl.SSL_CTX_callback_ctrl.call(
          context, LibSsl.CTRL_SET_TLSEXT_STATUS_REQ_CB, upcalls.status());
    }
    if (!settings.protocols().applicationProtocols().isEmpty()) {
      LibSsl.SSL_CTX_set_alpn_select_cb.call(context, upcalls.selectProtocol(), 0);
    }
    int mode =
        switch (settings.trust().clientAuth()) {
          case NONE -> LibSsl.VERIFY_NONE;
          case OPTIONAL -> LibSsl.VERIFY_PEER;
          case REQUIRED -> LibSsl.VERIFY_PEER | LibSsl.VERIFY_FAIL_IF_NO_PEER_CERT;
        };
    LibSsl.SSL_CTX_set_verify.call(context, mode, 0);
    if (settings.trust().clientAuth() != ClientAuth.NONE) {
      acceptedIssuers(context);
    }
  }

  private void acceptedIssuers(long context) {
    List<X509Certificate> issuers = verifier.acceptedIssuers();
    if (issuers.size() > MAX_ISSUERS) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      for (X509Certificate issuer : issuers) {
        long x509 = certificate(issuer, arena);
        try {
          LibSsl.SSL_CTX_add_client_CA.call(context, x509);
        } finally {
          LibSsl.X509_free.call(x509);
        }
      }
    }
  }

  private void clientSide(long context, Arena arena) {
    LibSsl.SSL_CTX_set_verify.call(context, LibSsl.VERIFY_PEER, 0);
    control(context, LibSsl.CTRL_SET_TLSEXT_STATUS_REQ_TYPE, LibSsl.STATUS_TYPE_OCSP, 0);
    LibSsl.SSL_CTX_callback_ctrl.call(
        context, LibSsl.CTRL_SET_TLSEXT_STATUS_REQ_CB, Upcalls.addresses().status());
    List<String> protocols = settings.protocols().applicationProtocols();
    if (!protocols.isEmpty()) {
      byte[] encoded = ApplicationProtocols.encode(protocols);
      long list = NativeText.allocate(arena, encoded);
      if ((int) LibSsl.SSL_CTX_set_alpn_protos.call(context, list, encoded.length) != 0) {
        throw refused("applicationProtocols", protocols);
      }
    }
  }

  private static void control(long context, int command, long number, long pointer) {
    SSL_CTX_ctrl.call(context, command, number, pointer);
  }

  private static void require(long result, String setting, Object value) {
    if ((int) result != 1) {
      throw refused(setting, value);
    }
  }

  private static IllegalArgumentException refused(String setting, Object value) {
    return new IllegalArgumentException(
        setting + ": OpenSSL does not accept " + value + " (" + Alerts.takeErrors() + ")");
  }
}

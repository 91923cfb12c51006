package dev.quickwater.tls.openssl;

import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Alerts and errors of OpenSSL.
final class Alerts {

  private static final int FATAL = 2;

  /// The part of an error code that is the reason, for all codes of libssl and in all versions.
  private static final long REASON = 0xfff;

  /// SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE.
  private static final long NO_CERTIFICATE = 199;

  /// A code of X509_STORE_CTX_set_error that has no alert, for which certificate_unknown is sent.
  private static final int ERR_PERMITTED_VIOLATION = 47;

  private Alerts() {}

  /// The code for X509_STORE_CTX_set_error that makes OpenSSL send an alert, or certificate_unknown
  /// if there is none.
  static int verifyError(@Nullable TlsAlert alert) {
    return switch (alert) {
      case BAD_CERTIFICATE -> 28;
      case UNSUPPORTED_CERTIFICATE -> 26;
      case CERTIFICATE_REVOKED -> 23;
      case CERTIFICATE_EXPIRED -> 10;
      case UNKNOWN_CA -> 20;
      case DECRYPT_ERROR -> 7;
      case HANDSHAKE_FAILURE -> 50;
      case INTERNAL_ERROR -> 1;
      case null, default -> ERR_PERMITTED_VIOLATION;
    };
  }

  /// True for an alert that ends the connection.
  ///
  /// @param value level and description, as the info callback has them
  static boolean isFatal(int value) {
    return value >> 8 == FATAL;
  }

  /// The alert of an info callback; null for an unknown one.
  static @Nullable TlsAlert of(int value) {
    return TlsAlert.of(value & 0xff);
  }

  /// Takes all errors from the queue of the thread.
  ///
  /// @return the text of the first one
  static String takeErrors() {
    return describe(takeError());
  }

  /// Takes all errors from the queue of the thread.
  ///
  /// @return the first one, or 0
  static long takeError() {
    long first = LibSsl.ERR_get_error.call();
    LibSsl.ERR_clear_error.call();
    return first;
  }

  private static String describe(long first) {
    @Nullable String text =
        first == 0 ? null : NativeText.read(LibSsl.ERR_reason_error_string.call(first));
    if (text != null) {
      return text;
    }
    return first == 0 ? "no reason given" : "error 0x" + Long.toHexString(first);
  }

  /// The peer sent a fatal alert.
  static TlsException received(int value) {
    @Nullable TlsAlert alert = of(value);
    String name =
        alert == null ? Integer.toString(value & 0xff) : alert.name().toLowerCase(Locale.ROOT);
    return TlsException.received(alert, "the peer refused the connection with the alert " + name);
  }

  /// This side refuses what the peer sent.
  ///
  /// @param value level and description of the alert that was sent; 0 if none was
  /// @param error the error of OpenSSL
  static TlsException local(int value, boolean open, long error) {
    @Nullable TlsAlert sent = value == 0 ? null : of(value);
    TlsAlert alert = sent == null ? TlsAlert.INTERNAL_ERROR : sent;
    boolean noCertificate =
        alert == TlsAlert.CERTIFICATE_REQUIRED || (error & REASON) == NO_CERTIFICATE;
    String message =
        noCertificate
            ? "the client presented no certificate (setting clientAuth)"
            : describe(alert, open);
    return TlsException.local(alert, message + " (OpenSSL: " + describe(error) + ")");
  }

  private static String describe(TlsAlert alert, boolean open) {
    return switch (alert) {
      case HANDSHAKE_FAILURE ->
          "nothing is common with the peer in one of the settings cipherSuites, groups and"
              + " identities";
      case PROTOCOL_VERSION -> "no version of TLS is common with the peer (setting versions)";
      case NO_APPLICATION_PROTOCOL ->
          "no application protocol is common with the peer (setting applicationProtocols)";
      case BAD_RECORD_MAC -> "a record of the peer cannot be decrypted";
      case DECRYPT_ERROR -> "a signature or Finished message of the peer is wrong";
      case RECORD_OVERFLOW -> "a record of the peer is too long";
      case UNEXPECTED_MESSAGE -> "the peer sent a message at the wrong time";
      case DECODE_ERROR -> "the peer sent a message that cannot be parsed";
      case INTERNAL_ERROR -> "the TLS library failed";
      case CLOSE_NOTIFY,
          BAD_CERTIFICATE,
          CERTIFICATE_REQUIRED,
          UNSUPPORTED_CERTIFICATE,
          CERTIFICATE_REVOKED,
          CERTIFICATE_EXPIRED,
          CERTIFICATE_UNKNOWN,
          ILLEGAL_PARAMETER,
          UNKNOWN_CA,
          ACCESS_DENIED,
          INSUFFICIENT_SECURITY,
          INAPPROPRIATE_FALLBACK,
          USER_CANCELED,
          NO_RENEGOTIATION,
          MISSING_EXTENSION,
          UNSUPPORTED_EXTENSION,
          UNRECOGNIZED_NAME,
          BAD_CERTIFICATE_STATUS_RESPONSE,
          UNKNOWN_PSK_IDENTITY ->
          (open ? "the peer violated TLS" : "the TLS handshake failed")
              + ", alert "
              + alert.name().toLowerCase(Locale.ROOT);
    };
  }
}

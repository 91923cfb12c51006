package dev.quickwater.tls.jdk;

import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsException;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Translates failures of the JDK, which contain the alert only in the text of their message.
final class JdkFailures {

  private static final String RECEIVED = "Received fatal alert: ";
  private static final String PLAINTEXT_ALERT = "Unexpected plaintext alert received";
  private static final String ALERT_NAME = "Alert: ";
  private static final String NO_CLIENT_CERTIFICATE = "Empty client certificate chain";
  private static final byte ALERT_RECORD = 21;
  private static final int ALERT_LENGTH = 7;

  private JdkFailures() {}

  /// The failure to throw.
  ///
  /// @param open whether the handshake is complete
  /// @param refusal why the peer is not trusted, or null
  /// @param records the records to send, of which those from `from` on were produced because of the
  ///   failure; an alert without encryption is corrected in them
  static TlsException of(
      Exception e,
      boolean open,
      @Nullable TlsException refusal,
      boolean renegotiates,
      ByteBuffer records,
      int from) {
    String message = String.valueOf(e.getMessage());
    @Nullable String received = received(e, message, open);
    if (received != null) {
      return TlsException.received(
          alert(received), "the peer refused the connection with the alert " + received);
    }
    TlsException failure = refusal;
    if (renegotiates) {
      failure =
          TlsException.local(
              TlsAlert.HANDSHAKE_FAILURE,
              "the peer requested a renegotiation, which is refused because it is insecure");
    }
    int last = records.position() - ALERT_LENGTH;
    boolean readable =
        last >= from && records.get(last) == ALERT_RECORD && records.getShort(last + 3) == 2;
    if (failure == null) {
      failure = local(e, message, readable ? TlsAlert.of(records.get(last + 6) & 0xff) : null);
    }
    if (readable && failure.alert() != null) {
      records.put(last + 6, (byte) failure.alert().code());
    }
    return failure;
  }

  /// The name of the alert that the peer sent, or null.
  private static @Nullable String received(Exception e, String message, boolean open) {
    int at = message.indexOf(RECEIVED);
    if (at >= 0) {
      return message.substring(at + RECEIVED.length()).strip();
    }
    // OpenSSL clients send alerts without encryption until they send Finished in TLS 1.3.
    if (!open && e.getCause() != null) {
      String cause = String.valueOf(e.getCause().getMessage());
      int name = cause.indexOf(ALERT_NAME);
      if (cause.startsWith(PLAINTEXT_ALERT) && name >= 0) {
        return cause.substring(name + ALERT_NAME.length()).strip();
      }
    }
    return null;
  }

  private static TlsException local(Exception e, String message, @Nullable TlsAlert sent) {
    TlsAlert alert = sent;
    String text = message;
    int end = message.indexOf(") ");
    if (message.startsWith("(") && end > 0) {
      @Nullable TlsAlert named = alert(message.substring(1, end));
      if (named != null) {
        alert = alert == null ? named : alert;
        text = message.substring(end + 2);
      }
    }
    if (alert == null) {
      alert = TlsAlert.INTERNAL_ERROR;
    }
    if (text.startsWith(NO_CLIENT_CERTIFICATE)) {
      return TlsException.local(
          alert, "the client presented no certificate (setting clientAuth)", e);
    }
    String setting =
        switch (alert) {
          case PROTOCOL_VERSION -> "; see the setting versions";
          case HANDSHAKE_FAILURE -> "; see the settings cipherSuites, groups and identities";
          case NO_APPLICATION_PROTOCOL -> "; see the setting applicationProtocols";
          default -> "";
        };
    return TlsException.local(alert, "TLS failed: " + text + setting, e);
  }

  private static @Nullable TlsAlert alert(String name) {
    try {
      return TlsAlert.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException _) {
      return null;
    }
  }
}

package dev.quickwater.tls;

import org.jspecify.annotations.Nullable;

/// The alerts of TLS (RFC 8446 section 6, RFC 5246 section 7.2).
public enum TlsAlert {
  /// The sender will send no more data.
  CLOSE_NOTIFY(0),
  /// A message of the wrong kind or at the wrong time.
  UNEXPECTED_MESSAGE(10),
  /// A record that cannot be decrypted.
  BAD_RECORD_MAC(20),
  /// A record above the maximum length.
  RECORD_OVERFLOW(22),
  /// No common cipher suite, group, or signature algorithm.
  HANDSHAKE_FAILURE(40),
  /// A certificate that is malformed or has a wrong signature.
  BAD_CERTIFICATE(42),
  /// A certificate of an unsupported type.
  UNSUPPORTED_CERTIFICATE(43),
  /// A certificate that its issuer revoked.
  CERTIFICATE_REVOKED(44),
  /// A certificate that has expired or is not valid yet.
  CERTIFICATE_EXPIRED(45),
  /// A certificate that is refused for another reason, for example a wrong host name.
  CERTIFICATE_UNKNOWN(46),
  /// A field of a handshake message that is out of range or inconsistent.
  ILLEGAL_PARAMETER(47),
  /// A certificate whose issuer is not trusted.
  UNKNOWN_CA(48),
  /// A valid certificate that is not permitted to connect.
  ACCESS_DENIED(49),
  /// A message that cannot be parsed.
  DECODE_ERROR(50),
  /// A handshake signature or Finished message that is wrong.
  DECRYPT_ERROR(51),
  /// No common protocol version.
  PROTOCOL_VERSION(70),
  /// The security settings of the sender are stricter than the offer.
  INSUFFICIENT_SECURITY(71),
  /// A failure of the sender that is unrelated to the peer.
  INTERNAL_ERROR(80),
  /// A retry with a lower version than both sides support (RFC 7507).
  INAPPROPRIATE_FALLBACK(86),
  /// The user cancelled the handshake.
  USER_CANCELED(90),
  /// Renegotiation is refused; TLS 1.2 only.
  NO_RENEGOTIATION(100),
  /// A handshake message without a mandatory extension.
  MISSING_EXTENSION(109),
  /// An extension that was not offered.
  UNSUPPORTED_EXTENSION(110),
  /// The server has no certificate for the requested name.
  UNRECOGNIZED_NAME(112),
  /// A stapled OCSP response that is invalid or missing.
  BAD_CERTIFICATE_STATUS_RESPONSE(113),
  /// The identity of a pre-shared key is unknown.
  UNKNOWN_PSK_IDENTITY(115),
  /// The server requires a certificate of the client.
  CERTIFICATE_REQUIRED(116),
  /// No common application protocol (ALPN).
  NO_APPLICATION_PROTOCOL(120);

  private final int code;

  TlsAlert(int code) {
    this.code = code;
  }

  /// The number of the alert on the wire.
  public int code() {
    return code;
  }

  /// The alert with a number, or null for an unknown one.
  public static @Nullable TlsAlert of(int code) {
    for (TlsAlert alert : values()) {
      if (alert.code == code) {
        return alert;
      }
    }
    return null;
  }
}

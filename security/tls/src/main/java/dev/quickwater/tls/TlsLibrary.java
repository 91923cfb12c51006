package dev.quickwater.tls;

/// The library that performs the cryptography of TLS.
public enum TlsLibrary {
  /// OpenSSL if it is present, because it takes less processor time; otherwise the JDK. The JDK,
  /// too, if a private key cannot leave its hardware or its process. [TlsContext#description] has
  /// the reason.
  AUTO,
  /// OpenSSL of the system: 1.1.1e or later, or 3.x. Needs Linux and native access.
  OPENSSL,
  /// The engine of the JDK (JSSE).
  JDK
}

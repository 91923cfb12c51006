package dev.quickwater.tls;

/// The library that performs the cryptography of TLS.
public enum TlsLibrary {
  /// OpenSSL if it is present and the settings need it, or if its version is faster than the JDK
  /// (1.1.1, and 3.5 or later). Otherwise the JDK. [TlsContext#description] has the reason.
  AUTO,
  /// OpenSSL of the system: 1.1.1e or later, or 3.x. Needs Linux and native access.
  OPENSSL,
  /// The engine of the JDK (JSSE).
  JDK
}

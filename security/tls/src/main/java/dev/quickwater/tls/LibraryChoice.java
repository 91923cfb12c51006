package dev.quickwater.tls;

import dev.quickwater.tls.openssl.OpenSslContext;

/// Which library a context uses, and why.
///
/// OpenSSL takes less processor time than the JDK. Version 3.0, the slowest, takes an eighth of the
/// JDK's time for a handshake, half for small messages of HTTP/1.1, and four fifths for HTTP/2. It
/// takes one and a half times the JDK's time only for downloads of 1 MiB, because 3.0 to 3.4 need
/// twice the time to encrypt full records. 3.5 takes as long as the JDK (`docs/benchmarks/tls.md`).
///
/// @param library not AUTO
/// @param reason the reason, or an empty text if the settings name the library
record LibraryChoice(TlsLibrary library, String reason) {

  /// The choice for these settings.
  static LibraryChoice of(TlsSettings settings) {
    TlsLibrary wanted = settings.engine().library();
    if (wanted != TlsLibrary.AUTO) {
      return new LibraryChoice(wanted, "");
    }
    if (settings.identities().all().stream().anyMatch(TlsIdentity::isRemote)) {
      return new LibraryChoice(TlsLibrary.JDK, "a TlsSigner has a private key");
    }
    if (settings.identities().all().stream().anyMatch(i -> i.key().getEncoded() == null)) {
      return new LibraryChoice(TlsLibrary.JDK, "a private key is in hardware");
    }
    try {
      OpenSslContext.requirePresent();
    } catch (UnsupportedOperationException e) {
      return new LibraryChoice(TlsLibrary.JDK, String.valueOf(e.getMessage()));
    }
    return new LibraryChoice(TlsLibrary.OPENSSL, "faster than the JDK");
  }
}

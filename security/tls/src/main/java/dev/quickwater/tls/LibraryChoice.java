package dev.quickwater.tls;

import dev.quickwater.tls.openssl.OpenSslContext;

/// Which library a context uses, and why.
///
/// OpenSSL 3.0 takes twice the time of the JDK for records of 16 KiB: it encrypts one in 6.9 us,
/// the JDK in 3.5 us, OpenSSL 3.5 in 3.3 us. Versions up to 3.4 count as 3.0. OpenSSL 1.1.1 and 3.5
/// or later are faster than the JDK for all records and for handshakes.
///
/// @param library not AUTO
/// @param reason the reason, or an empty text if the settings name the library
record LibraryChoice(TlsLibrary library, String reason) {

  private static final long VERSION_3_0 = 0x30000000L;
  private static final long VERSION_3_5 = 0x30500000L;

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
    long version;
    try {
      version = OpenSslContext.versionNumber();
    } catch (UnsupportedOperationException e) {
      return new LibraryChoice(TlsLibrary.JDK, String.valueOf(e.getMessage()));
    }
    return of(version, needsOpenSsl(settings));
  }

  /// The choice between the JDK and an OpenSSL that is present.
  static LibraryChoice of(long openSslVersion, boolean needsOpenSsl) {
    if (needsOpenSsl) {
      return new LibraryChoice(TlsLibrary.OPENSSL, "the settings need OpenSSL");
    }
    boolean slow = openSslVersion >= VERSION_3_0 && openSslVersion < VERSION_3_5;
    return slow
        ? new LibraryChoice(
            TlsLibrary.JDK, "OpenSSL 3.0 to 3.4 is present, which is slower for large records")
        : new LibraryChoice(TlsLibrary.OPENSSL, "faster than the JDK");
  }

  /// True for settings that [dev.quickwater.tls.jdk.JdkContext] refuses.
  private static boolean needsOpenSsl(TlsSettings settings) {
    TlsSessions sessions = settings.sessions();
    return settings.engine().keyLog() != null
        || !sessions.ticketKeys().isEmpty()
        || !sessions.tickets() && sessions.cacheSize() > 0
        || settings.identities().all().stream().anyMatch(TlsIdentity::staples);
  }
}

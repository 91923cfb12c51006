package dev.quickwater.tls;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// How the engine works; immutable.
///
/// @param library the library that performs the cryptography
/// @param limits limits and deadlines
/// @param keyLog a file to which the secrets of all connections are appended, in the format
///   `SSLKEYLOGFILE` of Wireshark; null for none. A reader of the file can decrypt recorded
///   connections. The library must be OpenSSL
public record TlsEngineSettings(TlsLibrary library, TlsLimits limits, @Nullable Path keyLog) {

  /// The faster library, default limits, no key log.
  public static final TlsEngineSettings DEFAULT =
      new TlsEngineSettings(TlsLibrary.AUTO, TlsLimits.DEFAULT, null);

  /// These settings with another library.
  public TlsEngineSettings withLibrary(TlsLibrary other) {
    return new TlsEngineSettings(other, limits, keyLog);
  }

  /// These settings with other limits.
  public TlsEngineSettings withLimits(TlsLimits other) {
    return new TlsEngineSettings(library, other, keyLog);
  }

  /// These settings with another key log.
  public TlsEngineSettings withKeyLog(@Nullable Path other) {
    return new TlsEngineSettings(library, limits, other);
  }
}

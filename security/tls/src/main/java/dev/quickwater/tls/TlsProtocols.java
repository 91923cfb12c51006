package dev.quickwater.tls;

import dev.quickwater.util.setting.SettingCheck;
import java.util.List;

/// What a side offers or accepts in the handshake; immutable.
///
/// @param versions the versions of TLS, at least one. A version without a cipher suite is not used
/// @param cipherSuites the cipher suites by their IANA names, for example `TLS_AES_128_GCM_SHA256`,
///   in order of preference; the suites of both versions in one list
/// @param groups the key exchange groups, for example `x25519`, in order of preference; empty for
///   the default of the library
/// @param applicationProtocols the application protocols (ALPN, RFC 7301) in order of preference,
///   for example `h2`; empty for no ALPN. Each has 1 to 255 visible ASCII characters
public record TlsProtocols(
    List<Version> versions,
    List<String> cipherSuites,
    List<String> groups,
    List<String> applicationProtocols) {

  /// The supported versions of TLS. Older versions are insecure (RFC 8996).
  public enum Version {
    /// TLS 1.2, RFC 5246.
    TLS_1_2("TLSv1.2"),
    /// TLS 1.3, RFC 8446.
    TLS_1_3("TLSv1.3");

    private final String text;

    Version(String text) {
      this.text = text;
    }

    /// The name that JDK and OpenSSL use, for example `TLSv1.3`.
    @Override
    public String toString() {
      return text;
    }
  }

  /// TLS 1.3 and 1.2 with forward secrecy and authenticated encryption only (RFC 9325 section 4.2),
  /// without application protocols.
  public static final TlsProtocols DEFAULT =
      new TlsProtocols(
          List.of(Version.TLS_1_3, Version.TLS_1_2),
          List.of(
              "TLS_AES_128_GCM_SHA256",
              "TLS_AES_256_GCM_SHA384",
              "TLS_CHACHA20_POLY1305_SHA256",
              "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
              "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
              "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
              "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
              "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
              "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"),
          List.of(),
          List.of());

  /// Checks the values.
  public TlsProtocols {
    versions = List.copyOf(versions);
    cipherSuites = List.copyOf(cipherSuites);
    groups = List.copyOf(groups);
    applicationProtocols = List.copyOf(applicationProtocols);
    SettingCheck.require(!versions.isEmpty(), "versions", versions, "at least one version");
    SettingCheck.require(
        !cipherSuites.isEmpty(), "cipherSuites", cipherSuites, "at least one suite");
    for (String protocol : applicationProtocols) {
      SettingCheck.require(
          !protocol.isEmpty()
              && protocol.length() <= 255
              && protocol.chars().allMatch(c -> c > ' ' && c < 0x7f),
          "applicationProtocols",
          applicationProtocols,
          "names of 1 to 255 visible ASCII characters");
    }
  }

  /// These values with other versions.
  public TlsProtocols withVersions(Version... other) {
    return new TlsProtocols(List.of(other), cipherSuites, groups, applicationProtocols);
  }

  /// These values with other cipher suites.
  public TlsProtocols withCipherSuites(String... other) {
    return new TlsProtocols(versions, List.of(other), groups, applicationProtocols);
  }

  /// These values with other key exchange groups.
  public TlsProtocols withGroups(String... other) {
    return new TlsProtocols(versions, cipherSuites, List.of(other), applicationProtocols);
  }

  /// These values with other application protocols.
  public TlsProtocols withApplicationProtocols(String... other) {
    return new TlsProtocols(versions, cipherSuites, groups, List.of(other));
  }
}

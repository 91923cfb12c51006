package dev.quickwater.tls;

import dev.quickwater.tls.library.HostName;
import dev.quickwater.util.setting.SettingCheck;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/// The settings of TLS for a server or a client; immutable.
///
/// ```java
/// var identity = TlsIdentity.pem(Path.of("chain.pem"), Path.of("key.pem"));
/// var settings = TlsSettings.server(identity);
/// ```
///
/// @param identities what this side presents
/// @param trust which peers this side accepts
/// @param protocols versions, cipher suites and application protocols
/// @param sessions resumption
/// @param engine library, limits and debugging
public record TlsSettings(
    TlsIdentities identities,
    TlsTrust trust,
    TlsProtocols protocols,
    TlsSessions sessions,
    TlsEngineSettings engine) {

  /// A client that trusts what the system trusts, verifies host names and presents no certificate.
  public static TlsSettings client() {
    return new TlsSettings(
        TlsIdentities.NONE,
        TlsTrust.DEFAULT,
        TlsProtocols.DEFAULT,
        TlsSessions.DEFAULT,
        TlsEngineSettings.DEFAULT);
  }

  /// A server that presents one identity and requests no certificate of its clients.
  public static TlsSettings server(TlsIdentity identity) {
    return client().withIdentities(TlsIdentities.of(identity));
  }

  /// A server for development with a new self-signed certificate, which is valid for 90 days. A
  /// client trusts the certificate only if it is one of the anchors of the client. Requires the
  /// module `dev.quickwater.tls.selfsigned`, artifact `quickwater-tls-selfsigned`.
  ///
  /// @param names host names or IP addresses, at least one; for example `localhost`
  /// @throws IllegalArgumentException if a name is neither a host name nor an IP address
  /// @throws UnsupportedOperationException if the module is missing
  public static TlsSettings selfSigned(String... names) {
    SettingCheck.require(names.length > 0, "names", List.of(names), "at least one host name");
    List<String> hosts = Stream.of(names).map(HostName::of).toList();
    SelfSigner signer =
        ServiceLoader.load(SelfSigner.class, SelfSigner.class.getClassLoader())
            .findFirst()
            .orElseThrow(() ->
                new UnsupportedOperationException(
                    "selfSigned needs the module dev.quickwater.tls.selfsigned; add the"
                        + " artifact dev.quickwater:quickwater-tls-selfsigned"));
    return server(signer.sign(hosts));
  }

  /// These settings with other identities.
  public TlsSettings withIdentities(TlsIdentities other) {
    return new TlsSettings(other, trust, protocols, sessions, engine);
  }

  /// These settings with other rules of trust.
  public TlsSettings withTrust(TlsTrust other) {
    return new TlsSettings(identities, other, protocols, sessions, engine);
  }

  /// These settings with other versions, cipher suites or application protocols.
  public TlsSettings withProtocols(TlsProtocols other) {
    return new TlsSettings(identities, trust, other, sessions, engine);
  }

  /// These settings with another resumption of sessions.
  public TlsSettings withSessions(TlsSessions other) {
    return new TlsSettings(identities, trust, protocols, other, engine);
  }

  /// These settings with another library, other limits or another key log.
  public TlsSettings withEngine(TlsEngineSettings other) {
    return new TlsSettings(identities, trust, protocols, sessions, other);
  }

  /// These settings with a given library.
  public TlsSettings withLibrary(TlsLibrary library) {
    return withEngine(engine.withLibrary(library));
  }
}

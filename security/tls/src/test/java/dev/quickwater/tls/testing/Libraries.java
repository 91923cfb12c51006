package dev.quickwater.tls.testing;

import dev.quickwater.tls.TlsContext;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsLibrary;
import dev.quickwater.tls.TlsProtocols;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.tls.TlsTrust;
import java.util.ArrayList;
import java.util.List;

/// The libraries of the two sides of a connection.
public record Libraries(TlsLibrary client, TlsLibrary server) {

  /// An authority that the clients of tests trust, made once for all tests.
  public static final TestCa CA = TestCa.root("Test root");

  /// An authority that nothing trusts.
  public static final TestCa OTHER = TestCa.root("Other root");

  /// The identity of most servers.
  public static final TlsIdentity LOCALHOST = CA.issue("localhost", "127.0.0.1", "::1");

  /// The pairs of the libraries that are present.
  public static List<Libraries> available() {
    List<TlsLibrary> present = new ArrayList<>();
    for (TlsLibrary library : List.of(TlsLibrary.JDK, TlsLibrary.OPENSSL)) {
      try {
        TlsContext.client(TlsSettings.client().withLibrary(library)).close();
        present.add(library);
      } catch (UnsupportedOperationException _) {
        // not present
      }
    }
    List<Libraries> pairs = new ArrayList<>();
    for (TlsLibrary client : present) {
      for (TlsLibrary server : present) {
        pairs.add(new Libraries(client, server));
      }
    }
    return pairs;
  }

  /// A client that trusts [#CA].
  public TlsSettings clientSettings() {
    return TlsSettings.client()
        .withLibrary(client)
        .withTrust(TlsTrust.DEFAULT.withCertificates(CA.certificate()));
  }

  /// A server for `localhost`.
  public TlsSettings serverSettings() {
    return TlsSettings.server(LOCALHOST).withLibrary(server);
  }

  /// The default protocols with one version.
  public static TlsProtocols only(TlsProtocols.Version version) {
    return TlsProtocols.DEFAULT.withVersions(version);
  }

  /// A connection of new contexts, before its handshake.
  public static EnginePair pair(TlsSettings client, TlsSettings server, String host) {
    return new EnginePair(TlsContext.client(client), TlsContext.server(server), host, 443);
  }
}

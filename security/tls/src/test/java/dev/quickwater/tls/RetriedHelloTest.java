package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.tls.TlsProtocols.Version;
import dev.quickwater.tls.testing.EnginePair;
import dev.quickwater.tls.testing.Libraries;
import dev.quickwater.tls.testing.SuiteTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A server that supports none of the key shares of the first ClientHello requests another one (RFC
/// 8446 section 4.1.4).
final class RetriedHelloTest extends SuiteTest {

  @Test
  void secondHelloKeepsServerNameAndApplicationProtocol() {
    TlsIdentity other = Libraries.CA.issue("other.example");
    TlsSettings client =
        libraries
            .clientSettings()
            .withProtocols(
                Libraries.only(Version.TLS_1_3)
                    .withApplicationProtocols("h2", "http/1.1")
                    .withGroups("x25519", "secp256r1", "secp384r1"));
    TlsSettings server =
        libraries
            .serverSettings()
            .withIdentities(new TlsIdentities(Libraries.LOCALHOST, Map.of("other.example", other)))
            .withProtocols(
                TlsProtocols.DEFAULT.withApplicationProtocols("http/1.1").withGroups("secp384r1"));
    List<Integer> flights = new ArrayList<>();
    try (EnginePair pair = Libraries.pair(client, server, "other.example")) {
      pair.through(
              (toServer, _, bytes) -> {
                if (toServer && !pair.server().engine().isOpen()) {
                  flights.add(bytes.length);
                }
                return List.of(bytes);
              })
          .handshake();
      assertOpen(pair);
      assertTrue(flights.size() >= 3, () -> "the hello was not repeated: " + flights);
      for (EnginePair.Peer peer : List.of(pair.client(), pair.server())) {
        TlsSession session = peer.engine().session();
        assertEquals("http/1.1", session.applicationProtocol());
        assertEquals("other.example", session.serverName());
      }
    }
  }
}

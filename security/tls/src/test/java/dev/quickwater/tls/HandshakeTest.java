package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.quickwater.tls.TlsProtocols.Version;
import dev.quickwater.tls.testing.EnginePair;
import dev.quickwater.tls.testing.Libraries;
import dev.quickwater.tls.testing.SuiteTest;
import dev.quickwater.tls.testing.TestCa;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a handshake agrees on, and handshakes that are split at any byte.
final class HandshakeTest extends SuiteTest {

  private EnginePair pair(TlsProtocols client, TlsProtocols server) {
    return Libraries.pair(
        libraries.clientSettings().withProtocols(client),
        libraries.serverSettings().withProtocols(server),
        "localhost");
  }

  @Test
  void defaultsAgreeOnTls13() throws Exception {
    try (EnginePair pair = pair(TlsProtocols.DEFAULT, TlsProtocols.DEFAULT).handshake()) {
      assertOpen(pair);
      TlsSession client = pair.client().engine().session();
      TlsSession server = pair.server().engine().session();
      assertEquals("TLSv1.3", client.version());
      assertEquals("TLSv1.3", server.version());
      assertEquals("TLS_AES_128_GCM_SHA256", client.cipherSuite());
      assertEquals("TLS_AES_128_GCM_SHA256", server.cipherSuite());
      assertEquals(libraries.client(), client.library());
      assertEquals(libraries.server(), server.library());
      assertEquals("localhost", server.serverName());
      assertFalse(client.resumed());
      assertFalse(server.resumed());
      assertEquals(Libraries.LOCALHOST.chain(), List.of(client.ssl().getPeerCertificates()));
    }
  }

  @Test
  void oneSideWithTls12AgreesOnTls12() {
    try (EnginePair pair =
        pair(Libraries.only(Version.TLS_1_2), TlsProtocols.DEFAULT).handshake()) {
      assertOpen(pair);
      assertEquals("TLSv1.2", pair.client().engine().session().version());
    }
    try (EnginePair pair =
        pair(TlsProtocols.DEFAULT, Libraries.only(Version.TLS_1_2)).handshake()) {
      assertOpen(pair);
      assertEquals("TLSv1.2", pair.server().engine().session().version());
    }
  }

  @Test
  void everyDefaultCipherSuiteWorks() {
    TlsIdentity rsa =
        Libraries.CA.issue(
            new TestCa.Issue("rsa").withNames("localhost").withKey(TestCa.KeyType.RSA_2048));
    for (String suite : TlsProtocols.DEFAULT.cipherSuites()) {
      boolean isTls13 = !suite.contains("_WITH_");
      TlsProtocols protocols =
          Libraries.only(isTls13 ? Version.TLS_1_3 : Version.TLS_1_2).withCipherSuites(suite);
      TlsIdentity identity = suite.contains("_RSA_") ? rsa : Libraries.LOCALHOST;
      try (EnginePair pair =
          Libraries.pair(
              libraries.clientSettings().withProtocols(protocols),
              libraries
                  .serverSettings()
                  .withIdentities(TlsIdentities.of(identity))
                  .withProtocols(protocols),
              "localhost")) {
        assertOpen(pair.handshake());
        assertEquals(suite, pair.client().engine().session().cipherSuite());
        assertEquals(suite, pair.server().engine().session().cipherSuite());
        pair.exchange(pair.client().write(new byte[3000]), pair.server().write(new byte[5]));
        assertEquals(3000, pair.server().received().length, suite);
        assertEquals(5, pair.client().received().length, suite);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyTypeOfKeyWorks(TestCa.KeyType type) {
    TlsIdentity identity =
        Libraries.CA.issue(new TestCa.Issue("key").withNames("localhost").withKey(type));
    for (Version version : Version.values()) {
      try (EnginePair pair =
          Libraries.pair(
              libraries.clientSettings().withProtocols(Libraries.only(version)),
              libraries.serverSettings().withIdentities(TlsIdentities.of(identity)),
              "localhost")) {
        assertOpen(pair.handshake());
      }
    }
  }

  @Test
  void groupsAreUsed() {
    TlsProtocols protocols = TlsProtocols.DEFAULT.withGroups("secp384r1");
    try (EnginePair pair = pair(protocols, TlsProtocols.DEFAULT)) {
      assertOpen(pair.handshake());
    }
    // The server does not accept the key share that the client guessed: HelloRetryRequest.
    try (EnginePair pair = pair(TlsProtocols.DEFAULT, protocols)) {
      assertOpen(pair.handshake());
    }
  }

  @ParameterizedTest
  @EnumSource
  void noCommonVersionIsRefused(Version version) {
    Version other = version == Version.TLS_1_2 ? Version.TLS_1_3 : Version.TLS_1_2;
    try (EnginePair pair = pair(Libraries.only(version), Libraries.only(other)).handshake()) {
      assertRefuses(pair.server(), TlsAlert.PROTOCOL_VERSION, "versions");
      assertRefused(pair.client(), TlsAlert.PROTOCOL_VERSION);
    }
  }

  @ParameterizedTest
  @EnumSource
  void noCommonCipherSuiteIsRefused(Version version) {
    TlsProtocols client =
        Libraries.only(version)
            .withCipherSuites("TLS_AES_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
    TlsProtocols server =
        Libraries.only(version)
            .withCipherSuites("TLS_AES_256_GCM_SHA384", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384");
    try (EnginePair pair = pair(client, server).handshake()) {
      assertRefuses(pair.server(), TlsAlert.HANDSHAKE_FAILURE, "cipherSuites");
      assertRefused(pair.client(), TlsAlert.HANDSHAKE_FAILURE);
    }
  }

  @Test
  void serverPrefersItsFirstApplicationProtocol() {
    for (Version version : Version.values()) {
      TlsProtocols base = Libraries.only(version);
      try (EnginePair pair =
          pair(
                  base.withApplicationProtocols("http/1.1", "h2"),
                  base.withApplicationProtocols("h2", "http/1.1"))
              .handshake()) {
        assertOpen(pair);
        assertEquals("h2", pair.client().engine().session().applicationProtocol());
        assertEquals("h2", pair.server().engine().session().applicationProtocol());
      }
    }
  }

  @Test
  void noApplicationProtocolIfOneSideHasNone() {
    TlsProtocols h2 = TlsProtocols.DEFAULT.withApplicationProtocols("h2");
    for (boolean client : new boolean[] {true, false}) {
      try (EnginePair pair =
          pair(client ? h2 : TlsProtocols.DEFAULT, client ? TlsProtocols.DEFAULT : h2)
              .handshake()) {
        assertOpen(pair);
        assertNull(pair.client().engine().session().applicationProtocol());
        assertNull(pair.server().engine().session().applicationProtocol());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void noCommonApplicationProtocolIsRefused(Version version) {
    TlsProtocols base = Libraries.only(version);
    try (EnginePair pair =
        pair(base.withApplicationProtocols("h2"), base.withApplicationProtocols("mqtt"))
            .handshake()) {
      assertRefuses(pair.server(), TlsAlert.NO_APPLICATION_PROTOCOL, "applicationProtocols");
      assertRefused(pair.client(), TlsAlert.NO_APPLICATION_PROTOCOL);
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneByteAtATimeOpens(Version version) {
    TlsProtocols protocols = Libraries.only(version);
    try (EnginePair pair = pair(protocols, protocols)) {
      pair.through((_, _, bytes) -> single(bytes)).handshake();
      assertOpen(pair);
      byte[] data = {1, 2, 3};
      pair.exchange(pair.client().write(data), pair.server().write(data));
      assertArrayEquals(data, pair.server().received());
      assertArrayEquals(data, pair.client().received());
    }
  }

  private static List<byte[]> single(byte[] bytes) {
    List<byte[]> pieces = new ArrayList<>();
    for (byte b : bytes) {
      pieces.add(new byte[] {b});
    }
    return pieces;
  }

  @ParameterizedTest
  @EnumSource
  void everySplitOpens(Version version) {
    TlsSettings client =
        libraries
            .clientSettings()
            .withSessions(TlsSessions.OFF)
            .withProtocols(Libraries.only(version));
    try (TlsContext clients = TlsContext.client(client);
        TlsContext servers = TlsContext.server(libraries.serverSettings())) {
      for (boolean direction : new boolean[] {true, false}) {
        int cut = 1;
        for (boolean found = true; found; cut++) {
          found = splitOpens(clients, servers, direction, cut);
        }
      }
    }
  }

  /// Splits all flights of one direction; false if all of them are shorter.
  private static boolean splitOpens(
      TlsContext clients, TlsContext servers, boolean direction, int cut) {
    boolean[] found = new boolean[1];
    try (EnginePair pair = new EnginePair(clients, servers, "localhost", 443)) {
      pair.through(
              (toServer, _, bytes) -> {
                if (toServer != direction || cut >= bytes.length) {
                  return List.of(bytes);
                }
                found[0] = true;
                return List.of(
                    Arrays.copyOf(bytes, cut), Arrays.copyOfRange(bytes, cut, bytes.length));
              })
          .handshake();
      assertOpen(pair);
    }
    return found[0];
  }

  @Test
  void plaintextIsRefusedBeforeTheHandshake() {
    try (EnginePair pair = pair(TlsProtocols.DEFAULT, TlsProtocols.DEFAULT)) {
      pair.client().start();
      assertThrows(IllegalStateException.class, () -> pair.client().write(new byte[1]));
      assertThrows(IllegalStateException.class, () -> pair.server().write(new byte[1]));
      assertThrows(IllegalStateException.class, () -> pair.client().engine().session());
    }
  }
}

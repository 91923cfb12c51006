package dev.quickwater.tls.openssl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsContext;
import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.TlsIdentities;
import dev.quickwater.tls.TlsLibrary;
import dev.quickwater.tls.TlsProtocols;
import dev.quickwater.tls.TlsProtocols.Version;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.tls.TlsTrust;
import dev.quickwater.tls.TlsTrust.ClientAuth;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OpenSslHandshakeTest {

  private static TlsSettings with(TlsSettings settings, Version version) {
    return settings.withProtocols(settings.protocols().withVersions(version));
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void bothSidesAgreeAndExchangeData(Version version) throws Exception {
    try (Pair pair = Pair.connected(with(TestKeys.client(), version), TestKeys.server())) {
      assertNull(pair.clientFailure);
      assertNull(pair.serverFailure);
      assertTrue(pair.client.isOpen());
      assertTrue(pair.server.isOpen());
      assertEquals(version.toString(), pair.client.session().version());
      assertEquals(pair.client.session().cipherSuite(), pair.server.session().cipherSuite());
      assertEquals("localhost", pair.server.session().serverName());
      assertEquals(TlsLibrary.OPENSSL, pair.server.session().library());
      assertEquals(
          TestKeys.identity("ec").chain().getFirst(),
          pair.client.session().ssl().getPeerCertificates()[0]);
      pair.client.write(ByteBuf.utf8("request"));
      pair.server.write(ByteBuf.utf8("response"));
      pair.exchange();
      assertEquals("request", pair.serverReceived.toString(UTF_8));
      assertEquals("response", pair.clientReceived.toString(UTF_8));
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void megabytesInNativeAndArrayBuffersArriveUnchanged(Version version) throws Exception {
    byte[] data = new byte[3_000_000];
    new Random(1).nextBytes(data);
    try (Pair pair = Pair.connected(with(TestKeys.client(), version), TestKeys.server())) {
      pair.client.write(ByteBuf.wrap(data));
      pair.server.write(ByteBufAllocator.shared().allocate(data.length).writeBytes(data));
      pair.exchange();
      assertArrayEquals(data, pair.serverReceived.toByteArray());
      assertArrayEquals(data, pair.clientReceived.toByteArray());
    }
  }

  @Test
  void recordsInArraysAreProcessed() throws Exception {
    try (TlsContext c = TlsContext.client(TestKeys.client());
        TlsContext s = TlsContext.server(TestKeys.server())) {
      var client = c.connect("localhost", 443, ByteBufAllocator.arrays());
      var server = s.accept(ByteBufAllocator.arrays());
      client.start();
      for (int i = 0; i < 4; i++) {
        ByteBuf toServer = client.takeOutput();
        if (toServer != null) {
          server.receive(toServer);
          assertNull(server.read());
        }
        ByteBuf toClient = server.takeOutput();
        if (toClient != null) {
          client.receive(toClient);
          assertNull(client.read());
        }
      }
      byte[] data = new byte[100_000];
      new Random(2).nextBytes(data);
      client.write(ByteBuf.wrap(data));
      server.receive(client.takeOutput());
      byte[] received = new byte[data.length];
      int count = 0;
      for (ByteBuf part = server.read(); part != null; part = server.read()) {
        int length = part.readableBytes();
        part.readBytes(received, count, length);
        count += length;
        part.release();
      }
      assertArrayEquals(data, received);
      client.close();
      server.close();
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void closeNotifyEndsOneDirection(Version version) throws Exception {
    try (Pair pair = Pair.connected(with(TestKeys.client(), version), TestKeys.server())) {
      pair.client.endOutput();
      pair.exchange();
      assertTrue(pair.server.isInputEnded());
      assertFalse(pair.client.isInputEnded());
      pair.server.write(ByteBuf.utf8("late"));
      pair.server.endOutput();
      pair.exchange();
      assertEquals("late", pair.clientReceived.toString(UTF_8));
      assertTrue(pair.client.isInputEnded());
      assertNull(pair.clientFailure);
      assertNull(pair.serverFailure);
    }
  }

  @Test
  void firstCommonProtocolOfTheServerIsSelected() throws Exception {
    var client = withProtocols(TestKeys.client(), "http/1.1", "h2");
    try (Pair pair =
        Pair.connected(client, withProtocols(TestKeys.server(), "x", "h2", "http/1.1"))) {
      assertEquals("h2", pair.client.session().applicationProtocol());
      assertEquals("h2", pair.server.session().applicationProtocol());
    }
    try (Pair pair = Pair.connected(TestKeys.client(), withProtocols(TestKeys.server(), "h2"))) {
      assertNull(pair.server.session().applicationProtocol());
    }
  }

  private static TlsSettings withProtocols(TlsSettings settings, String... protocols) {
    return settings.withProtocols(settings.protocols().withApplicationProtocols(protocols));
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void withoutCommonProtocolTheHandshakeFails(Version version) {
    var client = with(withProtocols(TestKeys.client(), "h2"), version);
    try (Pair pair = Pair.connected(client, withProtocols(TestKeys.server(), "mqtt"))) {
      requireRefused(pair, true, TlsAlert.NO_APPLICATION_PROTOCOL);
    }
  }

  /// One side refuses and the other receives the same alert.
  private static void requireRefused(Pair pair, boolean byServer, TlsAlert alert) {
    TlsException refusing = byServer ? pair.serverFailure : pair.clientFailure;
    TlsException refused = byServer ? pair.clientFailure : pair.serverFailure;
    assertNotNull(refusing);
    assertEquals(TlsException.Side.LOCAL, refusing.side(), refusing.toString());
    assertEquals(alert, refusing.alert(), refusing.toString());
    assertNotNull(refused, "the peer received no alert");
    assertEquals(TlsException.Side.PEER, refused.side(), refused.toString());
    assertEquals(alert, refused.alert(), refused.toString());
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void unknownAuthorityIsRefused(Version version) {
    TlsTrust other =
        TlsTrust.DEFAULT.withCertificates(TestKeys.identity("client").chain().getFirst());
    try (Pair pair =
        Pair.connected(with(TestKeys.client().withTrust(other), version), TestKeys.server())) {
      requireRefused(pair, false, TlsAlert.UNKNOWN_CA);
      assertFalse(pair.client.isOpen());
      assertFalse(pair.server.isOpen() && version == Version.TLS_1_2);
    }
  }

  @Test
  void noCommonVersionIsRefused() {
    var client = with(TestKeys.client(), Version.TLS_1_2);
    try (Pair pair = Pair.connected(client, with(TestKeys.server(), Version.TLS_1_3))) {
      requireRefused(pair, true, TlsAlert.PROTOCOL_VERSION);
    }
  }

  @Test
  void noCommonSuiteIsRefused() {
    TlsSettings server = TestKeys.server();
    TlsSettings client = TestKeys.client();
    server =
        server.withProtocols(
            server.protocols().withCipherSuites("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"));
    client =
        client.withProtocols(
            client.protocols().withCipherSuites("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"));
    try (Pair pair = Pair.connected(client, server)) {
      requireRefused(pair, true, TlsAlert.HANDSHAKE_FAILURE);
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void clientCertificateIsVerified(Version version) throws Exception {
    TlsTrust trust = TestKeys.client().trust().withClientAuth(ClientAuth.REQUIRED);
    TlsSettings client =
        with(TestKeys.client(), version)
            .withIdentities(TlsIdentities.of(TestKeys.identity("client")));
    try (Pair pair = Pair.connected(client, TestKeys.server().withTrust(trust))) {
      assertNull(pair.serverFailure);
      assertEquals(
          TestKeys.identity("client").chain().getFirst(),
          pair.server.session().ssl().getPeerCertificates()[0]);
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void clientWithoutRequiredCertificateIsRefused(Version version) {
    TlsTrust trust = TestKeys.client().trust().withClientAuth(ClientAuth.REQUIRED);
    var client = with(TestKeys.client(), version);
    try (Pair pair = Pair.connected(client, TestKeys.server().withTrust(trust))) {
      boolean old = version == Version.TLS_1_2;
      requireRefused(pair, true, old ? TlsAlert.HANDSHAKE_FAILURE : TlsAlert.CERTIFICATE_REQUIRED);
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void untrustedClientIsRefused(Version version) {
    TlsTrust trust =
        TlsTrust.DEFAULT
            .withCertificates(TestKeys.identity("rsa").chain().getFirst())
            .withClientAuth(ClientAuth.OPTIONAL);
    var client = with(TestKeys.client(), version);
    try (Pair pair = Pair.connected(client, TestKeys.server().withTrust(trust))) {
      assertNull(pair.serverFailure, "no certificate is needed");
    }
    client = client.withIdentities(TlsIdentities.of(TestKeys.identity("client")));
    try (Pair pair = Pair.connected(client, TestKeys.server().withTrust(trust))) {
      requireRefused(pair, true, TlsAlert.UNKNOWN_CA);
    }
  }

  @Test
  void requestedNameSelectsTheIdentity() throws Exception {
    var identities =
        new TlsIdentities(
            null,
            Map.of(
                "localhost", TestKeys.identity("rsa"), "*.example.com", TestKeys.identity("ec")));
    try (TlsContext server = TlsContext.server(TestKeys.server().withIdentities(identities));
        TlsContext client = TlsContext.client(TestKeys.client())) {
      try (Pair pair = new Pair(client, server, "localhost").exchange()) {
        assertEquals(
            TestKeys.identity("rsa").chain().getFirst(),
            pair.client.session().ssl().getPeerCertificates()[0]);
      }
      try (Pair pair = new Pair(client, server, "other.org").exchange()) {
        requireRefused(pair, true, TlsAlert.UNRECOGNIZED_NAME);
      }
      try (Pair pair = new Pair(client, server, "127.0.0.1").exchange()) {
        requireRefused(pair, true, TlsAlert.UNRECOGNIZED_NAME);
      }
    }
  }

  @Test
  void unknownSuiteAndGroupAreNamed() {
    TlsProtocols unknown = TlsProtocols.DEFAULT.withCipherSuites("TLS_NO_SUCH_SUITE");
    requireRefusedSetting(
        TestKeys.server().withProtocols(unknown), "cipherSuites has TLS_NO_SUCH_SUITE");
    TlsProtocols group = TlsProtocols.DEFAULT.withGroups("x25519", "no-such-group");
    requireRefusedSetting(
        TestKeys.server().withProtocols(group), "groups: OpenSSL does not accept");
  }

  private static void requireRefusedSetting(TlsSettings settings, String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> TlsContext.server(settings))
            .getMessage();
    assertTrue(message.contains(text), message);
  }

  @Test
  void truncatedConnectionIsReported() {
    try (Pair pair = Pair.connected(TestKeys.client(), TestKeys.server())) {
      TlsException e = assertThrows(TlsException.class, pair.client::endInput);
      assertTrue(e.isTruncation());
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void changedRecordIsRefused(Version version) throws Exception {
    try (Pair pair = Pair.connected(with(TestKeys.client(), version), TestKeys.server())) {
      pair.client.write(ByteBuf.utf8("request"));
      ByteBuf records = pair.client.takeOutput();
      int last = records.writerIndex() - 1;
      records.setByte(last, records.getByte(last) ^ 1);
      pair.server.receive(records);
      pair.exchange();
      TlsException e = assertThrows(TlsException.class, pair.server::read);
      assertEquals(TlsAlert.BAD_RECORD_MAC, e.alert(), e.toString());
      pair.exchange();
      assertEquals(TlsAlert.BAD_RECORD_MAC, pair.clientFailure.alert());
    }
  }

  @Test
  void descriptionHasTheVersion() {
    try (TlsContext context = TlsContext.client(TestKeys.client())) {
      assertTrue(context.description().startsWith("OpenSSL "), context.description());
    }
  }
}

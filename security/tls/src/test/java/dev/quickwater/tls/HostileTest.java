package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.tls.TlsProtocols.Version;
import dev.quickwater.tls.testing.EnginePair;
import dev.quickwater.tls.testing.Libraries;
import dev.quickwater.tls.testing.RawPeer;
import dev.quickwater.tls.testing.SuiteTest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A peer that violates the protocol: it gets no open connection and no memory for bytes that it
/// only announces, and causes no exception other than [TlsException].
final class HostileTest extends SuiteTest {

  private static final int ALERT_RECORD = 21;

  private EnginePair.Peer server() {
    return new EnginePair.Peer(
        TlsContext.server(libraries.serverSettings()).accept(ByteBufAllocator.shared()));
  }

  private EnginePair open(Version version) {
    EnginePair pair =
        Libraries.pair(
            libraries.clientSettings().withProtocols(Libraries.only(version)),
            libraries.serverSettings(),
            "localhost");
    assertOpen(pair.handshake());
    return pair;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void plaintextRequestIsNamed() {
    try (EnginePair.Peer server = server()) {
      server.start();
      byte[] answer = server.receive(ascii("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
      assertRefuses(server, TlsAlert.UNEXPECTED_MESSAGE, "plaintext");
      assertEquals("1503030002020a", HexFormat.of().formatHex(answer));
    }
  }

  /// RFC 7507: an attacker who disturbs the first handshake must not get an older version.
  @Test
  void fallbackFromTls13IsRefused() {
    String hello = "0303" + "07".repeat(32) + "00" + "0004c02b5600" + "0100" + "0000";
    String message = "010000" + HexFormat.of().toHexDigits((byte) (hello.length() / 2)) + hello;
    String length = HexFormat.of().toHexDigits((short) (message.length() / 2));
    try (EnginePair.Peer server = server()) {
      server.start();
      byte[] answer = server.receive(HexFormat.of().parseHex("160301" + length + message));
      assertEquals("15030300020256", HexFormat.of().formatHex(answer).replace("150301", "150303"));
      assertNotNull(server.failure());
      assertEquals(TlsAlert.INAPPROPRIATE_FALLBACK, server.failure().alert());
    }
  }

  @Test
  void ssl2HelloIsNamed() {
    try (EnginePair.Peer server = server()) {
      server.start();
      server.receive(HexFormat.of().parseHex("802e0100020015000000100100800300800700c0"));
      assertRefuses(server, TlsAlert.UNEXPECTED_MESSAGE, "SSL 2.0");
    }
  }

  @Test
  void announcedClientHelloCostsNoMemory() {
    try (EnginePair.Peer server = server()) {
      server.start();
      server.receive(HexFormat.of().parseHex("160301000401ffffff"));
      assertRefuses(server, TlsAlert.ILLEGAL_PARAMETER, "maxClientHello");
    }
  }

  @Test
  void handshakeWithoutEndIsRefused() throws TlsException {
    try (EnginePair.Peer server = server()) {
      server.start();
      // A ClientHello of 64,000 bytes in records of one byte.
      server.receive(HexFormat.of().parseHex("160301000401" + "00fa00"));
      for (int i = 0; i < 64_000 && server.failure() == null; i++) {
        server.receive(HexFormat.of().parseHex("160301000103"));
      }
      assertRefuses(server, TlsAlert.HANDSHAKE_FAILURE, "maxHandshake");
    }
  }

  @ParameterizedTest
  @EnumSource
  void longRecordIsRefused(Version version) {
    try (EnginePair pair = open(version)) {
      pair.exchange(HexFormat.of().parseHex("1703034801"), new byte[0]);
      assertFails(pair.server(), TlsAlert.RECORD_OVERFLOW, "18433");
      assertRefused(pair.client(), TlsAlert.BAD_RECORD_MAC);
    }
  }

  @ParameterizedTest
  @EnumSource
  void unknownRecordTypeIsRefusedOnBothSides(Version version) {
    for (boolean toServer : new boolean[] {true, false}) {
      try (EnginePair pair = open(version)) {
        byte[] record = HexFormat.of().parseHex("6303030001" + "00");
        pair.exchange(toServer ? record : new byte[0], toServer ? new byte[0] : record);
        EnginePair.Peer receiver = toServer ? pair.server() : pair.client();
        assertFails(receiver, TlsAlert.UNEXPECTED_MESSAGE, "unknown type 99");
        assertRefused(toServer ? pair.client() : pair.server(), TlsAlert.BAD_RECORD_MAC);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void handshakeAboveTheLimitIsRefusedWithAnAlert(Version version) {
    TlsLimits limits = TlsLimits.DEFAULT.withMaxClientHello(1024).withMaxHandshake(1024);
    TlsSettings server =
        libraries
            .serverSettings()
            .withEngine(
                TlsEngineSettings.DEFAULT.withLibrary(libraries.server()).withLimits(limits))
            .withTrust(
                TlsTrust.DEFAULT
                    .withCertificates(Libraries.CA.certificate())
                    .withClientAuth(TlsTrust.ClientAuth.REQUIRED));
    TlsIdentity large =
        Libraries.CA.intermediate("Intermediate").intermediate("Below").issue("client");
    TlsSettings client =
        libraries
            .clientSettings()
            .withIdentities(TlsIdentities.of(large))
            .withProtocols(Libraries.only(version));
    try (EnginePair pair = Libraries.pair(client, server, "localhost").handshake()) {
      assertRefuses(pair.server(), TlsAlert.HANDSHAKE_FAILURE, "maxHandshake");
      TlsException refused = pair.client().failure();
      assertNotNull(refused);
      assertEquals(TlsException.Side.PEER, refused.side(), refused::toString);
    }
  }

  @Test
  void clientRefusesPlaintextWithAnAlert() {
    try (EnginePair.Peer client =
        new EnginePair.Peer(
            TlsContext.client(libraries.clientSettings())
                .connect("localhost", 443, ByteBufAllocator.shared()))) {
      client.start();
      byte[] answer = client.receive(ascii("HTTP/1.1 400 Bad Request\r\n\r\n"));
      assertRefuses(client, TlsAlert.UNEXPECTED_MESSAGE, "plaintext");
      assertEquals(ALERT_RECORD, answer[0]);
    }
  }

  @ParameterizedTest
  @EnumSource
  void changedRecordIsRefused(Version version) {
    for (boolean toServer : new boolean[] {true, false}) {
      try (EnginePair pair = open(version)) {
        EnginePair.Peer sender = toServer ? pair.client() : pair.server();
        EnginePair.Peer receiver = toServer ? pair.server() : pair.client();
        byte[] record = sender.write(new byte[100]);
        record[50] ^= 1;
        pair.exchange(toServer ? record : new byte[0], toServer ? new byte[0] : record);
        assertFails(receiver, TlsAlert.BAD_RECORD_MAC, "");
        assertRefused(sender, TlsAlert.BAD_RECORD_MAC);
        assertEquals(0, receiver.received().length);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void repeatedRecordIsRefused(Version version) {
    try (EnginePair pair = open(version)) {
      byte[] record = pair.client().write(new byte[100]);
      pair.exchange(record, new byte[0]);
      pair.exchange(record, new byte[0]);
      assertFails(pair.server(), TlsAlert.BAD_RECORD_MAC, "");
      assertEquals(100, pair.server().received().length);
    }
  }

  @Test
  void plaintextAlertOnAnOpenConnectionIsRefused() {
    try (EnginePair pair = open(Version.TLS_1_3)) {
      pair.exchange(HexFormat.of().parseHex("15030300020100"), new byte[0]);
      assertNotNull(pair.server().failure());
      assertFalse(pair.server().engine().isInputEnded());
    }
  }

  @ParameterizedTest
  @EnumSource
  void failureIsFinal(Version version) {
    try (EnginePair pair = open(version)) {
      byte[] good = pair.client().write(new byte[10]);
      byte[] bad = good.clone();
      bad[good.length - 1] ^= 1;
      pair.server().receive(bad);
      TlsException failure = pair.server().failure();
      assertNotNull(failure);
      assertEquals(0, pair.server().receive(good).length);
      assertEquals(failure, assertThrows(TlsException.class, () -> pair.server().engine().read()));
      pair.server().write(new byte[1]);
      assertEquals(failure, pair.server().failure());
      assertEquals(0, pair.server().received().length);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyChangedBitOfTheHandshakeIsRefused(Version version) {
    TlsSettings client =
        libraries
            .clientSettings()
            .withSessions(TlsSessions.OFF)
            .withProtocols(Libraries.only(version).withApplicationProtocols("h2"));
    TlsSettings server =
        libraries
            .serverSettings()
            .withProtocols(TlsProtocols.DEFAULT.withApplicationProtocols("h2"));
    try (TlsContext clients = TlsContext.client(client);
        TlsContext servers = TlsContext.server(server)) {
      for (boolean direction : new boolean[] {true, false}) {
        for (int flight = 0; flight < 2; flight++) {
          int at = 0;
          for (boolean found = true; found; at++) {
            found = changeOneBit(clients, servers, direction, flight, at);
          }
        }
      }
    }
  }

  /// Changes one bit of a flight; false if the flight is shorter or does not belong to the
  /// handshake.
  private static boolean changeOneBit(
      TlsContext clients, TlsContext servers, boolean direction, int flight, int at) {
    boolean[] found = new boolean[1];
    boolean[] ignored = new boolean[1];
    try (EnginePair pair = new EnginePair(clients, servers, "localhost", 443)) {
      pair.through(
              (toServer, number, bytes) -> {
                EnginePair.Peer sender = toServer ? pair.client() : pair.server();
                EnginePair.Peer receiver = toServer ? pair.server() : pair.client();
                boolean complete = sender.engine().isOpen() && receiver.engine().isOpen();
                if (toServer == direction && number == flight && at < bytes.length && !complete) {
                  found[0] = true;
                  ignored[0] = isVersionOfRecord(bytes, at);
                  bytes[at] ^= (byte) (1 << at % 8);
                }
                return List.of(bytes);
              })
          .handshake();
      if (found[0] && !ignored[0]) {
        String place = (direction ? "to server" : "to client") + ", flight " + flight + " at " + at;
        assertFalse(pair.isOpen(), "opened: " + place);
        assertEnds(pair.client(), place);
        assertEnds(pair.server(), place);
      }
    }
    return found[0];
  }

  /// The version in the header of a record has no meaning (RFC 8446 section 5.1), and is not
  /// authenticated while there is no encryption.
  private static boolean isVersionOfRecord(byte[] bytes, int index) {
    int record = 0;
    while (record + 5 <= bytes.length) {
      if (index == record + 2) {
        return true;
      }
      record += 5 + ((bytes[record + 3] & 0xff) << 8 | bytes[record + 4] & 0xff);
    }
    return false;
  }

  /// A side that still waits for bytes reports that they are missing.
  private static void assertEnds(EnginePair.Peer peer, String place) {
    if (peer.failure() == null) {
      TlsException end = assertThrows(TlsException.class, () -> peer.engine().endInput(), place);
      assertTrue(end.isTruncation(), place);
    }
  }

  @Test
  void keyUpdatesWorkAndAreCounted() throws SSLException {
    try (EnginePair.Peer server = server()) {
      RawPeer client = RawPeer.client("TLSv1.3").open(server, true);
      for (int i = 0; i < 5; i++) {
        // The answer may follow with the next data.
        client.receive(server.receive(client.handshake()));
        server.receive(client.record((byte) 1));
        client.receive(server.write(new byte[10]));
      }
      assertEquals(5, server.received().length);
      for (int i = 0; i <= TlsLimits.DEFAULT.maxEmptyRecords() && server.failure() == null; i++) {
        byte[] answer = server.receive(client.handshake());
        if (server.failure() == null) {
          client.receive(answer);
        }
      }
      assertFails(server, TlsAlert.UNEXPECTED_MESSAGE, "maxEmptyRecords");
    }
  }

  @Test
  void keyUpdatesInOneCallAreCounted() throws SSLException {
    try (EnginePair.Peer server = server()) {
      RawPeer client = RawPeer.client("TLSv1.3").open(server, true);
      ByteArrayOutputStream flood = new ByteArrayOutputStream();
      for (int i = 0; i <= TlsLimits.DEFAULT.maxEmptyRecords(); i++) {
        flood.writeBytes(client.handshake());
      }
      byte[] answer = server.receive(flood.toByteArray());
      assertFails(server, TlsAlert.UNEXPECTED_MESSAGE, "maxEmptyRecords");
      SSLException refused = assertThrows(SSLException.class, () -> client.receive(answer));
      assertTrue(refused.getMessage().contains("bad_record_mac"), refused::getMessage);
    }
  }

  @Test
  void renegotiationOfAClientIsRefused() throws SSLException {
    try (EnginePair.Peer server = server()) {
      RawPeer client = RawPeer.client("TLSv1.2").open(server, true);
      byte[] answer = server.receive(client.handshake());
      assertRenegotiationRefused(libraries.server(), server, answer);
    }
  }

  /// OpenSSL answers with the warning no_renegotiation, and the connection remains open (RFC 5246
  /// section 7.2.2).
  private static void assertRenegotiationRefused(
      TlsLibrary library, EnginePair.Peer peer, byte[] answer) {
    assertEquals(ALERT_RECORD, answer[0]);
    int length = 5 + ((answer[3] & 0xff) << 8 | answer[4] & 0xff);
    assertEquals(length, answer.length, "more than an alert");
    if (library == TlsLibrary.JDK) {
      assertFails(peer, TlsAlert.HANDSHAKE_FAILURE, "renegotiation");
    }
  }

  @Test
  void renegotiationOfAServerIsRefused() throws SSLException {
    RawPeer server = RawPeer.server(Libraries.LOCALHOST, "TLSv1.2");
    try (EnginePair.Peer client =
        new EnginePair.Peer(
            TlsContext.client(libraries.clientSettings())
                .connect("localhost", 443, ByteBufAllocator.shared()))) {
      server.open(client, false);
      assertTrue(client.engine().isOpen());
      byte[] answer = client.receive(server.handshake());
      assertRenegotiationRefused(libraries.client(), client, answer);
    }
  }

  @Test
  void randomBytesNeverThrowAnythingElse() {
    Random random = new Random(7);
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = new byte[1 + random.nextInt(300)];
      random.nextBytes(bytes);
      byte[] record =
          HexFormat.of().parseHex("160303" + HexFormat.of().toHexDigits(bytes.length, 4));
      byte[] all = Arrays.copyOf(record, 5 + bytes.length);
      System.arraycopy(bytes, 0, all, 5, bytes.length);
      try (EnginePair.Peer server = server()) {
        server.start();
        server.receive(all);
        assertFalse(server.engine().isOpen());
      }
    }
  }
}

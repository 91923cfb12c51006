package dev.quickwater.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.codec.verify.CodecVerifier;
import dev.quickwater.codec.verify.Decoding;
import dev.quickwater.codec.verify.Events;
import dev.quickwater.codec.verify.Outcome;
import dev.quickwater.proxy.ProxyHeader.Command;
import dev.quickwater.proxy.ProxyHeader.Transport;
import dev.quickwater.util.net.AbstractUnixAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Headers of both versions, each split at every place, and what a hostile sender makes of them.
final class ProxyHeaderReaderTest {

  /// Version 2, PROXY, TCP over IPv4; the length follows.
  private static final String TCP4 = "0d0a0d0a000d0a515549540a" + "2111";

  /// 192.0.2.1 and 192.0.2.2, the ports 1 and 2.
  private static final String ADDRESSES = "c0000201" + "c0000202" + "0001" + "0002";

  private static final CodecVerifier VERIFIER = CodecVerifier.of(Beginning::new);

  /// The beginning of a connection: what follows the header belongs to another protocol.
  private static final class Beginning implements Decoding {
    private boolean complete;

    @Override
    public void decode(ByteBuf in, Events events) throws ProxyProtocolException {
      if (!complete) {
        @Nullable ProxyHeader header = ProxyHeaderReader.read(in);
        if (header == null) {
          return;
        }
        complete = true;
        events.event(header);
      }
      events.content(in, in.readableBytes());
    }
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  private static byte[] line(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static InetSocketAddress address(String host, int port) {
    return new InetSocketAddress(InetAddress.ofLiteral(host), port);
  }

  private static ProxyHeader accepted(byte[] bytes) {
    Outcome outcome = VERIFIER.verify(bytes);
    assertNull(outcome.failure());
    assertEquals(0, outcome.left());
    return assertInstanceOf(ProxyHeader.class, outcome.events().getFirst());
  }

  private static void refused(byte[] bytes, String text) {
    Exception failure = VERIFIER.verify(bytes).failure();
    assertInstanceOf(ProxyProtocolException.class, failure);
    assertTrue(failure.getMessage().contains(text), failure::toString);
  }

  private static void incomplete(byte[] bytes) {
    Outcome outcome = VERIFIER.verify(bytes);
    assertNull(outcome.failure());
    assertEquals(List.of(), outcome.events());
  }

  @Test
  void lineNamesTheClient() {
    assertEquals(
        ProxyHeader.of(address("192.0.2.1", 56324), address("192.0.2.2", 443)),
        accepted(line("PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\n")));
    assertEquals(
        ProxyHeader.of(address("2001:db8::1", 0), address("2001:db8::2", 65535)),
        accepted(line("PROXY TCP6 2001:db8::1 2001:db8::2 0 65535\r\n")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PROXY UNKNOWN\r\n",
        "PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535\r\n",
        "PROXY UNKNOWN anything else\r\n"
      })
  void unknownLineHasNoAddress(String text) {
    assertEquals(
        new ProxyHeader(Command.PROXY, Transport.UNKNOWN, null, null, List.of()),
        accepted(line(text)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PROXY TCP4 192.0.2.1 192.0.2.2 1 2 3\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 1\r\n",
        "PROXY TCP4  192.0.2.1 192.0.2.2 1 2\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 1 2 \r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 01 2\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 65536 2\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 -1 2\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 +1 2\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 1 \r\n",
        "PROXY TCP4 192.0.2.01 192.0.2.2 1 2\r\n",
        "PROXY TCP4 192.0.2.256 192.0.2.2 1 2\r\n",
        "PROXY TCP4 2001:db8::1 2001:db8::2 1 2\r\n",
        "PROXY TCP6 192.0.2.1 192.0.2.2 1 2\r\n",
        "PROXY TCP6 fe80::1%eth0 fe80::2 1 2\r\n",
        "PROXY TCP4 localhost localhost 1 2\r\n",
        "PROXY UDP4 192.0.2.1 192.0.2.2 1 2\r\n",
        "PROXY UNKNOWNX\r\n",
        "PROXY \r\n",
        "PROXY tcp4 192.0.2.1 192.0.2.2 1 2\r\n"
      })
  void otherLinesAreRefused(String text) {
    refused(line(text), "malformed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PROXY UNKNOWN a\nb\r\n",
        "PROXY UNKNOWN a\rb\r\n",
        "PROXY UNKNOWN a\u0000b\r\n",
        "PROXY UNKNOWN a\tb\r\n",
        "PROXY UNKNOWN \u00e9\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\r\n"
      })
  void controlCharactersInTheLineAreRefused(String text) {
    refused(line(text), "malformed");
  }

  @Test
  void lineOf107BytesIsTheLongest() {
    String padding = "x".repeat(107 - "PROXY UNKNOWN \r\n".length());
    accepted(line("PROXY UNKNOWN " + padding + "\r\n"));
    refused(line("PROXY UNKNOWN " + padding + "x\r\n"), "107");
    refused(line("PROXY UNKNOWN " + "x".repeat(200_000)), "107");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\n\r\n",
        "PROXX TCP4",
        "POST / HTTP/1.1",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\r\n\r\nX",
        "\u0016\u0003\u0001\u0000",
        "\u0000"
      })
  void connectionWithoutAHeaderIsRefused(String text) {
    refused(line(text), "does not begin");
  }

  @Test
  void beginningsNeedMoreBytes() {
    byte[] header = hex(TCP4 + "000c" + ADDRESSES);
    for (int i = 0; i < header.length; i++) {
      incomplete(Arrays.copyOf(header, i));
    }
    incomplete(line("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r"));
  }

  @Test
  void bytesBehindTheHeaderAreKept() throws ProxyProtocolException {
    byte[] bytes = line("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\nPROXY UNKNOWN\r\nrest");
    ByteBuf in = ByteBuf.wrap(bytes);
    assertNotNull(ProxyHeaderReader.read(in));
    assertEquals("PROXY UNKNOWN\r\nrest".length(), in.readableBytes());
    in.release();
    accepted(bytes);
    accepted(hex(TCP4 + "000c" + ADDRESSES + "16030100"));
  }

  /// Handlers and logs show the address of the client.
  @ParameterizedTest
  @ValueSource(strings = {"/run/a\nb", "\033[2J", "/a\u0085b", "/a\u2028b", "/a\u202eb", "\u007f"})
  void pathWithControlCharactersIsRefused(String path) {
    byte[] padded = Arrays.copyOf(path.getBytes(StandardCharsets.UTF_8), 108);
    String both = HexFormat.of().formatHex(padded) + HexFormat.of().formatHex(new byte[108]);
    refused(hex(TCP4.replace("2111", "2131") + "00d8" + both), "control characters");
  }

  private static Stream<ProxyHeader> headers() {
    SocketAddress path = UnixDomainSocketAddress.of("/run/client.sock");
    SocketAddress name = AbstractUnixAddress.of("client");
    byte[] tls =
        hex("07" + "00000000" + "210007" + "544c5376312e33" + "220003" + "666f6f" + "990000");
    ProxyHeader ipv4 = ProxyHeader.of(address("192.0.2.1", 1), address("192.0.2.2", 65535));
    return Stream.of(
        ipv4,
        ProxyHeader.of(address("2001:db8::1", 1), address("2001:db8::2", 2)),
        ProxyHeader.of(path, name),
        ProxyHeader.of(UnixDomainSocketAddress.of(""), path),
        ProxyHeader.local(),
        new ProxyHeader(Command.PROXY, Transport.UNKNOWN, null, null, List.of()),
        new ProxyHeader(
            Command.PROXY, Transport.DATAGRAM, ipv4.source(), ipv4.destination(), List.of()),
        ipv4.with(ProxyTlv.of(ProxyTlv.ALPN, "h2"))
            .with(ProxyTlv.of(ProxyTlv.AUTHORITY, "example.com"))
            .with(ProxyTlv.of(ProxyTlv.SSL, tls))
            .with(ProxyTlv.of(0xea, new byte[0]))
            .with(ProxyTlv.of(0xea, new byte[300])));
  }

  @ParameterizedTest
  @MethodSource("headers")
  void writtenHeadersAreReadAgain(ProxyHeader header) {
    assertEquals(header, accepted(ProxyHeaderWriter.version2(header)));
    ProxyHeader byLine = accepted(ProxyHeaderWriter.version1(header));
    boolean tcp =
        header.source() instanceof InetSocketAddress && header.transport() == Transport.STREAM;
    assertEquals(tcp ? header.source() : null, byLine.source());
    assertEquals(tcp ? header.destination() : null, byLine.destination());
  }

  @Test
  void fieldsOfTlsAreRead() {
    byte[] tls = hex("03" + "00000001" + "210007" + "544c5376312e33");
    ProxyHeader sent =
        ProxyHeader.of(address("192.0.2.1", 1), address("192.0.2.2", 2))
            .with(ProxyTlv.of(ProxyTlv.SSL, tls));
    ProxyTls read = accepted(ProxyHeaderWriter.version2(sent)).tls();
    assertNotNull(read);
    assertTrue(read.isUsed());
    assertEquals(3, read.client());
    assertEquals(1, read.verify());
    assertEquals("TLSv1.3", read.fields().getFirst().text());
  }

  @Test
  void fieldsAreNestedOnce() {
    String innermost = "200005" + "0100000000";
    refused(hex(TCP4 + "001c" + ADDRESSES + "20000d" + "0100000000" + innermost), "nested twice");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "000d" + ADDRESSES + "01",
        "000e" + ADDRESSES + "0100",
        "000f" + ADDRESSES + "010001",
        "0010" + ADDRESSES + "01ffff00",
        "0012" + ADDRESSES + "200003" + "010000",
        "0017" + ADDRESSES + "200008" + "0100000000" + "210001",
        "000b" + "c0000201c0000202000100",
        "0000"
      })
  void lengthsThatLieAreRefused(String rest) {
    refused(hex(TCP4 + rest), "malformed");
  }

  @Test
  void headerAbove4096BytesIsRefusedBeforeItArrives() {
    refused(hex(TCP4 + "0ff1"), "4096");
    refused(hex(TCP4 + "ffff"), "4096");
    byte[] longest = Arrays.copyOf(hex(TCP4 + "0ff0" + ADDRESSES + "ea0fe1"), 4096);
    assertEquals(1, accepted(longest).fields().size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1111", "2211", "2f11", "2141", "21f1", "2113", "211f", "0011"})
  void unknownVersionsCommandsAndFamiliesAreRefused(String codes) {
    refused(hex("0d0a0d0a000d0a515549540a" + codes + "000c" + ADDRESSES), "malformed");
  }

  @Test
  void everyWrongBitOfACheckedHeaderIsRefused() {
    byte[] good =
        ProxyHeaderWriter.version2(
            ProxyHeader.of(address("192.0.2.1", 1), address("192.0.2.2", 2)));
    // The addresses and the checksum; bytes before them select another form.
    for (int i = 16; i < 28; i++) {
      byte[] changed = good.clone();
      changed[i] ^= (byte) (1 << i % 8);
      refused(changed, "checksum");
    }
    byte[] changed = good.clone();
    changed[good.length - 1] ^= 1;
    refused(changed, "checksum");
    refused(hex(TCP4 + "0011" + ADDRESSES + "0300020000"), "checksum");
    String zero = "03000400000000";
    refused(hex(TCP4 + "001a" + ADDRESSES + zero + zero), "checksum");
  }

  @Test
  void localConnectionIgnoresItsAddresses() {
    byte[] local = hex(TCP4.replace("2111", "2011") + "000f" + ADDRESSES + "ffffff");
    assertEquals(ProxyHeader.local(), accepted(local));
    byte[] unspecified = hex(TCP4.replace("2111", "2100") + "0003" + "ffffff");
    assertNull(accepted(unspecified).source());
  }

  @Test
  void impossibleHeadersCannotBeWritten() {
    ProxyHeader mixed = ProxyHeader.of(address("192.0.2.1", 1), address("2001:db8::1", 2));
    assertThrows(IllegalArgumentException.class, () -> ProxyHeaderWriter.version2(mixed));
    assertEquals(
        "PROXY UNKNOWN\r\n",
        new String(ProxyHeaderWriter.version1(mixed), StandardCharsets.US_ASCII));
    ProxyHeader large =
        ProxyHeader.of(address("192.0.2.1", 1), address("192.0.2.2", 2))
            .with(ProxyTlv.of(1, new byte[4090]));
    assertThrows(IllegalArgumentException.class, () -> ProxyHeaderWriter.version2(large));
  }
}

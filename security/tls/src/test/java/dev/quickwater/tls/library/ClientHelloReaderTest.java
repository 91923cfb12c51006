package dev.quickwater.tls.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The server name and the application protocols of a ClientHello, however it is split, and what is
/// refused.
final class ClientHelloReaderTest {

  private static final int MAX = 2048;

  private static final byte[] USUAL =
      HelloBytes.hello().withUsual().serverName("Api.Example.com").protocols("h2", "x").message();

  private static final ClientHello EXPECTED =
      new ClientHello("api.example.com", List.of("h2", "x"), true, false);

  private static @Nullable ClientHello read(byte[] records) throws TlsException {
    return new ClientHelloReader(MAX).read(ByteBuf.wrap(records), 0, records.length);
  }

  private static TlsAlert refusal(byte[] records) {
    return assertThrows(TlsException.class, () -> read(records)).alert();
  }

  private static TlsAlert refusal(HelloBytes hello) {
    return refusal(HelloBytes.records(hello.message()));
  }

  @Test
  void nameAndProtocolsAreRead() throws TlsException {
    assertEquals(EXPECTED, read(HelloBytes.records(USUAL)));
  }

  @Test
  void helloWithoutExtensionsHasNoName() throws TlsException {
    byte[] message = HelloBytes.message("0303" + "07".repeat(32) + "00" + "00021301" + "0100");
    assertEquals(new ClientHello(null, List.of(), false, false), read(HelloBytes.records(message)));
  }

  @Test
  void everySplitIntoTwoRecordsIsTheSame() throws TlsException {
    for (int cut = 1; cut < USUAL.length; cut++) {
      assertEquals(EXPECTED, read(HelloBytes.records(USUAL, cut)), "cut at " + cut);
    }
  }

  @Test
  void everySplitIntoTwoCallsIsTheSame() throws TlsException {
    for (int cut = 1; cut < USUAL.length; cut++) {
      byte[] records = HelloBytes.records(USUAL, cut);
      ClientHelloReader reader = new ClientHelloReader(MAX);
      ByteBuf bytes = ByteBuf.wrap(records);
      assertNull(reader.read(bytes, 0, 5 + cut));
      assertEquals(EXPECTED, reader.read(bytes, 5 + cut, records.length), "cut at " + cut);
    }
  }

  @Test
  void oneByteInEachRecordIsTheSame() throws TlsException {
    byte[] records = HelloBytes.records(USUAL, IntStream.range(1, USUAL.length).toArray());
    assertEquals(EXPECTED, read(records));
  }

  @Test
  void everyPrefixNeedsMoreRecords() throws TlsException {
    for (int length = 1; length < USUAL.length; length++) {
      assertNull(read(HelloBytes.records(Arrays.copyOf(USUAL, length))), "length " + length);
    }
  }

  @Test
  void everyShorterMessageIsRefused() throws TlsException {
    // The only shorter form that is complete ends before the extensions.
    int withoutExtensions = 4 + 2 + 32 + 1 + 4 + 2;
    for (int length = 4; length < USUAL.length; length++) {
      byte[] cut = Arrays.copyOf(USUAL, length);
      cut[2] = (byte) (length - 4 >> 8);
      cut[3] = (byte) (length - 4);
      if (length == withoutExtensions) {
        assertEquals(new ClientHello(null, List.of(), false, false), read(HelloBytes.records(cut)));
      } else {
        assertEquals(TlsAlert.DECODE_ERROR, refusal(HelloBytes.records(cut)), "length " + length);
      }
    }
  }

  @Test
  void everyChangedByteIsReadOrRefused() {
    for (int at = 0; at < USUAL.length; at++) {
      for (int value : new int[] {0, 1, 0x7f, 0x80, 0xff}) {
        byte[] changed = USUAL.clone();
        changed[at] = (byte) value;
        try {
          read(HelloBytes.records(changed));
        } catch (TlsException e) {
          assertEquals(TlsException.Side.LOCAL, e.side());
        }
      }
    }
  }

  @Test
  void recordsBehindTheMessageAreIgnored() throws TlsException {
    byte[] records = HelloBytes.records(USUAL);
    byte[] more = Arrays.copyOf(records, records.length + 6);
    System.arraycopy(HelloBytes.bytes("140303000101"), 0, more, records.length, 6);
    assertEquals(EXPECTED, read(more));
  }

  @Test
  void bytesBehindTheMessageInOneRecordAreRefused() {
    assertEquals(
        TlsAlert.UNEXPECTED_MESSAGE,
        refusal(HelloBytes.records(Arrays.copyOf(USUAL, USUAL.length + 1))));
  }

  @Test
  void otherRecordsWithinTheMessageAreRefused() {
    byte[] records = HelloBytes.records(USUAL, 10);
    records[15] = 21;
    assertEquals(TlsAlert.UNEXPECTED_MESSAGE, refusal(records));
  }

  @Test
  void emptyRecordIsRefused() {
    assertEquals(TlsAlert.UNEXPECTED_MESSAGE, refusal(HelloBytes.records(USUAL, 10, 10)));
  }

  @Test
  void otherMessageIsRefused() {
    byte[] other = USUAL.clone();
    other[0] = 2;
    assertEquals(TlsAlert.UNEXPECTED_MESSAGE, refusal(HelloBytes.records(other)));
  }

  @Test
  void longRecordWithoutEncryptionIsRefused() {
    assertEquals(TlsAlert.RECORD_OVERFLOW, refusal(HelloBytes.records(new byte[16385])));
  }

  @Test
  void announcedLengthIsRefusedBeforeItArrives() {
    // Nine bytes that announce 16 MiB.
    TlsException refused =
        assertThrows(TlsException.class, () -> read(HelloBytes.bytes("160301000401ffffff")));
    assertEquals(TlsAlert.ILLEGAL_PARAMETER, refused.alert());
    assertTrue(refused.getMessage().contains("maxClientHello is 2048"), refused.getMessage());
  }

  @Test
  void maximumLengthIsAccepted() throws TlsException {
    int rest = MAX - HelloBytes.hello().extension(21, "").message().length;
    byte[] message = HelloBytes.hello().extension(21, "00".repeat(rest)).message();
    assertEquals(MAX, message.length);
    assertEquals(new ClientHello(null, List.of(), false, false), read(HelloBytes.records(message)));
    byte[] longer = HelloBytes.hello().extension(21, "00".repeat(rest + 1)).message();
    assertEquals(TlsAlert.ILLEGAL_PARAMETER, refusal(HelloBytes.records(longer)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "a.",
        ".a",
        "a..b",
        "-a",
        "a-",
        "a b",
        "a/b",
        "a:1",
        "192.0.2.1",
        "1.2.3",
        "::1",
        "[::1]",
        "2001:db8::1",
        "a\0b",
        "ä.example",
        "*.example.com",
        "0x7f.1",
        "a%00"
      })
  void invalidNameIsRefused(String name) {
    assertEquals(TlsAlert.ILLEGAL_PARAMETER, refusal(HelloBytes.hello().serverName(name)));
  }

  @Test
  void longLabelAndLongNameAreRefused() {
    assertEquals(
        TlsAlert.ILLEGAL_PARAMETER, refusal(HelloBytes.hello().serverName("a".repeat(64))));
    assertEquals(
        TlsAlert.ILLEGAL_PARAMETER, refusal(HelloBytes.hello().serverName("a.".repeat(127) + "a")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost", "a.b-c.example", "xn--bcher-kva.example", "my_service", "1a"})
  void validNameIsAccepted(String name) throws TlsException {
    byte[] message = HelloBytes.hello().serverName(name).message();
    assertEquals(new ClientHello(name, List.of(), false, false), read(HelloBytes.records(message)));
  }

  @Test
  void secondServerNameIsRefused() {
    assertEquals(
        TlsAlert.ILLEGAL_PARAMETER, refusal(HelloBytes.hello().serverName("a").serverName("b")));
  }

  @Test
  void secondListOfProtocolsIsRefused() {
    assertEquals(
        TlsAlert.ILLEGAL_PARAMETER, refusal(HelloBytes.hello().protocols("a").protocols("b")));
  }

  @Test
  void secondExtensionOfAnUnknownTypeIsRefused() {
    assertEquals(
        TlsAlert.ILLEGAL_PARAMETER,
        refusal(HelloBytes.hello().extension(0x7777, "").extension(10, "").extension(0x7777, "")));
  }

  private static ClientHello suites(String suites, String extensions) throws TlsException {
    String start =
        "0303" + "07".repeat(32) + "00" + HelloBytes.hex(2, suites.length() / 2) + suites;
    String list = HelloBytes.hex(2, extensions.length() / 2) + extensions;
    ClientHello hello = read(HelloBytes.records(HelloBytes.message(start + "0100" + list)));
    assertNotNull(hello);
    return hello;
  }

  @Test
  void versionAndFallbackAreRead() throws TlsException {
    ClientHello old = suites("c02b5600", "");
    assertTrue(old.fallback() && !old.offersTls13());
    ClientHello listed = suites("5600", "002b" + "0003" + "020303");
    assertTrue(listed.fallback() && !listed.offersTls13());
    ClientHello both = suites("5600", "002b" + "0005" + "0403040303");
    assertTrue(both.fallback() && both.offersTls13());
    assertFalse(suites("c02bc056", "").fallback());
  }

  @Test
  void missingNullCompressionIsRefused() {
    String start = "0303" + "07".repeat(32) + "00" + "00021301";
    assertEquals(
        TlsAlert.ILLEGAL_PARAMETER,
        refusal(HelloBytes.records(HelloBytes.message(start + "020140"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "00", "0103", "020304ff", "040304"})
  void inconsistentVersionsAreRefused(String content) {
    assertEquals(TlsAlert.DECODE_ERROR, refusal(HelloBytes.hello().extension(43, content)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // no list
        "0000", // an empty list
        "0004000001", // a length behind the end
        "00040000016161", // bytes behind the list
        "0008" + "00000161" + "00000162", // two names
        "0004" + "01000161", // another type
      })
  void inconsistentServerNameIsRefused(String content) {
    assertEquals(TlsAlert.DECODE_ERROR, refusal(HelloBytes.hello().extension(0, content)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0000", "000100", "0003016100", "00020261", "0002016100", "000101"})
  void inconsistentProtocolsAreRefused(String content) {
    assertEquals(TlsAlert.DECODE_ERROR, refusal(HelloBytes.hello().extension(16, content)));
  }

  @Test
  void manyProtocolsAreRefused() {
    assertEquals(
        TlsAlert.ILLEGAL_PARAMETER,
        refusal(HelloBytes.hello().extension(16, "0082" + "0161".repeat(65))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0303", // no random
        "0303" + "0707" + "21" + "00", // session id behind the end
        "fefd", // DTLS
      })
  void otherFieldsAreChecked(String body) {
    assertThrows(TlsException.class, () -> read(HelloBytes.records(HelloBytes.message(body))));
  }

  @Test
  void oddCipherSuitesAndMissingCompressionAreRefused() {
    String start = "0303" + "07".repeat(32);
    for (String rest :
        List.of(
            "21" + "07".repeat(33) + "000213010100",
            "00" + "00031301010100",
            "00" + "00000100",
            "00" + "0002130100")) {
      assertEquals(
          TlsAlert.DECODE_ERROR, refusal(HelloBytes.records(HelloBytes.message(start + rest))));
    }
  }
}

package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HpackDecoderTest {

  private static final List<String> FIRST =
      List.of(":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com");
  private static final List<String> SECOND =
      List.of(
          ":method: GET",
          ":scheme: http",
          ":path: /",
          ":authority: www.example.com",
          "cache-control: no-cache");
  private static final List<String> THIRD =
      List.of(
          ":method: GET",
          ":scheme: https",
          ":path: /index.html",
          ":authority: www.example.com",
          "custom-key: custom-value");

  private static final String DATE = "date: Mon, 21 Oct 2013 20:13:";

  private static final List<List<String>> RESPONSES =
      List.of(
          List.of(
              ":status: 302",
              "cache-control: private",
              DATE + "21 GMT",
              "location: https://www.example.com"),
          List.of(
              ":status: 307",
              "cache-control: private",
              DATE + "21 GMT",
              "location: https://www.example.com"),
          List.of(
              ":status: 200",
              "cache-control: private",
              DATE + "22 GMT",
              "location: https://www.example.com",
              "content-encoding: gzip",
              "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1"));

  private final HpackDecoder decoder = new HpackDecoder(4096);

  private List<String> decode(String hex) throws HpackException {
    return Blocks.decode(decoder, Blocks.hex(hex));
  }

  private String refusal(String hex) {
    return String.valueOf(assertThrows(HpackException.class, () -> decode(hex)).getMessage());
  }

  /// RFC 7541 appendix C.2.
  @Test
  void literalForms() throws HpackException {
    assertEquals(
        List.of("custom-key: custom-header"),
        decode("400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572"));
    assertEquals(List.of(":path: /sample/path"), decode("040c 2f73 616d 706c 652f 7061 7468"));
    assertEquals(List.of("password: secret"), decode("1008 7061 7373 776f 7264 0673 6563 7265 74"));
    assertEquals(List.of(":method: GET"), decode("82"));
    assertEquals(List.of("custom-key: custom-header"), decode("be"), "the one that was indexed");
  }

  /// RFC 7541 appendix C.3 and C.4.
  @Test
  void requestsWithAndWithoutHuffmanCode() throws HpackException {
    assertEquals(FIRST, decode("8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d"));
    assertEquals(SECOND, decode("8286 84be 5808 6e6f 2d63 6163 6865"));
    assertEquals(
        THIRD, decode("8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65"));
    HpackDecoder other = new HpackDecoder(4096);
    assertEquals(
        FIRST, Blocks.decode(other, Blocks.hex("8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff")));
    assertEquals(SECOND, Blocks.decode(other, Blocks.hex("8286 84be 5886 a8eb 1064 9cbf")));
    assertEquals(
        THIRD,
        Blocks.decode(
            other, Blocks.hex("8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf")));
  }

  /// RFC 7541 appendix C.6: a table of 256 bytes evicts.
  @Test
  void responsesWithEviction() throws HpackException {
    HpackDecoder small = new HpackDecoder(256);
    assertEquals(
        RESPONSES.get(0),
        Blocks.decode(
            small,
            Blocks.hex(
                "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6"
                    + "2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3")));
    assertEquals(RESPONSES.get(1), Blocks.decode(small, Blocks.hex("4883 640e ffc1 c0bf")));
    assertEquals(
        RESPONSES.get(2),
        Blocks.decode(
            small,
            Blocks.hex(
                "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab"
                    + "77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5"
                    + "291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07")));
  }

  @ParameterizedTest
  @CsvSource({
    "80, index 0",
    "be, index 62",
    "ff00, index 127",
    "7f00, index 63",
    "82ff, ends inside",
    "00, ends inside",
    "0003 6162, ends inside",
    "0001 61, ends inside",
    "0001 6105 62, ends inside",
    "ffff ffff ff0f, 2^31",
    "ffff ffff ff7f, 2^31",
    "ff80 8080 8080 8080 01, 2^31",
    "7f80 8080 8000, index 63",
    "0081 fe00, Huffman",
    "0001 6181 fe, Huffman",
    "3fe2 1f, above the setting",
    "8220, not at the start",
    "2020 20, more than two",
  })
  void malformedBlocksAreRefused(String hex, String fact) {
    String message = refusal(hex);
    assertTrue(message.contains(fact), message);
  }

  @Test
  void tableFollowsSizeUpdates() throws HpackException {
    decode("4001 6101 62");
    assertEquals(List.of("a: b"), decode("be"));
    assertEquals(List.of(), decode("20"), "a block of nothing but an update");
    assertTrue(refusal("be").contains("index 62"));
    assertEquals(List.of("a: b"), decode("3fe1 1f 4001 6101 62"));
    assertEquals(List.of("a: b"), decode("be"));
    decoder.allow(100);
    assertTrue(refusal("be").contains("does not reduce"));
    assertEquals(List.of("a: b"), decode("3f45 be"));
  }

  @Test
  void entryAboveTheTableEmptiesIt() throws HpackException {
    HpackDecoder small = new HpackDecoder(40);
    Blocks.decode(small, Blocks.hex("4001 6101 62"));
    assertEquals(
        List.of("a: bbbbbbbbbb"),
        Blocks.decode(small, Blocks.hex("4001 610a 6262 6262 6262 6262 6262")));
    assertThrows(HpackException.class, () -> Blocks.decode(small, Blocks.hex("be")));
  }

  @Test
  void fieldsOfMalformedMessagesHaveAFaultAndStayInTheTable()
      throws HpackException, Http2Exception {
    List<TableEntry> seen = new ArrayList<>();
    // A: b, an empty name, :x, a value with a line feed, a value with a DEL.
    byte[] block =
        Blocks.hex(
            "4001 4101 62 4000 0162 4002 3a78 0162 4001 6101 0a 4001 6102 627f 4001 6101 62");
    decoder.decode(block, 0, block.length, seen::add);
    assertEquals(6, seen.size());
    for (TableEntry entry : seen.subList(0, 5)) {
      assertTrue(entry.fault() != null && entry.field() == null, Blocks.latin(entry.value()));
    }
    assertEquals("b", seen.getLast().field().text());
    assertEquals(List.of("a: b", "A: b"), decode("be c3"));
  }

  /// Deployed clients send it. The peer's table counts the received bytes (RFC 7541 section 4.1).
  @Test
  void whiteSpaceAroundAValueIsRemovedButCounts() throws HpackException, Http2Exception {
    List<TableEntry> seen = new ArrayList<>();
    // "a: \t b c ", "a:   ", ":path: / "
    byte[] block = Blocks.hex("4001 6107 2009 2062 2063 20 4001 6102 2020 4402 2f20");
    decoder.decode(block, 0, block.length, seen::add);
    assertEquals("b c", seen.get(0).field().text());
    assertEquals("", seen.get(1).field().text());
    assertEquals("/ ", Blocks.latin(seen.get(2).value()), "no header field");
    assertEquals(
        List.of(1 + 7 + 32, 1 + 2 + 32, 5 + 2 + 32), seen.stream().map(TableEntry::size).toList());
  }

  @Test
  void repeatedBlockIsReportedUntilTheTableChanges() throws HpackException {
    decode("4001 6101 62 4001 6301 64");
    assertFalse(repeats("4001 6101 62 4001 6301 64"), "it would be inserted again");
    assertFalse(repeats(""));
    decode("82 be bf 0f 0d 02 3133");
    assertTrue(repeats("82 be bf 0f 0d 02 3133"));
    assertFalse(repeats("82 be bf 0f 0d 02 3134"));
    assertFalse(repeats("82 be bf 0f 0d 02 31"));
    decode("82");
    assertFalse(repeats("82 be bf 0f 0d 02 3133"), "not the previous block");
    decode("be");
    decode("4001 6501 66");
    assertFalse(repeats("be"), "the index is another field");
    decode("be");
    assertTrue(repeats("be"));
    decoder.allow(100);
    assertFalse(repeats("be"), "a size update must come first");
    decode("3f45 be");
    assertFalse(repeats("3f45 be"));
  }

  private boolean repeats(String hex) {
    byte[] block = Blocks.hex(hex);
    return decoder.repeats(block, 0, block.length);
  }

  @Test
  void sinkStopsTheDecoding() {
    List<TableEntry> seen = new ArrayList<>();
    byte[] block = new byte[100_000];
    Arrays.fill(block, (byte) 0x82);
    FieldSink sink =
        entry -> {
          seen.add(entry);
          if (seen.size() == 3) {
            throw Http2Exception.connection(ErrorCode.ENHANCE_YOUR_CALM, "enough");
          }
        };
    assertThrows(Http2Exception.class, () -> decoder.decode(block, 0, block.length, sink));
    assertEquals(3, seen.size());
  }

  @Test
  void randomBytesAreDecodedOrRefused() {
    Random random = new Random(3);
    int decoded = 0;
    for (int i = 0; i < 300_000; i++) {
      byte[] block = new byte[1 + random.nextInt(20)];
      random.nextBytes(block);
      try {
        Blocks.decode(new HpackDecoder(random.nextInt(200)), block);
        decoded++;
      } catch (HpackException _) {
        // the only exception that input can cause
      }
    }
    assertTrue(decoded > 1000, decoded + " decoded");
  }
}

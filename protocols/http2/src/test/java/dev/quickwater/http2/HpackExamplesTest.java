package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The examples of RFC 7541 appendix C that [HpackDecoderTest] and [HpackEncoderTest] do not have,
/// and the sizes and contents of the tables of all examples.
final class HpackExamplesTest {

  private HpackDecoder decoder = new HpackDecoder(4096);

  private List<String> decode(String hex) throws HpackException {
    return Blocks.decode(decoder, Blocks.hex(hex));
  }

  /// The dynamic table, newest entry first, by one indexed field for each entry.
  private List<String> table() throws HpackException {
    List<String> entries = new ArrayList<>();
    for (int index = 62; ; index++) {
      String field = HexFormat.of().toHexDigits((byte) (0x80 | index));
      try {
        entries.addAll(decode(field));
      } catch (HpackException _) {
        return entries;
      }
    }
  }

  /// Appendix C.1.1: 10 with a prefix of five bits; as a size update of the table.
  @Test
  void integerInsideOfItsPrefix() throws HpackException {
    decode("2a");
    assertEquals(List.of("a: b"), decode("4001 6101 62"));
    assertEquals(0, decoder.tableSize(), "an entry of 34 bytes exceeds a table of 10");
  }

  /// Appendix C.1.2: 1337 with a prefix of five bits.
  @Test
  void integerBeyondItsPrefix() throws HpackException {
    decoder = new HpackDecoder(1337);
    decode("3f9a 0a");
    decoder = new HpackDecoder(1336);
    String refusal = String.valueOf(assertThrows(HpackException.class, () -> decode("3f9a 0a")));
    assertEquals(true, refusal.contains("1337"), refusal);
    HpackEncoder encoder = new HpackEncoder(4096);
    encoder.resize(1337);
    byte[] block = Blocks.encode(encoder, List.of(":method: GET"));
    assertEquals("3f9a0a82", HexFormat.of().formatHex(block));
  }

  /// Appendix C.1.3: 42 at the start of an octet; HPACK has no prefix of eight bits, a length has
  /// seven.
  @Test
  void integerAtTheStartOfAnOctet() throws HpackException {
    String value = "x".repeat(42);
    assertEquals(
        List.of("a: " + value),
        decode("0001 61 2a" + HexFormat.of().formatHex(Blocks.bytes(value))));
  }

  /// Appendix C.2.1.
  @Test
  void literalWithIndexingIsInTheTable() throws HpackException {
    decode("400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572");
    assertEquals(55, decoder.tableSize());
    assertEquals(List.of("custom-key: custom-header"), table());
  }

  /// Appendix C.2.2 to C.2.4.
  @Test
  void otherFormsLeaveTheTableEmpty() throws HpackException {
    decode("040c 2f73 616d 706c 652f 7061 7468");
    decode("1008 7061 7373 776f 7264 0673 6563 7265 74");
    decode("82");
    assertEquals(0, decoder.tableSize());
  }

  private void assertRequests(String first, String second, String third) throws HpackException {
    decode(first);
    assertEquals(57, decoder.tableSize());
    assertEquals(List.of(":authority: www.example.com"), table());
    decode(second);
    assertEquals(110, decoder.tableSize());
    assertEquals(List.of("cache-control: no-cache", ":authority: www.example.com"), table());
    decode(third);
    assertEquals(164, decoder.tableSize());
    assertEquals(
        List.of(
            "custom-key: custom-value", "cache-control: no-cache", ":authority: www.example.com"),
        table());
  }

  /// Appendix C.3.
  @Test
  void tableAfterRequestsWithoutHuffmanCode() throws HpackException {
    assertRequests(
        "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
        "8286 84be 5808 6e6f 2d63 6163 6865",
        "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65");
  }

  /// Appendix C.4.
  @Test
  void tableAfterRequestsWithHuffmanCode() throws HpackException {
    assertRequests(
        "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
        "8286 84be 5886 a8eb 1064 9cbf",
        "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf");
  }

  private static final String DATE = "date: Mon, 21 Oct 2013 20:13:21 GMT";
  private static final String LATER = "date: Mon, 21 Oct 2013 20:13:22 GMT";
  private static final String PRIVATE = "cache-control: private";
  private static final String LOCATION = "location: https://www.example.com";
  private static final String COOKIE =
      "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1";

  private void assertResponses(String first, String second, String third) throws HpackException {
    decoder = new HpackDecoder(256);
    assertEquals(List.of(":status: 302", PRIVATE, DATE, LOCATION), decode(first));
    assertEquals(222, decoder.tableSize());
    assertEquals(List.of(LOCATION, DATE, PRIVATE, ":status: 302"), table());
    assertEquals(List.of(":status: 307", PRIVATE, DATE, LOCATION), decode(second));
    assertEquals(222, decoder.tableSize());
    assertEquals(List.of(":status: 307", LOCATION, DATE, PRIVATE), table());
    assertEquals(
        List.of(":status: 200", PRIVATE, LATER, LOCATION, "content-encoding: gzip", COOKIE),
        decode(third));
    assertEquals(215, decoder.tableSize());
    assertEquals(List.of(COOKIE, "content-encoding: gzip", LATER), table());
  }

  /// Appendix C.5: a table of 256 bytes evicts.
  @Test
  void responsesWithoutHuffmanCode() throws HpackException {
    assertResponses(
        "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a"
            + "3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63"
            + "6f6d",
        "4803 3330 37c1 c0bf",
        "88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04"
            + "677a 6970 7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851"
            + "5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31");
  }

  /// Appendix C.6.
  @Test
  void responsesWithHuffmanCode() throws HpackException {
    assertResponses(
        "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e"
            + "919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
        "4883 640e ffc1 c0bf",
        "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7"
            + "821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160"
            + "65c0 03ed 4ee5 b106 3d50 07");
  }
}

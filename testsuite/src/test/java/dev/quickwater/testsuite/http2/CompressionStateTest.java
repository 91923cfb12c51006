package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Both ends keep the same compression table (RFC 7541), independent of the streams; one that
/// breaks the rules ends the connection.
final class CompressionStateTest {

  private static final List<String> COMPRESSION_ERROR = List.of("goaway 9");
  private static final int NEWEST = 62;

  private static Frame raw(String hex) {
    return Frame.headers(1, Fields.empty().raw(HexFormat.of().parseHex(hex))).last();
  }

  @Test
  void malformedBlockEndsTheConnection() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      verdicts.ends("index 0", COMPRESSION_ERROR, raw("80"));
      verdicts.ends("index beyond the table", COMPRESSION_ERROR, raw("be"));
      verdicts.ends("name beyond the table", COMPRESSION_ERROR, raw("7e0130"));
      verdicts.ends("truncated literal", COMPRESSION_ERROR, raw("828684000578"));
      verdicts.ends("truncated integer", COMPRESSION_ERROR, raw("ffff"));
      verdicts.ends("integer of 64 bits", COMPRESSION_ERROR, raw("ffffffffffffffffffff01"));
      verdicts.ends("Huffman code with EOS", COMPRESSION_ERROR, raw("00017884ffffffff"));
      verdicts.ends("Huffman padding of 8 bits", COMPRESSION_ERROR, raw("0001788207ff"));
      verdicts.ends("Huffman padding of zeros", COMPRESSION_ERROR, raw("0001788100"));
      assertEquals(0, verdicts.target().calls());
    }
  }

  @Test
  void sizeUpdateBeyondTheSettingOrLateEndsTheConnection() throws Exception {
    try (Verdicts verdicts = new Verdicts()) {
      verdicts.ends(
          "beyond the setting",
          COMPRESSION_ERROR,
          Frame.headers(1, Fields.empty().tableSize(1 << 24).raw(Fields.get("/plaintext").block()))
              .last());
      verdicts.ends(
          "after a field",
          COMPRESSION_ERROR,
          Frame.headers(1, Fields.get("/plaintext").tableSize(0)).last());
    }
  }

  @Test
  void sizeUpdateInTheMiddleOfTheConnectionIsObeyed() throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      peer.send(Frame.headers(1, Fields.get("/plaintext").insert("x", "1")).last());
      assertEquals("200", peer.outcome(1));
      peer.send(Frame.headers(3, Fields.get("/plaintext").indexed(NEWEST, 1)).last());
      assertEquals("200", peer.outcome(3));
      Fields emptied = Fields.empty().tableSize(0).tableSize(4096);
      peer.send(Frame.headers(5, emptied.raw(Fields.get("/plaintext").block())).last());
      assertEquals("200", peer.outcome(5));
      peer.send(Frame.headers(7, Fields.get("/plaintext").indexed(NEWEST, 1)).last());
      assertEquals("goaway 9", peer.end());
    }
  }

  /// Thousands of one-byte size updates before the first field.
  @Test
  void stormOfSizeUpdatesIsRefused() throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      Fields storm = Fields.empty();
      for (int i = 0; i < 16_000; i++) {
        storm.tableSize(0);
      }
      peer.send(Frame.headers(1, storm.raw(new byte[] {(byte) 0x82})).last());
      assertEquals("goaway 9", peer.end());
    }
  }

  /// A block of a stream that is refused, reset or ended must be decoded all the same.
  @Test
  void blockOfClosedStreamChangesTheTable() throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      peer.send(Frame.headers(1, Fields.post("/length")));
      peer.send(Frame.reset(1, 8));
      // Trailers that crossed with the reset (RFC 9113 section 5.1, closed).
      peer.send(Frame.headers(3, Fields.get("/plaintext").add("BAD", "").insert("y", "1")).last());
      assertEquals("reset 1", peer.outcome(3).replace("400", "reset 1"));
      peer.send(Frame.headers(5, Fields.get("/plaintext").indexed(NEWEST, 1)).last());
      assertEquals("200", peer.outcome(5));
    }
  }
}

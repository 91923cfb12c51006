package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.ArrayList;
import java.util.List;

/// Any sequence of blocks is decoded or fails with [HpackException], gives at most one field for
/// each byte and a text that is at most 8/5 as long as the literals, and keeps the table within its
/// size.
///
/// Runs its seeds in every build, and for 60 s with `-Dfull`. The first byte of an input chooses
/// the size of the table. One byte before each block is its length.
final class HpackDecoderFuzzTest {

  @FuzzTest(maxDuration = "60s")
  void blocksAreDecodedOrRefused(byte[] data) throws Http2Exception {
    if (data.length < 2) {
      return;
    }
    int tableSize = 2 * (data[0] & 0xff);
    HpackDecoder decoder = new HpackDecoder(tableSize);
    List<TableEntry> fields = new ArrayList<>();
    int at = 1;
    while (at < data.length) {
      int length = Math.min(data[at++] & 0xff, data.length - at);
      int before = fields.size();
      try {
        decoder.decode(data, at, at + length, fields::add);
      } catch (HpackException _) {
        return;
      }
      check(fields.subList(before, fields.size()), length);
      assertTrue(decoder.tableSize() <= tableSize);
      assertRepeatable(decoder, data, at, at + length, fields.subList(before, fields.size()));
      at += length;
    }
  }

  private static void check(List<TableEntry> fields, int length) {
    assertTrue(fields.size() <= length, fields.size() + " fields in " + length + " bytes");
    for (TableEntry entry : fields) {
      boolean header = entry.name().registered() != null && entry.fault() == null;
      assertEquals(header, entry.field() != null);
      if (header) {
        assertNotNull(entry.field().text());
        assertTrue(entry.value().length + TableEntry.OVERHEAD < entry.size());
      }
    }
  }

  /// A block that counts as repeated decodes to the same fields.
  private static void assertRepeatable(
      HpackDecoder decoder, byte[] data, int from, int to, List<TableEntry> fields)
      throws Http2Exception {
    if (!decoder.repeats(data, from, to)) {
      return;
    }
    List<String> again = new ArrayList<>();
    try {
      decoder.decode(data, from, to, entry -> again.add(Blocks.text(entry)));
    } catch (HpackException e) {
      throw new AssertionError("a repeated block is refused", e);
    }
    assertEquals(fields.stream().map(Blocks::text).toList(), again);
  }
}

package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FrameWriterTest {

  private final ByteBuf out = ByteBufAllocator.shared().allocate(256);

  /// The lines that a reader makes of everything that was written.
  private List<String> read() throws Http2Exception {
    List<String> lines = new ArrayList<>();
    FrameNotes notes = new FrameNotes(lines::add);
    FrameReader reader = new FrameReader(notes, Frames.MIN_MAX_SIZE, 1 << 16, 16);
    while (reader.read(out)) {
      // until nothing is left
    }
    notes.flush();
    assertEquals(0, out.readableBytes());
    out.release();
    return lines;
  }

  @Test
  void framesAreReadAsTheyWereWritten() throws Http2Exception {
    FrameWriter.settings(out, 3, 100, 4, 0xffff_ffffL);
    FrameWriter.settingsAck(out);
    FrameWriter.data(out, Integer.MAX_VALUE, 2, true);
    out.writeAscii("ab");
    FrameWriter.reset(out, 0x123456, ErrorCode.CANCEL);
    FrameWriter.ping(out, -1, false);
    FrameWriter.ping(out, 5, true);
    FrameWriter.goAway(out, 7, ErrorCode.ENHANCE_YOUR_CALM, "too much");
    FrameWriter.windowUpdate(out, 0, Integer.MAX_VALUE);
    assertEquals(
        List.of(
            "setting 3 100",
            "setting 4 4294967295",
            "settings end",
            "settings ack",
            "data 2147483647 ab end padding 0",
            "reset 1193046 CANCEL",
            "ping -1",
            "ping ack 5",
            "goaway 7 ENHANCE_YOUR_CALM too much",
            "window 0 2147483647"),
        read());
  }

  @Test
  void headerBlockIsDividedIntoFrames() throws Http2Exception {
    ByteBuf block = ByteBuf.wrap(new byte[25]);
    FrameWriter.headers(out, 1, block, 10, true);
    assertEquals(25 + 3 * Frames.HEADER, out.readableBytes());
    ByteBuf small = ByteBuf.wrap(new byte[10]);
    FrameWriter.headers(out, 3, small, 10, false);
    assertEquals(
        List.of("headers 1 " + "00".repeat(25) + " end", "headers 3 " + "00".repeat(10)), read());
  }

  @Test
  void headerBlockWrittenInPlaceIsDividedIntoFrames() throws Http2Exception {
    List<String> expected = new ArrayList<>();
    for (int length : new int[] {0, 1, 9, 10, 11, 20, 21, 35}) {
      int start = FrameWriter.beginHeaders(out);
      byte[] block = new byte[length];
      for (int i = 0; i < length; i++) {
        block[i] = (byte) i;
      }
      out.writeBytes(block);
      boolean end = length % 2 == 0;
      FrameWriter.endHeaders(out, start, 0x7fffff01, 10, end);
      expected.add("headers 2147483393 " + HexFormat.of().formatHex(block) + (end ? " end" : ""));
    }
    assertEquals(expected, read());
  }
}

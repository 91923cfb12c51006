package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Endless CONTINUATION frames (CVE-2026-33871, VU#421644): small or empty frames stay below a
/// limit of bytes.
final class ContinuationFloodTest {

  private static final int MAX = 16;

  private final List<String> lines = new ArrayList<>();
  private final FrameReader reader =
      new FrameReader(new FrameNotes(lines::add), Frames.MIN_MAX_SIZE, 1 << 16, MAX);

  private int accepted;

  /// Reads the beginning of a block, and CONTINUATION frames until one is refused.
  private Http2Exception flood(byte... fragment) throws Http2Exception {
    read(Frame.of(Frames.HEADERS, 0, 1, Blocks.hex("82")));
    byte[] frame = Frame.of(Frames.CONTINUATION, 0, 1, fragment);
    return assertThrows(
        Http2Exception.class,
        () -> {
          while (accepted < 1_000_000) {
            read(frame);
            accepted++;
          }
        });
  }

  private void read(byte[] bytes) throws Http2Exception {
    ByteBuf in = ByteBuf.wrap(bytes);
    assertTrue(reader.read(in));
    in.release();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000})
  void endsAtTheLimitOfFrames(int size) throws Http2Exception {
    Http2Exception refusal = flood(new byte[size]);
    assertEquals(MAX, accepted);
    assertEquals(ErrorCode.ENHANCE_YOUR_CALM, refusal.code());
    assertEquals(0, refusal.stream(), "an error of the connection");
    assertTrue(String.valueOf(refusal.getMessage()).contains("16 CONTINUATION frames"));
  }

  @Test
  void isRefusedByTheHeaderOfTheFrame() throws Http2Exception {
    flood();
    ByteBuf in = ByteBuf.wrap(Blocks.hex("000001 09 04 00000001"));
    assertThrows(Http2Exception.class, () -> reader.read(in));
    in.release();
  }

  @Test
  void everyBlockHasTheWholeLimit() throws Http2Exception {
    for (int stream = 1; stream < 9; stream += 2) {
      read(Frame.of(Frames.HEADERS, 0, stream, Blocks.hex("82")));
      for (int i = 1; i < MAX; i++) {
        read(Frame.of(Frames.CONTINUATION, 0, stream));
      }
      read(Frame.of(Frames.CONTINUATION, Frames.END_HEADERS, stream));
    }
    assertEquals(List.of("headers 1 82", "headers 3 82", "headers 5 82", "headers 7 82"), lines);
  }
}

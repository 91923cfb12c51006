package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.quickwater.codec.verify.CodecVerifier;
import dev.quickwater.codec.verify.Outcome;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// Any input has the same outcome however it is split, fails only with [Http2Exception], and takes
/// a number of steps that is linear in its length.
///
/// Runs its seeds in every build, and for 60 s with `-Dfull`. The first two bytes of an input
/// choose where it is split. If the second byte is odd, the rest are frames with a length of one
/// byte, because mutations of an input then usually keep the frame boundaries.
final class FrameReaderFuzzTest {

  private static final int MAX_BLOCK = 64;
  private static final int MAX_CONTINUATIONS = 4;

  @FuzzTest(maxDuration = "60s")
  void oneReadingHoweverCut(byte[] data) {
    if (data.length < 3) {
      return;
    }
    byte[] rest = Arrays.copyOfRange(data, 2, data.length);
    byte[] input = (data[1] & 1) == 0 ? rest : frames(rest);
    Outcome whole = decode(input, List.of());
    if (whole.failure() != null) {
      assertInstanceOf(Http2Exception.class, whole.failure(), whole::toString);
    }
    assertLike(whole, decode(input, cuts(data[0] << 8 | data[1] & 0xff, input.length)));
    assertLike(whole, decode(input, IntStream.range(1, input.length).boxed().toList()));
  }

  /// Frames from a type, flags, a stream, a length and a payload, each in turn.
  private static byte[] frames(byte[] bytes) {
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    int at = 0;
    while (at + 4 <= bytes.length) {
      int length = Math.min(bytes[at + 3] & 0xff, bytes.length - at - 4);
      byte[] payload = Arrays.copyOfRange(bytes, at + 4, at + 4 + length);
      frames.writeBytes(Frame.of(bytes[at], bytes[at + 1], bytes[at + 2], payload));
      at += 4 + length;
    }
    return frames.toByteArray();
  }

  private static Outcome decode(byte[] input, List<Integer> cuts) {
    FrameLines[] last = new FrameLines[1];
    Outcome outcome =
        CodecVerifier.of(() -> last[0] = new FrameLines(MAX_BLOCK, MAX_CONTINUATIONS))
            .decode(input, cuts);
    int max = input.length / Frames.HEADER + 2 * cuts.size() + 3;
    assertTrue(last[0].steps <= max, last[0].steps + " steps for " + input.length + " bytes");
    return outcome;
  }

  private static List<Integer> cuts(int seed, int length) {
    Random random = new Random(seed);
    TreeSet<Integer> cuts = new TreeSet<>();
    for (int i = random.nextInt(6); i >= 0 && length > 1; i--) {
      cuts.add(1 + random.nextInt(length - 1));
    }
    return List.copyOf(cuts);
  }

  private static void assertLike(Outcome whole, Outcome cut) {
    assertTrue(cut.isLike(whole), () -> "whole: " + whole + "\ncut: " + cut);
  }
}

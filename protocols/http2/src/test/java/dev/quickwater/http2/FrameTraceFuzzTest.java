package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// For any bytes, a trace passes them on unchanged, writes lines of its grammar, and writes the
/// same lines however the bytes are split, in both directions.
///
/// Runs its seeds in every build, and for 60 s with `-Dfull`. The first two bytes of an input
/// choose where it is split. If the second byte is odd, the rest are frames with a length of one
/// byte; if its second bit is set, the preface precedes them.
final class FrameTraceFuzzTest {

  private static final int MAX_LINE = 17 << 10;

  private static final Pattern START =
      Pattern.compile("\\d+\\.\\d{6} \\d+ [<>-] \\d+ [A-Z_0-9a-fx]+");
  private static final Pattern KEY = Pattern.compile(" [A-Za-z0-9_]+=");
  private static final Pattern PLAIN = Pattern.compile("[^ \"]+");
  private static final Pattern ESCAPE = Pattern.compile("\\\\([\"\\\\nrt]|x[0-9a-f]{2})");

  @FuzzTest(maxDuration = "60s")
  void bytesPassUnchangedAndLinesAreTheSameHoweverCut(byte[] data) {
    if (data.length < 3) {
      return;
    }
    byte[] rest = Arrays.copyOfRange(data, 2, data.length);
    byte[] frames = (data[1] & 1) == 0 ? rest : frames(rest);
    byte[] input = (data[1] & 2) == 0 ? frames : Frame.join(Http2Engine.PREFACE, frames);
    List<String> whole = trace(input, input.length, null);
    Random cuts = new Random(data[0] << 8 | data[1] & 0xff);
    assertEquals(whole, trace(input, Math.max(1, input.length / 3), cuts));
    assertEquals(whole, trace(input, 1, null));
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

  /// The lines of bytes that are received and sent in pieces of up to `max` bytes, without time and
  /// number.
  private static List<String> trace(byte[] input, int max, @Nullable Random cuts) {
    List<String> lines = new ArrayList<>();
    EmbeddedChannel channel =
        new EmbeddedChannel(
            ChannelSettings.DEFAULT,
            made -> made.pipeline().addLast(new FrameTrace(line -> note(lines, line))));
    for (int at = 0; at < input.length; ) {
      int length = Math.min(input.length - at, cuts == null ? max : 1 + cuts.nextInt(max));
      byte[] piece = Arrays.copyOfRange(input, at, at + length);
      channel.send(ByteBuf.wrap(piece.clone()));
      channel.channel().writeAndFlush(ByteBuf.wrap(piece));
      at += length;
    }
    channel.runTasks();
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    for (Object message : channel.takeReceived()) {
      ByteBuf bytes = (ByteBuf) message;
      received.writeBytes(bytes.readBytes(bytes.readableBytes()));
      bytes.release();
    }
    assertArrayEquals(input, received.toByteArray(), "received bytes");
    ByteBuf sent = channel.takeSent();
    assertArrayEquals(input, sent.readBytes(sent.readableBytes()), "sent bytes");
    sent.release();
    channel.close();
    // The lines of the two directions alternate by the pieces.
    lines.sort(Comparator.comparing(line -> line.charAt(0)));
    return lines;
  }

  private static void note(List<String> lines, String line) {
    assertTrue(line.length() <= MAX_LINE, () -> line.length() + " characters");
    assertTrue(isLine(line), line);
    lines.add(line.split(" ", 3)[2]);
  }

  /// True if a line has the grammar of [FrameTrace]. One pattern for the whole line would need a
  /// stack frame for each escape.
  private static boolean isLine(String line) {
    int at = skip(START, line, 0);
    while (at >= 0 && at < line.length()) {
      at = skip(KEY, line, at);
      if (at >= 0) {
        at =
            at < line.length() && line.charAt(at) == '"'
                ? quoted(line, at + 1)
                : skip(PLAIN, line, at);
      }
    }
    return at == line.length();
  }

  /// The index after a match that begins at an index; -1 without one.
  private static int skip(Pattern pattern, String line, int from) {
    Matcher matcher = pattern.matcher(line).region(from, line.length());
    return matcher.lookingAt() ? matcher.end() : -1;
  }

  private static int quoted(String line, int from) {
    int at = from;
    while (at >= 0 && at < line.length() && line.charAt(at) != '"') {
      char c = line.charAt(at);
      if (c == '\\') {
        at = skip(ESCAPE, line, at);
      } else {
        at = c >= ' ' && c <= '~' ? at + 1 : -1;
      }
    }
    return at < 0 || at == line.length() ? -1 : at + 1;
  }
}

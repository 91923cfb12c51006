package dev.quickwater.microbench.suite;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// `qw bench http2`: header compression, frames and the distribution of bytes.
public final class Http2Suite {

  private static final double HPACK = 1.5;
  private static final double FRAMES = 2;

  private Http2Suite() {}

  /// Runs the command with its arguments.
  public static void run(List<String> args) throws IOException, InterruptedException {
    Suite.run(
        new Suite.Plan("Quickwater's HTTP/2 beside Netty's", Http2Suite::goals, List.of(), HPACK),
        args);
  }

  private static List<Goal> goals(Extent extent) {
    List<Goal> goals = new ArrayList<>();
    goals.add(goal("stories", "HpackStoryBenchmark\\.Encode", HPACK));
    goals.add(
        goal("stories", "HpackStoryBenchmark\\.Decode", HPACK).with(Map.of("huffman", "true")));
    goals.add(goal("indexed", "HpackIndexedBenchmark\\..*", HPACK));
    Goal encoder = goal("encoder", "HpackEncoderBenchmark\\..*", HPACK);
    Goal decoder = goal("decoder", "HpackDecoderBenchmark\\..*", HPACK);
    if (extent.quick()) {
      goals.add(
          encoder.with(
              Map.of("sensitive", "false", "duplicates", "false", "limitToAscii", "true")));
      goals.add(decoder.with(Map.of("sensitive", "false", "limitToAscii", "true")));
    } else {
      goals.add(encoder);
      goals.add(decoder);
    }
    goals.add(goal("static table", "HpackStaticTableBenchmark\\..*", HPACK));
    goals.add(goal("frames", "Http2FrameWriterBenchmark\\..*", FRAMES));
    goals.add(goal("distribution", "ByteDistributionBenchmark\\..*", HPACK));
    return List.copyOf(goals);
  }

  private static Goal goal(String topic, String pairs, double target) {
    return new Goal(topic, pairs, Against.EITHER_ACCESS, target);
  }
}

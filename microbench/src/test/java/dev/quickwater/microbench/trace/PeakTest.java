package dev.quickwater.microbench.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Replays every trace on all three allocators, each time in a process of its own.
class PeakTest {

  /// @param ofNetty how much of the thriftier of Netty's two peaks ours may be
  /// @param peak reserved to live bytes, each at its peak
  /// @param steady reserved to live bytes, on average over the second half
  private record Bound(double ofNetty, double peak, double steady) {}

  private static final Map<String, Bound> BOUNDS =
      Map.of(
          "http", new Bound(1, 1.8, 3.2),
          "grpc", new Bound(1, 1.15, 1.9),
          "hand-over", new Bound(1, 2, 2.8),
          // Little is live: this is the pages that each size class keeps.
          "recorded", new Bound(1, 6, 27),
          "uploads", new Bound(1, 1.02, 1.15),
          // After a burst its pages stay until the loop has been idle for a second.
          "bursts", new Bound(1, 1.35, 90));

  static Set<String> traces() {
    return BOUNDS.keySet();
  }

  @ParameterizedTest
  @MethodSource("traces")
  void reservedMemoryStaysInItsBounds(String trace) throws IOException, InterruptedException {
    Bound bound = Objects.requireNonNull(BOUNDS.get(trace));
    Usage ours = Replay.apart(trace, Subject.QUICKWATER);
    for (Subject peer : List.of(Subject.NETTY, Subject.POOLED)) {
      Usage theirs = Replay.apart(trace, peer);
      assertEquals(ours.peakLive(), theirs.peakLive());
      assertTrue(
          ours.peakReserved() <= bound.ofNetty * theirs.peakReserved(),
          () -> "ours " + ours + ", " + peer.label() + " " + theirs);
    }
    assertTrue(ours.peakRatio() <= bound.peak, () -> "peak " + ours);
    assertTrue(ours.steadyRatio() <= bound.steady, () -> "steady " + ours);
  }

  @Test
  void everyTraceHasItsBounds() {
    assertEquals(Set.copyOf(AllocationPatternSimulator.names()), BOUNDS.keySet());
  }

  @Test
  void replayGivesTheSameEveryTime() throws IOException, InterruptedException {
    Usage first = Replay.apart("http", Subject.QUICKWATER);
    assertEquals(first, Replay.apart("http", Subject.QUICKWATER));
  }
}

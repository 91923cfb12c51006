package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WeightedDistributorTest {

  private static final int PLENTY = 1 << 30;

  private final WeightedDistributor distributor = new WeightedDistributor();

  private int send(StreamFlow s, int allowed) {
    int sent = s.send(allowed);
    if (s.place != StreamList.NONE) {
      distributor.offer(s, s.offered - sent, false);
    }
    return sent;
  }

  private int distribute(int bytes) {
    return distributor.distribute(bytes, this::send);
  }

  private FlowStream[] backlogged(int count) {
    FlowStream[] streams = FlowStream.many(count);
    for (FlowStream s : streams) {
      distributor.offer(s, PLENTY, false);
    }
    return streams;
  }

  /// 100 streams of random weights, at connection windows of all sizes.
  @ParameterizedTest
  @ValueSource(ints = {1_500, 16_384, 65_535, 1 << 20})
  void sharesFollowWeightsToTwoPercent(int window) {
    FlowStream[] streams = backlogged(100);
    Random random = new Random(window);
    long weights = 0;
    for (FlowStream s : streams) {
      int weight = 16 + random.nextInt(241);
      distributor.weight(s, weight);
      weights += weight;
    }
    long total = 0;
    while (total < 200L << 20) {
      total += distribute(window);
    }
    for (FlowStream s : streams) {
      double expected = (double) total * s.weight() / weights;
      assertEquals(expected, s.sent, 0.02 * expected, "weight " + s.weight());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 16, 200, 255, 256})
  void extremeWeights(int weight) {
    FlowStream[] streams = backlogged(2);
    distributor.weight(streams[0], weight);
    distributor.weight(streams[1], 256);
    long total = 0;
    while (total < 400L << 20) {
      total += distribute(65_535);
    }
    double expected = (double) total * weight / (weight + 256);
    assertEquals(expected, streams[0].sent, 0.02 * expected);
  }

  /// Windows of a few bytes: the cost of a turn is exact.
  @Test
  void tinyWindowsKeepTheShares() {
    FlowStream[] streams = backlogged(2);
    distributor.weight(streams[0], 200);
    distributor.weight(streams[1], 100);
    for (int i = 0; i < 1_000_000; i++) {
      distribute(1 + i % 3);
    }
    double third = FlowStream.sum(streams) / 3.0;
    assertEquals(third, streams[1].sent, 0.02 * third);
  }

  @Test
  void idleStreamSavesNothingUp() {
    FlowStream[] streams = FlowStream.many(2);
    distributor.offer(streams[0], PLENTY, false);
    distribute(10 << 20);
    distributor.offer(streams[1], PLENTY, false);
    long before = streams[0].sent;
    distribute(1 << 20);
    assertEquals(1 << 19, streams[1].sent, 32_768);
    assertEquals(1 << 19, streams[0].sent - before, 32_768);
  }

  @Test
  void moreUrgentStreamsAreFirst() {
    FlowStream[] streams = backlogged(3);
    distributor.prioritize(streams[0], 7, true);
    distributor.prioritize(streams[1], 0, true);
    distributor.offer(streams[1], 10_000, false);
    assertEquals(10_000, distribute(10_000));
    assertEquals(10_000, streams[1].sent);
    distribute(5_000);
    assertEquals(5_000, streams[2].sent); // the default, 3
    assertEquals(0, streams[0].sent);
    distributor.remove(streams[2]);
    distribute(5_000);
    assertEquals(5_000, streams[0].sent);
  }

  @Test
  void nonIncrementalStreamsFollowEachOther() {
    FlowStream[] streams = FlowStream.many(4);
    for (int i = 3; i >= 0; i--) {
      distributor.prioritize(streams[i], 2, false);
      distributor.offer(streams[i], 50_000, false);
    }
    for (int i = 0; i < 4; i++) {
      distribute(25_000);
      assertEquals(25_000, streams[i].sent);
      distribute(25_000);
      assertEquals(50_000, streams[i].sent);
    }
    assertTrue(distributor.isEmpty());
  }

  /// The non-incremental streams of an urgency count as one.
  @Test
  void incrementalStreamsShareWithTheSequenceOfOthers() {
    FlowStream[] streams = backlogged(4);
    distributor.prioritize(streams[0], 3, false);
    distributor.prioritize(streams[1], 3, false);
    distribute(3 << 20);
    assertEquals(1 << 20, streams[0].sent, 32_768);
    assertEquals(0, streams[1].sent);
    assertEquals(1 << 20, streams[2].sent, 32_768);
    assertEquals(1 << 20, streams[3].sent, 32_768);
  }

  @Test
  void priorityChangesWhileAStreamWaits() {
    FlowStream[] streams = backlogged(2);
    distributor.prioritize(streams[1], 0, false);
    distribute(4_000);
    assertEquals(4_000, streams[1].sent);
    distributor.prioritize(streams[1], 5, true);
    distribute(4_000);
    assertEquals(4_000, streams[0].sent);
    assertThrows(IllegalArgumentException.class, () -> distributor.prioritize(streams[0], 8, true));
  }

  @Test
  void emptyFrameNeedsNoWindow() {
    FlowStream[] streams = backlogged(2);
    distributor.offer(streams[1], 0, true);
    assertEquals(0, distribute(0));
    assertEquals(1, streams[1].emptyFrames);
    assertEquals(0, FlowStream.sum(streams));
  }

  @Test
  void framesAreNotSmallerThanAChunk() {
    FlowStream[] streams = backlogged(100);
    for (int i = 0; i < 100; i++) {
      distribute(65_536);
    }
    assertTrue(Arrays.stream(streams).allMatch(s -> s.smallestFrame >= Distributor.MIN_CHUNK));
  }

  @Test
  void changesDuringADistribution() {
    FlowStream[] streams = backlogged(5);
    streams[0].inside =
        _ -> {
          distributor.remove(streams[0]);
          distributor.remove(streams[1]);
          distributor.offer(streams[2], 0, true);
          distributor.prioritize(streams[3], 1, true);
          distributor.offer(streams[3], 50, false);
        };
    streams[3].inside = _ -> distributor.prioritize(streams[3], 6, false);
    assertEquals(5_000, distribute(5_000));
    assertEquals(0, streams[1].sent);
    assertEquals(0, streams[2].sent);
    assertEquals(1, streams[2].emptyFrames);
    assertEquals(50, streams[3].sent);
  }

  /// Random operations against a plain list: only offered bytes are sent, and only of the most
  /// urgent level.
  @Test
  void anyOperationsKeepTheHeapsInOrder() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      WeightedDistributor d = new WeightedDistributor();
      FlowStream[] streams = FlowStream.many(12);
      for (int step = 0; step < 200; step++) {
        FlowStream s = streams[random.nextInt(streams.length)];
        switch (random.nextInt(5)) {
          case 0 -> d.offer(s, random.nextInt(5_000), random.nextBoolean());
          case 1 -> d.remove(s);
          case 2 -> d.prioritize(s, random.nextInt(8), random.nextBoolean());
          case 3 -> d.weight(s, 1 + random.nextInt(256));
          default -> {
            long offered = Arrays.stream(streams).mapToLong(x -> x.offered).sum();
            int budget = random.nextInt(4_000);
            int sent =
                d.distribute(
                    budget,
                    (x, allowed) -> {
                      int urgency = x.urgency;
                      if (allowed > 0) {
                        assertTrue(
                            Arrays.stream(streams)
                                .noneMatch(y -> y.offered > 0 && y.urgency < urgency));
                      }
                      d.offer(x, x.offered - allowed, false);
                      return allowed;
                    });
            assertEquals(Math.min(budget, offered), sent, "seed " + seed);
          }
        }
        assertEquals(Arrays.stream(streams).allMatch(x -> x.place == StreamList.NONE), d.isEmpty());
      }
    }
  }
}

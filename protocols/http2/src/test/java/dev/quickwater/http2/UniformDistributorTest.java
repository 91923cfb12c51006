package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class UniformDistributorTest {

  private static final int PLENTY = 1 << 30;

  private final UniformDistributor distributor = new UniformDistributor();

  private int send(StreamFlow s, int allowed) {
    int sent = s.send(allowed);
    distributor.offer(s, s.offered - sent, false);
    return sent;
  }

  private int distribute(int bytes) {
    return distributor.distribute(bytes, this::send);
  }

  private static long difference(FlowStream... streams) {
    long max = Arrays.stream(streams).mapToLong(s -> s.sent).max().orElse(0);
    long min = Arrays.stream(streams).mapToLong(s -> s.sent).min().orElse(0);
    return max - min;
  }

  private FlowStream[] backlogged(int count) {
    FlowStream[] streams = FlowStream.many(count);
    for (FlowStream s : streams) {
      distributor.offer(s, PLENTY, false);
    }
    return streams;
  }

  @Test
  void hundredStreamsShareToAByte() {
    FlowStream[] streams = backlogged(100);
    for (int round = 1; round <= 50; round++) {
      assertEquals(100 * 4_000, distribute(100 * 4_000));
      assertEquals(0, difference(streams), "round " + round);
    }
  }

  /// A connection window of the protocol's size, which no round divides.
  @Test
  void interruptedRoundsAreResumed() {
    FlowStream[] streams = backlogged(100);
    long total = 0;
    for (int i = 0; i < 1024; i++) {
      total += distribute(65_535);
      assertTrue(difference(streams) <= Distributor.MIN_CHUNK, () -> "" + difference(streams));
    }
    assertEquals(1024L * 65_535, total);
    // 1024 windows are 655 rounds and a part of one. Its end completes the round.
    distribute((int) (100 * Distributor.MIN_CHUNK - total % (100 * Distributor.MIN_CHUNK)));
    assertEquals(0, difference(streams));
  }

  @Test
  void anyWindowsStayWithinOneChunk() {
    Random random = new Random(7);
    FlowStream[] streams = backlogged(17);
    for (int i = 0; i < 20_000; i++) {
      int window = 1 + random.nextInt(5_000);
      assertEquals(window, distribute(window));
      assertTrue(difference(streams) <= Distributor.MIN_CHUNK + 17, () -> "" + difference(streams));
    }
  }

  @Test
  void fewStreamsSendLargeFrames() {
    FlowStream[] streams = backlogged(2);
    distribute(65_535);
    assertEquals(1, streams[0].frames);
    assertEquals(32_768, streams[0].sent);
    assertEquals(32_767, streams[1].sent);
    distribute(65_535);
    assertEquals(2, streams[0].frames);
    assertEquals(2, streams[1].frames);
  }

  @Test
  void singleStreamTakesEverything() {
    FlowStream[] streams = backlogged(1);
    for (int i = 1; i < 3000; i++) {
      assertEquals(i, distribute(i));
      assertEquals(i, streams[0].frames);
    }
  }

  @Test
  void shortStreamsLeaveTheirShareToOthers() {
    FlowStream[] streams = backlogged(3);
    distributor.offer(streams[1], 10, false);
    assertEquals(9_000, distribute(9_000));
    assertEquals(10, streams[1].sent);
    assertTrue(Math.abs(streams[0].sent - streams[2].sent) <= 3_000);
  }

  @Test
  void offerIsReplaced() {
    FlowStream[] streams = backlogged(1);
    distributor.offer(streams[0], 5, false);
    assertEquals(5, distribute(100));
    assertTrue(distributor.isEmpty());
    distributor.offer(streams[0], 7, false);
    distributor.offer(streams[0], 0, false);
    assertTrue(distributor.isEmpty());
    assertEquals(0, distribute(100));
  }

  @Test
  void emptyFrameNeedsNoWindow() {
    FlowStream[] streams = backlogged(2);
    FlowStream ends = new FlowStream(99);
    distributor.offer(ends, 0, true);
    assertEquals(0, distribute(0));
    assertEquals(1, ends.emptyFrames);
    assertEquals(0, FlowStream.sum(streams));
    distribute(0);
    assertEquals(1, ends.emptyFrames);
  }

  @Test
  void streamThatStopsEarlyEndsTheDistribution() {
    FlowStream[] streams = backlogged(2);
    streams[0].maxPerSend = 100;
    assertEquals(100, distribute(10_000));
    streams[0].maxPerSend = PLENTY;
    assertEquals(10_000, distribute(10_000));
    assertTrue(difference(streams) <= 10_000, () -> "" + difference(streams));
  }

  @Test
  void removedStreamSendsNothing() {
    FlowStream[] streams = backlogged(3);
    distributor.remove(streams[0]);
    distributor.remove(streams[0]);
    assertEquals(2_000, distribute(2_000));
    assertEquals(0, streams[0].sent);
    distributor.remove(streams[1]);
    distributor.remove(streams[2]);
    assertTrue(distributor.isEmpty());
  }

  /// Streams are removed, offered and ended from inside a distribution.
  @Test
  void changesDuringADistribution() {
    FlowStream[] streams = backlogged(4);
    streams[0].inside =
        _ -> {
          distributor.remove(streams[1]);
          distributor.offer(streams[2], 0, true);
          distributor.offer(streams[3], 50, false);
        };
    assertEquals(1_074, distribute(1_074));
    assertEquals(0, streams[1].sent);
    assertEquals(0, streams[2].sent);
    assertEquals(1, streams[2].emptyFrames);
    assertEquals(50, streams[3].sent);
    assertFalse(distributor.isEmpty());
  }
}

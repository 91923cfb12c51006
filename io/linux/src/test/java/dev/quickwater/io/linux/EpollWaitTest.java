package dev.quickwater.io.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.io.posix.gate.Errno;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How a loop waits: to the nanosecond, and without a kernel timer at every wait.
@Timeout(60)
final class EpollWaitTest {

  private static final long HOUR = Duration.ofHours(1).toNanos();

  private final ScriptedKernel kernel = new ScriptedKernel();
  private EpollPoller poller;

  @BeforeEach
  void open() throws IOException {
    poller = EpollPoller.open(kernel);
  }

  @AfterEach
  void close() {
    poller.close();
  }

  /// A wait that an event ends at once.
  private void interruptedWait(long nanos) {
    poller.wakeup();
    poller.poll(nanos, () -> {});
  }

  private void waitFor(long nanos) {
    poller.poll(nanos, () -> {});
  }

  @Test
  void deadlineFarAheadSetsOneTimerForManyWaits() {
    for (int i = 0; i < 1000; i++) {
      interruptedWait(HOUR + i);
    }
    assertEquals(List.of(HOUR), kernel.timers);
    assertEquals(1000, kernel.waits);
    assertEquals(List.of(), kernel.timeouts);
  }

  @Test
  void earlierDeadlineSetsTheTimerAndLaterOnesDoNot() {
    interruptedWait(HOUR);
    interruptedWait(HOUR / 2);
    interruptedWait(HOUR);
    interruptedWait(Long.MAX_VALUE);
    interruptedWait(HOUR / 2 + 1_000_000_000);
    assertEquals(List.of(HOUR, HOUR / 2), kernel.timers);
  }

  @Test
  void waitThatNoEventEndsLastsAsLongAsItShould() {
    for (long nanos : new long[] {50_000, 2_500_000}) {
      long before = System.nanoTime();
      waitFor(nanos);
      assertTrue(System.nanoTime() - before >= nanos);
    }
  }

  @Test
  void timerThatHasFiredIsSetAgain() {
    waitFor(2_000_000);
    waitFor(2_000_000);
    assertEquals(List.of(2_000_000L, 2_000_000L), kernel.timers);
  }

  /// The timer of an earlier wait may end this one before its time; the next turn waits again.
  @Test
  void forgottenTimerEndsOneWaitEarlyAtMost() {
    interruptedWait(2_000_000);
    waitFor(HOUR);
    assertEquals(1, kernel.timers.size());
    interruptedWait(HOUR);
    assertEquals(List.of(2_000_000L, HOUR), kernel.timers);
  }

  @Test
  void shortWaitIsNotRoundedUpToMilliseconds() {
    waitFor(50_000);
    waitFor(1);
    assertEquals(List.of(50_000L, 1L), kernel.timeouts);
    assertEquals(List.of(), kernel.timers);
  }

  @Test
  void kernelWithoutPreciseWaitsUsesTheTimer() {
    kernel.next("epollWaitNanos", -Errno.ENOSYS);
    waitFor(50_000);
    waitFor(60_000);
    assertEquals(List.of(50_000L), kernel.timeouts);
    assertEquals(List.of(50_000L, 60_000L), kernel.timers);
  }

  @Test
  void sandboxThatForbidsPreciseWaitsUsesTheTimer() {
    kernel.next("epollWaitNanos", -Errno.EPERM);
    waitFor(50_000);
    waitFor(60_000);
    assertEquals(List.of(50_000L), kernel.timeouts);
    assertEquals(List.of(50_000L, 60_000L), kernel.timers);
  }

  @Test
  void turnWithoutWaitingUsesNeitherTimerNorTimeout() {
    waitFor(0);
    assertEquals(List.of(), kernel.timers);
    assertEquals(List.of(), kernel.timeouts);
  }

  @Test
  void pollerWithoutTimerDescriptorDoesNotOpen() {
    kernel.next("timerfdCreate", -Errno.EMFILE);
    assertThrows(IOException.class, () -> EpollPoller.open(kernel));
  }
}

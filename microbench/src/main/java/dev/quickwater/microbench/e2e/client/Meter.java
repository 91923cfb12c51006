package dev.quickwater.microbench.e2e.client;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/// Checks and counts responses, and prints after the measured time what they took of this process:
/// processor time of all its threads, bytes allocated.
final class Meter {

  private static final double NANOS_PER_SECOND = 1e9;

  private final LongAdder responses = new LongAdder();
  private final CountDownLatch failed = new CountDownLatch(1);
  private final Load load;
  private volatile String failure = "";

  Meter(Load load) {
    this.load = load;
  }

  /// One response has ended.
  void response(int status, long length) {
    if (status == 200 && length == load.length()) {
      responses.increment();
    } else {
      fail("a response of status " + status + " with " + length + " bytes");
    }
  }

  /// A request got no response, or the wrong one: nothing that is measured afterwards counts.
  void fail(Object cause) {
    failure = cause.toString();
    failed.countDown();
  }

  /// Waits for the warm-up and the measurement, prints the result and ends the process.
  void report() throws InterruptedException {
    await(load.warmup());
    Reading before = new Reading(responses.sum());
    await(load.seconds());
    Reading after = new Reading(responses.sum());
    System.out.println(
        String.format(
            Locale.ROOT,
            "responses=%d seconds=%.6f cpu=%.6f allocated=%d",
            after.responses - before.responses,
            (after.time - before.time) / NANOS_PER_SECOND,
            (after.cpu - before.cpu) / NANOS_PER_SECOND,
            after.allocated - before.allocated));
    System.exit(0);
  }

  private void await(int seconds) throws InterruptedException {
    if (failed.await(seconds, TimeUnit.SECONDS)) {
      System.err.println(failure);
      System.exit(1);
    }
  }

  private static final class Reading {
    final long time = System.nanoTime();
    final long cpu =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    final long allocated =
        ManagementFactory.getPlatformMXBean(ThreadMXBean.class).getTotalThreadAllocatedBytes();
    final long responses;

    Reading(long responses) {
      this.responses = responses;
    }
  }
}

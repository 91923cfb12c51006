package dev.quickwater.microbench.tls;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// Repeats handshakes for a time and prints what they took, in the form of the program in C.
final class HandshakeLoop {

  private static final double NANOS_PER_SECOND = 1e9;

  /// One connection, from its start to its end.
  interface Handshake {
    /// Returns true if the handshake resumed an earlier session.
    boolean run() throws Exception;
  }

  private HandshakeLoop() {}

  static void report(Handshake handshake, String library, int warmup, int seconds)
      throws Exception {
    var _ = run(handshake, warmup);
    long before = cpu();
    long[] counts = run(handshake, seconds);
    System.out.println(
        String.format(
            Locale.ROOT,
            "handshakes=%d cpu=%.6f resumed=%d library=%s",
            counts[0],
            (cpu() - before) / NANOS_PER_SECOND,
            counts[1],
            library));
  }

  /// Returns the number of handshakes, and of those that resumed a session.
  private static long[] run(Handshake handshake, int seconds) throws Exception {
    long[] counts = new long[2];
    for (long start = System.nanoTime();
        System.nanoTime() - start < TimeUnit.SECONDS.toNanos(seconds);
        counts[0]++) {
      if (handshake.run()) {
        counts[1]++;
      }
    }
    return counts;
  }

  private static long cpu() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }
}

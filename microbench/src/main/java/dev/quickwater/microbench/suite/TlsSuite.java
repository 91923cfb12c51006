package dev.quickwater.microbench.suite;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/// `qw bench tls`: records of both libraries beside Netty's with BoringSSL and with the engine of
/// the JDK.
public final class TlsSuite {

  private static final double WRAP = 0.85;
  private static final double ROUND_TRIP = 0.95;
  private static final double JDK_SMALL = 1.1;
  private static final double JDK_LARGE = 1.5;

  private TlsSuite() {}

  /// Runs the command with its arguments.
  public static void run(List<String> args) throws IOException, InterruptedException {
    Suite.run(
        new Suite.Plan("Quickwater's TLS beside Netty's", TlsSuite::goals, List.of(), 1), args);
  }

  private static List<Goal> goals(Extent extent) {
    return List.of(
        goal("wrap", "TlsRecordBenchmark\\.Wrap", WRAP, Map.of("library", "native")),
        goal(
            "wrap and unwrap",
            "TlsRecordBenchmark\\.RoundTrip",
            ROUND_TRIP,
            Map.of("library", "native")),
        jdk("jdk wrap", "TlsRecordBenchmark\\.Wrap", "64", JDK_SMALL),
        jdk("jdk wrap", "TlsRecordBenchmark\\.Wrap", "1024", JDK_SMALL),
        jdk("jdk wrap", "TlsRecordBenchmark\\.Wrap", "16384", JDK_LARGE),
        jdk("jdk wrap and unwrap", "TlsRecordBenchmark\\.RoundTrip", "64", JDK_SMALL),
        jdk("jdk wrap and unwrap", "TlsRecordBenchmark\\.RoundTrip", "1024", JDK_SMALL),
        jdk("jdk wrap and unwrap", "TlsRecordBenchmark\\.RoundTrip", "16384", JDK_LARGE));
  }

  private static Goal jdk(String topic, String pairs, String length, double target) {
    return goal(topic, pairs, target, Map.of("library", "jdk", "length", length));
  }

  private static Goal goal(String topic, String pairs, double target, Map<String, String> params) {
    return new Goal(topic, pairs, Against.EITHER_ACCESS, target).with(params);
  }
}

package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Runs an [Attack] against a [Target] and checks what holds for every attack: buffers and heap
/// stay within a bound, and a healthy connection on the same loop is answered.
final class Flood {

  /// Whether the attacker reads what the server sends.
  enum Reading {
    YES,
    NO
  }

  private static final long MAX_BUFFERS = 8 << 20;
  private static final long MAX_HEAP = 8 << 20;
  private static final int SUSTAINED_SECONDS = 10;
  private static final int BASELINE_SECONDS = 2;
  private static final double MAX_RISE = 2;

  /// How the attacker's connection ended.
  ///
  /// @param batches that were sent in whole
  /// @param end `goaway CODE`, `closed`, or `open` if the server left it open
  record Result(int batches, String end) {}

  private final Target target;
  private final Attack attack;
  private final Reading reading;

  Flood(Target target, Attack attack, Reading reading) {
    this.target = target;
    this.attack = attack;
    this.reading = reading;
  }

  /// Sends at most `batches` on one connection.
  Result once(int batches) throws Exception {
    try (RawPeer healthy = target.connect()) {
      assertEquals("200", healthy.get(1, "/plaintext"));
      long heap = Target.liveHeap();
      long buffers = target.usedBytes();
      try (RawPeer attacker = attack.open(target.port())) {
        Future<String> end = reading == Reading.YES ? background(() -> drain(attacker)) : null;
        int sent = 0;
        while (sent < batches && attacker.trySend(attack.batch(sent))) {
          sent++;
          assertBelow(MAX_BUFFERS, target.usedBytes() - buffers, "bytes of buffers");
        }
        assertEquals("200", healthy.get(3, "/plaintext"), "a healthy connection");
        assertBelow(MAX_BUFFERS, target.usedBytes() - buffers, "bytes of buffers");
        assertBelow(MAX_HEAP, Target.liveHeap() - heap, "bytes of heap");
        assertEquals("200", healthy.get(5, "/plaintext"), "a healthy connection");
        return new Result(sent, end(attacker, end));
      }
    }
  }

  private static void assertBelow(long max, long actual, String what) {
    assertTrue(actual < max, () -> actual + " more " + what + ", the limit is " + max);
  }

  private static String drain(RawPeer attacker) throws IOException {
    return attacker.end();
  }

  /// Ends the attacker's direction, after which the server closes the connection at the latest.
  private static String end(RawPeer attacker, @Nullable Future<String> end) throws Exception {
    try {
      attacker.finish();
    } catch (IOException _) {
      // the server has closed the connection
    }
    return end == null ? attacker.end() : end.get(20, TimeUnit.SECONDS);
  }

  private static <T> Future<T> background(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread.ofPlatform().daemon().start(task);
    return task;
  }

  /// Floods for 10 s at full speed, with a new connection for each that the server closes. The
  /// median latency of a healthy connection is at most twice that without the flood.
  void sustained() throws Exception {
    String name =
        StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
            .getCallerClass()
            .getSimpleName();
    try (RawPeer healthy = target.connect()) {
      Neighbour neighbour = new Neighbour(healthy);
      var _ = neighbour.median(BASELINE_SECONDS); // the code becomes hot
      double before = neighbour.median(BASELINE_SECONDS);
      long heap = Target.liveHeap();
      long buffers = target.usedBytes();
      AtomicBoolean stop = new AtomicBoolean();
      Future<long[]> flood = background(() -> flood(stop, buffers));
      double during = neighbour.median(SUSTAINED_SECONDS);
      stop.set(true);
      long[] counts = flood.get(30, TimeUnit.SECONDS);
      String figures =
          "%s: median %.0f us, under attack %.0f us, %d batches on %d connections"
              .formatted(name, before, during, counts[0], counts[1]);
      System.out.println(figures);
      assertBelow(MAX_HEAP, Target.liveHeap() - heap, "bytes of heap");
      Target.eventually("buffers of before", () -> target.usedBytes() <= buffers + (64 << 10));
      assertTrue(during <= MAX_RISE * before, figures);
    }
  }

  /// Batches and connections until `stop`.
  private long[] flood(AtomicBoolean stop, long buffers) throws Exception {
    long[] counts = new long[2];
    while (!stop.get()) {
      try (RawPeer attacker = attack.open(target.port())) {
        counts[1]++;
        Future<String> end = reading == Reading.YES ? background(() -> drain(attacker)) : null;
        for (int i = 0; !stop.get() && attacker.trySend(attack.batch(i)); i++) {
          counts[0]++;
          assertBelow(MAX_BUFFERS, target.usedBytes() - buffers, "bytes of buffers");
        }
        attacker.abort();
        if (end != null) {
          var _ = end.get(20, TimeUnit.SECONDS);
        }
      }
    }
    return counts;
  }

  /// One request after the other on a connection that does no harm.
  private static final class Neighbour {

    private final RawPeer peer;
    private int stream = 1;

    Neighbour(RawPeer peer) {
      this.peer = peer;
    }

    /// The median time from request to answer in microseconds.
    double median(int seconds) throws IOException {
      long[] times = new long[1 << 20];
      int count = 0;
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      while (System.nanoTime() < deadline && count < times.length) {
        long start = System.nanoTime();
        assertEquals("200", peer.get(stream, "/plaintext"), "a healthy connection");
        stream += 2;
        times[count++] = System.nanoTime() - start;
      }
      Arrays.sort(times, 0, count);
      return times[count / 2] / 1e3;
    }
  }
}

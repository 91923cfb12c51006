package dev.quickwater.microbench.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/// The traces that allocators are held against: a few loads that servers have, and one that was
/// recorded. The same in every run.
final class Traces {

  private static final int KIB = 1 << 10;

  private Traces() {}

  static List<Trace> all() {
    return List.of(http(), grpc(), uploads(), bursts(), handOver(), recorded());
  }

  /// @throws IllegalArgumentException if no trace has the name
  static Trace named(String name) {
    return all().stream()
        .filter(trace -> trace.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no trace is called " + name));
  }

  /// Two loops with 200 connections each: a read buffer of 2 or 4 KiB for each request, the head of
  /// the response, and a body that the kernel takes at once or after a while.
  private static Trace http() {
    Script script = new Script();
    for (int i = 0; i < 6_000; i++) {
      int loop = i & 1;
      long at = i * 20L;
      script.life(loop, script.random.nextInt(4) == 0 ? 4 * KIB : 2 * KIB, at, at + 5);
      long sent = at + 10 + (script.random.nextInt(8) == 0 ? 60_000 : 0);
      script.life(loop, script.size(128, 512), at + 2, sent);
      script.life(loop, script.size(256, 64 * KIB), at + 3, sent);
    }
    return script.trace("http");
  }

  /// One loop with 100 streams: small frames all the time, data of 16 KiB which waits in the window
  /// of its stream until the application takes it, and now and then settings of long life.
  private static Trace grpc() {
    Script script = new Script();
    for (int i = 0; i < 8_000; i++) {
      long at = i * 10L;
      script.life(0, script.size(16, 256), at, at + 3 + script.random.nextInt(20));
      if (i % 3 == 0) {
        script.life(0, 16 * KIB, at + 1, at + 20 + script.random.nextInt(30_000));
      }
      if (i % 100 == 0) {
        script.life(0, script.size(64, 4 * KIB), at + 2, at + 30_000);
      }
    }
    return script.trace("grpc");
  }

  /// Bodies of 1 to 16 MiB that are put together in memory while 64 KiB reads bring them.
  private static Trace uploads() {
    Script script = new Script();
    for (int i = 0; i < 60; i++) {
      int loop = i & 1;
      long begin = i * 2_000L;
      int size = script.size(1_000 * KIB, 16_000 * KIB);
      script.life(loop, size, begin, begin + 10_000);
      for (int read = 0; read < 40; read++) {
        long at = begin + read * 200L;
        script.life(loop, 64 * KIB, at, at + 100);
      }
    }
    return script.trace("uploads");
  }

  /// Five bursts of 1,500 blocks, each followed by as long a silence in which twenty blocks live:
  /// how much is returned afterwards?
  private static Trace bursts() {
    Script script = new Script();
    for (int burst = 0; burst < 5; burst++) {
      long begin = burst * 1_000_000L;
      for (int i = 0; i < 1_500; i++) {
        long at = begin + i * 10L;
        script.life(
            0, script.size(64, 32 * KIB), at, begin + 20_000 + script.random.nextInt(9_000));
      }
      for (int i = 0; i < 20; i++) {
        script.life(0, script.size(64, 4 * KIB), begin + 10, begin + 900_000);
      }
      for (int i = 0; i < 100; i++) {
        long at = begin + 30_000 + i * 9_000L;
        script.life(0, 2 * KIB, at, at + 100);
      }
    }
    return script.trace("bursts");
  }

  /// A proxy of three loops: what one loop has read another one writes and releases.
  private static Trace handOver() {
    Script script = new Script();
    for (int i = 0; i < 6_000; i++) {
      int reader = script.random.nextInt(3);
      int writer = script.random.nextInt(3);
      long at = i * 25L;
      script.life(
          reader, script.size(512, 64 * KIB), at, writer, at + 50 + script.random.nextInt(20_000));
    }
    return script.trace("hand-over");
  }

  /// Requests of three kinds to our HTTP/1.1 server: see [TraceRecorder].
  private static Trace recorded() {
    try (InputStream in = Objects.requireNonNull(Traces.class.getResourceAsStream("http1.trace"))) {
      return TraceText.parse("recorded", new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

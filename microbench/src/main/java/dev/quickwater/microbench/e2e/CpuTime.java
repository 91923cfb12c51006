package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The processor time that a process has used so far, all threads together: application, compiler
/// and collector.
///
/// The scheduler's own account of each thread has nanoseconds, but forgets a thread that ends;
/// `/proc/PID/stat` remembers those, in ticks of 10 ms. So the account of the threads is taken,
/// unless one has ended in between.
final class CpuTime {

  private static final double NANOS_PER_MICRO = 1e3;
  private static final double MICROS_PER_TICK = 10_000;

  private final Map<String, Long> nanosByThread;
  private final long ticks;

  private CpuTime(Map<String, Long> nanosByThread, long ticks) {
    this.nanosByThread = nanosByThread;
    this.ticks = ticks;
  }

  static CpuTime of(long pid) throws IOException {
    return new CpuTime(threads(pid), ticks(pid));
  }

  double microsSince(CpuTime before) {
    if (nanosByThread.isEmpty()
        || !nanosByThread.keySet().containsAll(before.nanosByThread.keySet())) {
      return (ticks - before.ticks) * MICROS_PER_TICK;
    }
    return (sum() - before.sum()) / NANOS_PER_MICRO;
  }

  private long sum() {
    return nanosByThread.values().stream().mapToLong(Long::longValue).sum();
  }

  private static Map<String, Long> threads(long pid) throws IOException {
    Map<String, Long> nanos = new HashMap<>();
    List<Path> threads;
    try (var folder = Files.list(Path.of("/proc/" + pid + "/task"))) {
      threads = folder.toList();
    }
    for (Path thread : threads) {
      try {
        String text = Files.readString(thread.resolve("schedstat"));
        nanos.put(thread.toString(), Long.parseLong(text.substring(0, text.indexOf(' '))));
      } catch (NoSuchFileException _) {
        return Map.of();
      }
    }
    return nanos;
  }

  /// Fields 14 and 15 of proc_pid_stat(5), counted behind the name, which may contain anything.
  private static long ticks(long pid) throws IOException {
    String text = Files.readString(Path.of("/proc/" + pid + "/stat"));
    List<String> fields = List.of(text.substring(text.lastIndexOf(')') + 2).split(" ", -1));
    return Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12));
  }
}

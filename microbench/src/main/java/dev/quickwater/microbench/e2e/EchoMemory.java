package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.Options;
import dev.quickwater.microbench.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/// `qw bench echo`: whether a body that is streamed back leaves resident memory flat.
///
/// A first, smaller body warms up; then `VmRSS` is sampled while the large one passes. Flat means
/// that the difference does not grow with the size.
public final class EchoMemory {

  private static final int MEBIBYTES = 2048;
  private static final int WARMUP_MEBIBYTES = 256;
  private static final double MIB = 1 << 20;
  private static final long INTERVAL_MILLIS = 50;
  private static final List<Variant> VARIANTS =
      List.of(Variant.QUICKWATER_EPOLL, Variant.QUICKWATER_NIO, Variant.QUICKWATER_LIBRARY);

  private EchoMemory() {}

  /// Runs the command with its arguments.
  public static void run(List<String> args) throws IOException, InterruptedException {
    Options options = Options.parse(args, Set.of("--mebibytes", "--variants"), Set.of());
    options.noWords();
    int mebibytes = options.number("--mebibytes", MEBIBYTES, 1);
    Table table =
        new Table("POST /echo of " + mebibytes + " MiB", "RSS min MiB", "RSS max MiB", "MiB/s");
    for (Variant variant : Variant.jvms(options.list("--variants"), VARIANTS)) {
      for (boolean chunked : new boolean[] {false, true}) {
        measure(variant, (long) mebibytes << 20, chunked, table);
      }
    }
    System.out.print(table);
  }

  private static void measure(Variant variant, long size, boolean chunked, Table table)
      throws IOException, InterruptedException {
    String label = variant.label() + (chunked ? " chunked" : " content-length");
    System.err.println(label);
    try (ServerProcess server =
        ServerProcess.start(variant.command(Layout.find(), Path.of("none"), List.of()))) {
      echo(server, Math.min(size, (long) WARMUP_MEBIBYTES << 20), chunked);
      List<Long> samples = new ArrayList<>();
      AtomicBoolean done = new AtomicBoolean();
      Thread sampler =
          Thread.ofPlatform().daemon().start(() -> sample(server.pid(), done, samples));
      long begin = System.nanoTime();
      echo(server, size, chunked);
      double seconds = (System.nanoTime() - begin) / 1e9;
      done.set(true);
      sampler.join();
      var statistics = samples.stream().mapToLong(Long::longValue).summaryStatistics();
      table.add(
          label,
          String.format(Locale.ROOT, "%.1f", statistics.getMin() / MIB),
          String.format(Locale.ROOT, "%.1f", statistics.getMax() / MIB),
          String.format(Locale.ROOT, "%.0f", size / MIB / seconds));
    }
  }

  private static void echo(ServerProcess server, long size, boolean chunked) throws IOException {
    long received = EchoClient.echo(server.address(), size, chunked);
    if (received != size) {
      throw new IOException("sent " + size + " bytes and got " + received + " back");
    }
  }

  private static void sample(long pid, AtomicBoolean done, List<Long> samples) {
    try {
      do {
        samples.add(Resident.now(pid));
        Thread.sleep(INTERVAL_MILLIS);
      } while (!done.get());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}

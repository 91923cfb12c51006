package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The load generator: one thread of wrk on a dedicated core.
final class Wrk {

  static final int CONNECTIONS = 64;

  /// Depth 1 leaves the request to wrk, which then builds it once; a batch has to come from Lua.
  private static final String BATCH =
      """
      local batch
      function init(args)
        local one, all = wrk.format("GET"), {}
        for i = 1, DEPTH do all[i] = one end
        batch = table.concat(all)
      end
      function request() return batch end
      """;

  /// Before it prints percentiles, wrk adds made-up samples below each slow one, a mean interval
  /// apart ("coordinated omission"). It takes the interval between requests for that between
  /// batches, so with pipelining what it prints is far off, often 0. Since every value passes its
  /// count on downwards, taking away the count that stands one interval above leaves what was
  /// measured.
  ///
  /// The histogram is read from wrk's own struct (count, limit, min, max, one counter for each
  /// microsecond): `latency(i)` walks it from the start at every call, which takes minutes on a
  /// busy machine.
  private static final String DONE =
      """
      local ffi = require("ffi")
      function done(summary, latency, requests)
        local e = summary.errors
        local interval = math.floor(summary.duration / math.floor(summary.requests / CONNECTIONS))
        local stats = ffi.cast("uint64_t**", latency)[0]
        local min, max, data = tonumber(stats[2]), tonumber(stats[3]), stats + 4
        local function measured(n)
          local added = n > interval and n + interval <= max and data[n + interval] or 0
          return tonumber(data[n]) - tonumber(added)
        end
        local total = 0
        for n = min, max do total = total + measured(n) end
        local function percentile(p)
          local left = total * p / 100
          for n = min, max do
            left = left - measured(n)
            if left <= 0 then return n end
          end
          return max
        end
        io.write(string.format("\\nmeasured %d %d %d %d %d %d %d %d %d %d\\n",
          summary.requests, summary.duration, e.connect, e.read, e.write, e.status, e.timeout,
          percentile(50), percentile(99), total))
      end
      """;

  private final Path folder;
  private final int core;

  /// Scripts go into `folder`.
  Wrk(Path folder, int core) {
    this.folder = folder;
    this.core = core;
  }

  Load run(String url, int depth, int seconds) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                List.of(
                    "taskset",
                    "-c",
                    String.valueOf(core),
                    "wrk",
                    "-t1",
                    "-c" + CONNECTIONS,
                    "-d" + seconds + "s",
                    "--latency",
                    "-s",
                    script(depth).toString(),
                    url))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("wrk failed:\n" + output);
    }
    return Load.parse(output, depth);
  }

  private static String text(int depth) {
    String done = DONE.replace("CONNECTIONS", String.valueOf(CONNECTIONS));
    return depth == 1 ? done : BATCH.replace("DEPTH", String.valueOf(depth)) + done;
  }

  private Path script(int depth) throws IOException {
    Path file = folder.resolve("depth" + depth + ".lua");
    if (!Files.exists(file)) {
      Files.writeString(file, text(depth));
    }
    return file;
  }
}

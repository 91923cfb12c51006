package dev.quickwater.microbench.e2e;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The memory of a process, in bytes.
///
/// @param resident `VmRSS`
/// @param liveHeap the objects on the Java heap that are live after a full collection, without the
///   objects with which the garbage collector fills gaps
record Resident(long resident, long liveHeap) {

  private static final Pattern VM_RSS = Pattern.compile("^VmRSS:\\s+(\\d+) kB$", Pattern.MULTILINE);
  private static final Pattern TOTAL =
      Pattern.compile("^Total\\s+\\d+\\s+(\\d+)\\s*$", Pattern.MULTILINE);
  private static final Pattern FILLER =
      Pattern.compile(
          "^\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+\\[?L?jdk\\.internal\\.vm\\.Filler", Pattern.MULTILINE);
  private static final long KIB = 1024;

  /// The histogram collects garbage first and counts what is reachable.
  static Resident afterCollection(long pid) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(Layout.jcmd(), String.valueOf(pid), "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("jcmd failed:\n" + output);
    }
    return new Resident(now(pid), live(output));
  }

  static long now(long pid) throws IOException {
    return KIB * number(VM_RSS, Files.readString(Path.of("/proc/" + pid + "/status")));
  }

  /// Live bytes of a class histogram.
  static long live(String histogram) throws IOException {
    long live = number(TOTAL, histogram);
    Matcher filler = FILLER.matcher(histogram);
    while (filler.find()) {
      live -= Long.parseLong(filler.group(1));
    }
    return live;
  }

  private static long number(Pattern pattern, String text) throws IOException {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IOException("found no " + pattern + " in:\n" + text);
    }
    return Long.parseLong(matcher.group(1));
  }
}

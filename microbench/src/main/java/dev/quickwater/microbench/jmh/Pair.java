package dev.quickwater.microbench.jmh;

import dev.quickwater.microbench.command.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/// A benchmark of ours and Netty's counterpart: two methods of a class that differ in their prefix.
///
/// @param type the class, qualified
/// @param suffix what both method names end with
record Pair(String type, String suffix) implements Comparable<Pair> {

  /// Every pair on the class path; a method without a counterpart is a mistake in the benchmark.
  static List<Pair> all() {
    SortedMap<Pair, List<String>> found = new TreeMap<>();
    for (BenchmarkListEntry entry :
        BenchmarkList.defaultList()
            .getAll(
                OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT),
                List.of())) {
      String name = entry.getUsername();
      int dot = name.lastIndexOf('.');
      String method = name.substring(dot + 1);
      String prefix =
          method.startsWith(PairedBenchmark.OURS) ? PairedBenchmark.OURS : PairedBenchmark.THEIRS;
      if (!method.startsWith(prefix)) {
        throw new IllegalStateException(name + " starts neither with quickwater nor with netty");
      }
      found
          .computeIfAbsent(
              new Pair(name.substring(0, dot), method.substring(prefix.length())),
              _ -> new ArrayList<>())
          .add(prefix);
    }
    found.forEach(Pair::requireBothSides);
    return List.copyOf(found.keySet());
  }

  private static void requireBothSides(Pair pair, List<String> prefixes) {
    if (!prefixes.contains(PairedBenchmark.OURS) || !prefixes.contains(PairedBenchmark.THEIRS)) {
      throw new IllegalStateException(pair.label() + " has no counterpart");
    }
  }

  /// Those whose label the regular expression finds, letter case aside.
  static List<Pair> matching(String pattern) {
    Pattern compiled;
    try {
      compiled = Pattern.compile(pattern, Pattern.CASE_INSENSITIVE);
    } catch (PatternSyntaxException e) {
      throw new UsageException("bad pattern '" + pattern + "': " + e.getDescription());
    }
    List<Pair> matching =
        all().stream().filter(pair -> compiled.matcher(pair.label()).find()).toList();
    if (matching.isEmpty()) {
      throw new UsageException("no benchmark matches '" + pattern + "', see qw bench list");
    }
    return matching;
  }

  /// As a user sees it: `AllocatorBenchmark.Fixed`.
  String label() {
    return type.substring(type.lastIndexOf('.') + 1) + "." + suffix;
  }

  /// A pattern for JMH that only this side's method matches.
  String include(JvmTerms side) {
    return "^" + Pattern.quote(type + "." + side.prefix + suffix) + "$";
  }

  @Override
  public int compareTo(Pair other) {
    int order = type.compareTo(other.type);
    return order != 0 ? order : suffix.compareTo(other.suffix);
  }
}

package dev.quickwater.microbench.jmh;

import dev.quickwater.microbench.command.UsageException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/// A benchmark of ours and its counterparts: methods of a class that differ in their prefix.
///
/// @param type the class, qualified
/// @param suffix what all the method names end with
/// @param prefixes whose methods there are
record Pair(String type, String suffix, Set<String> prefixes) {

  /// Every pair on the class path; a method without a counterpart is a mistake in the benchmark.
  static List<Pair> all() {
    SortedMap<String, Pair> found = new TreeMap<>();
    for (BenchmarkListEntry entry :
        BenchmarkList.defaultList()
            .getAll(
                OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT),
                List.of())) {
      String name = entry.getUsername();
      int dot = name.lastIndexOf('.');
      String prefix = JvmTerms.ofMethod(name.substring(dot + 1)).prefix;
      Pair pair =
          new Pair(
              name.substring(0, dot),
              name.substring(dot + 1 + prefix.length()),
              new TreeSet<>(Set.of(prefix)));
      found.merge(pair.type + "." + pair.suffix, pair, Pair::join);
    }
    found.values().forEach(Pair::requireBothSides);
    return List.copyOf(found.values());
  }

  private Pair join(Pair other) {
    prefixes.addAll(other.prefixes);
    return this;
  }

  private void requireBothSides() {
    if (!prefixes.contains(JvmTerms.QUICKWATER.prefix) || prefixes.size() < 2) {
      throw new IllegalStateException(label() + " has no counterpart");
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

  /// Whom ours is put beside.
  List<JvmTerms> peers() {
    return Arrays.stream(JvmTerms.values())
        .filter(terms -> terms != JvmTerms.QUICKWATER && prefixes.contains(terms.prefix))
        .toList();
  }

  /// A pattern for JMH that only this side's method matches.
  String include(JvmTerms side) {
    return "^" + Pattern.quote(type + "." + side.prefix + suffix) + "$";
  }
}

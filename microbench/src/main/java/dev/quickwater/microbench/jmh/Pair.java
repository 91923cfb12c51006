package dev.quickwater.microbench.jmh;

import dev.quickwater.microbench.command.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
/// @param values the values of each parameter
public record Pair(
    String type, String suffix, Set<String> prefixes, SortedMap<String, List<String>> values) {

  /// Where Netty's buffers come from matters to these alone.
  private static final String BUFFERS = ".microbench.buffer.";

  /// Every pair on the class path; a method without a counterpart is a mistake in the benchmark.
  public static List<Pair> all() {
    SortedMap<String, Pair> found = new TreeMap<>();
    for (BenchmarkListEntry entry :
        BenchmarkList.defaultList()
            .getAll(
                OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT),
                List.of())) {
      String name = entry.getUsername();
      int dot = name.lastIndexOf('.');
      String prefix = JvmTerms.ofMethod(name.substring(dot + 1)).prefix();
      Pair pair =
          new Pair(
              name.substring(0, dot),
              name.substring(dot + 1 + prefix.length()),
              new TreeSet<>(Set.of(prefix)),
              values(entry));
      found.merge(pair.type + "." + pair.suffix, pair, Pair::join);
    }
    found.values().forEach(Pair::requireBothSides);
    return List.copyOf(found.values());
  }

  private static SortedMap<String, List<String>> values(BenchmarkListEntry entry) {
    SortedMap<String, List<String>> values = new TreeMap<>();
    entry.getParams().orElse(Map.of()).forEach((name, all) -> values.put(name, List.of(all)));
    return values;
  }

  private Pair join(Pair other) {
    prefixes.addAll(other.prefixes);
    return this;
  }

  private void requireBothSides() {
    if (!prefixes.contains(JvmTerms.QUICKWATER.prefix()) || prefixes.size() < 2) {
      throw new IllegalStateException(label() + " has no counterpart");
    }
  }

  /// Those whose label the regular expression finds, letter case aside.
  static List<Pair> matching(String pattern) {
    Pattern compiled = compile(pattern);
    List<Pair> matching =
        all().stream().filter(pair -> compiled.matcher(pair.label()).find()).toList();
    if (matching.isEmpty()) {
      throw new UsageException("no benchmark matches '" + pattern + "', see qw bench list");
    }
    return matching;
  }

  /// The pattern of a user, letter case aside.
  public static Pattern compile(String pattern) {
    try {
      return Pattern.compile(pattern, Pattern.CASE_INSENSITIVE);
    } catch (PatternSyntaxException e) {
      throw new UsageException("bad pattern '" + pattern + "': " + e.getDescription());
    }
  }

  /// Every combination of the values of the parameters, those in `fixed` at that value alone.
  public List<Map<String, String>> combinations(Map<String, String> fixed) {
    if (!values.keySet().containsAll(fixed.keySet())) {
      throw new IllegalArgumentException(label() + " has not all the parameters " + fixed.keySet());
    }
    List<Map<String, String>> combinations = List.of(Map.of());
    for (var parameter : values.entrySet()) {
      List<String> chosen =
          fixed.containsKey(parameter.getKey())
              ? List.of(fixed.get(parameter.getKey()))
              : parameter.getValue();
      List<Map<String, String>> longer = new ArrayList<>();
      for (Map<String, String> begun : combinations) {
        for (String value : chosen) {
          Map<String, String> one = new TreeMap<>(begun);
          one.put(parameter.getKey(), value);
          longer.add(one);
        }
      }
      combinations = longer;
    }
    return combinations;
  }

  /// As a user sees it: `AllocatorBenchmark.Fixed`.
  public String label() {
    return type.substring(type.lastIndexOf('.') + 1) + "." + suffix;
  }

  /// The peers of our side.
  List<JvmTerms> peers() {
    return JvmTerms.PEERS.stream()
        .filter(terms -> prefixes.contains(terms.prefix()))
        .filter(terms -> !terms.label().contains("pooled") || type.contains(BUFFERS))
        .toList();
  }

  /// A pattern for JMH that only this side's method matches.
  String include(JvmTerms side) {
    return "^" + Pattern.quote(type + "." + side.prefix() + suffix) + "$";
  }
}

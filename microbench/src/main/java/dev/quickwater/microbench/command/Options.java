package dev.quickwater.microbench.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// A command line taken apart: `--name value`, `--flag`, and the words between.
///
/// A name that the command does not know is an error, never ignored.
public final class Options {

  private final Map<String, String> values = new TreeMap<>();
  private final List<String> words = new ArrayList<>();

  private Options() {}

  /// Parses `args`, where the options in `valued` take a value and those in `flags` take none.
  public static Options parse(List<String> args, Set<String> valued, Set<String> flags) {
    Options options = new Options();
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      if (!arg.startsWith("-")) {
        options.words.add(arg);
      } else if (flags.contains(arg)) {
        options.values.put(arg, "");
      } else if (!valued.contains(arg)) {
        throw new UsageException("unknown option " + arg + ", see qw bench help");
      } else if (i + 1 == args.size()) {
        throw new UsageException(arg + " needs a value, see qw bench help");
      } else {
        options.values.put(arg, args.get(++i));
      }
    }
    return options;
  }

  public List<String> words() {
    return words;
  }

  /// Refuses words where the command takes none.
  public void noWords() {
    if (!words.isEmpty()) {
      throw new UsageException("unexpected argument " + words.getFirst() + ", see qw bench help");
    }
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }

  public Optional<String> value(String name) {
    return Optional.ofNullable(values.get(name));
  }

  /// A whole number of at least `least`.
  public int number(String name, int fallback, int least) {
    return value(name).map(text -> number(name, text, least)).orElse(fallback);
  }

  /// A comma-separated list of whole numbers of at least 1.
  public List<Integer> numbers(String name, List<Integer> fallback) {
    return list(name)
        .map(texts -> texts.stream().map(text -> number(name, text, 1)).toList())
        .orElse(fallback);
  }

  /// A comma-separated list.
  public Optional<List<String>> list(String name) {
    return value(name).map(text -> List.of(text.split(",", -1)));
  }

  private static int number(String name, String text, int least) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException _) {
      // answered below with the text as it was given
    }
    throw new UsageException(
        name + " is '" + text + "', expected a whole number of at least " + least);
  }
}

package dev.quickwater.microbench.e2e;

import dev.quickwater.microbench.command.UsageException;
import java.util.Arrays;
import java.util.function.Function;

/// Finds what a user has named.
final class Labels {

  private Labels() {}

  /// The value with a label.
  ///
  /// @param kind what the values are, for the message
  /// @throws UsageException if no value has it; the message has all labels
  static <T> T find(T[] values, Function<T, String> labelOf, String kind, String label) {
    return Arrays.stream(values)
        .filter(value -> labelOf.apply(value).equals(label))
        .findFirst()
        .orElseThrow(() ->
            new UsageException(
                "unknown "
                    + kind
                    + " "
                    + label
                    + ", known: "
                    + String.join(" ", Arrays.stream(values).map(labelOf).toList())));
  }
}

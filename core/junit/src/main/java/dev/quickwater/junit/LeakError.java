package dev.quickwater.junit;

import dev.quickwater.common.LeakTracker;
import java.util.List;
import java.util.stream.Collectors;

/// A test left handles unreleased. The message says of each where it was created and touched last.
public final class LeakError extends AssertionError {

  private static final long serialVersionUID = 1;

  /// Reports beyond this many would bury the first ones.
  private static final int MOST_REPORTS = 10;

  LeakError(String by, List<LeakTracker.Leak> leaks) {
    super(message(by, leaks));
  }

  private static String message(String by, List<LeakTracker.Leak> leaks) {
    String reports =
        leaks.stream()
            .limit(MOST_REPORTS)
            .map(LeakTracker.Leak::report)
            .collect(Collectors.joining("\n"));
    int left = leaks.size() - MOST_REPORTS;
    return by
        + " did not release "
        + (leaks.size() == 1 ? "a handle" : leaks.size() + " handles")
        + ":\n"
        + reports
        + (left > 0 ? "\nand " + left + " more" : "");
  }
}

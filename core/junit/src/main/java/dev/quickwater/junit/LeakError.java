package dev.quickwater.junit;

import dev.quickwater.common.LeakTracker;
import java.util.List;
import java.util.stream.Collectors;

/// Reports that a test has left handles unreleased. The message has the place where each handle was
/// created and touched last.
public final class LeakError extends AssertionError {

  private static final long serialVersionUID = 1;

  /// The maximum number of reports in the message.
  private static final int MAX_REPORTS = 10;

  LeakError(String by, List<LeakTracker.Leak> leaks) {
    super(message(by, leaks));
  }

  private static String message(String by, List<LeakTracker.Leak> leaks) {
    String reports =
        leaks.stream()
            .limit(MAX_REPORTS)
            .map(LeakTracker.Leak::report)
            .collect(Collectors.joining("\n"));
    int left = leaks.size() - MAX_REPORTS;
    return by
        + " did not release "
        + (leaks.size() == 1 ? "a handle" : leaks.size() + " handles")
        + ":\n"
        + reports
        + (left > 0 ? "\nand " + left + " more" : "");
  }
}

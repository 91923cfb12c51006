package dev.quickwater.junit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// What became of the tests and classes of a run inside this one, by simple display name: an empty
/// text or the message of the failure.
record Outcome(Map<String, String> failures, List<String> entries) {

  static Outcome of(Class<?> tests) {
    return of(tests, Map.of());
  }

  static Outcome of(Class<?> tests, Map<String, String> parameters) {
    Map<String, String> failures = new TreeMap<>();
    List<String> entries = new ArrayList<>();
    var listener =
        new TestExecutionListener() {
          @Override
          public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            synchronized (failures) {
              failures.put(
                  test.getDisplayName().replaceFirst(".*\\$", ""),
                  result.getThrowable().map(t -> t.toString()).orElse(""));
            }
          }

          @Override
          public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
            synchronized (failures) {
              entries.addAll(entry.getKeyValuePairs().values());
            }
          }
        };
    Map<String, String> all = new HashMap<>(parameters);
    all.put(Inner.SWITCH, "true");
    var request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(tests))
            .configurationParameters(all)
            .build();
    LauncherFactory.create().execute(request, listener);
    return new Outcome(failures, entries);
  }

  String of(String displayName) {
    String failure = failures.get(displayName);
    if (failure == null) {
      throw new AssertionError(displayName + " did not run, only " + failures);
    }
    return failure;
  }
}

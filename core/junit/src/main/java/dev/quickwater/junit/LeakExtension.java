package dev.quickwater.junit;

import dev.quickwater.common.LeakCheckpoint;
import dev.quickwater.common.LeakTracker;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.platform.commons.support.AnnotationSupport;

/// Fails each test that leaves tracked handles, such as buffers, unreleased.
///
/// - The check reads the tracker and needs no garbage collection: handles that were tracked between
///   `@BeforeEach` and the end of `@AfterEach` must be released.
/// - Each invocation of a parameterised or repeated test counts as a test. Dynamic tests and their
///   factory count as one test.
/// - Handles created before the test, by a static initialiser, `@BeforeAll` or the constructor,
///   belong to the class: they must be released by the end of `@AfterAll`.
/// - A handle that must outlive the test is exempt after a call of [LeakTracker#forget]. [MayLeak]
///   exempts a test or a class.
/// - Only tracked handles are checked: run tests with `-Ddev.quickwater.leakLevel=paranoid`. At
///   other levels a report entry and a warning state that leaks go unnoticed.
/// - Handles are counted for the whole process. If tests run in parallel, a class must be [NoLeaks]
///   or `@Isolated`; otherwise it fails before its first test.
///
/// Other threads have 500 ms to release their handles after a test. [NoLeaks#graceMillis] and the
/// configuration parameter `dev.quickwater.junit.graceMillis` change this time.
///
/// [NoLeaks] and `@ExtendWith` register the extension for a class. JUnit's detection of extensions
/// (`junit.jupiter.extensions.autodetection.enabled=true`) registers it for all tests.
public final class LeakExtension
    implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

  /// The time for loops to release handles that a test has passed to them. A leak delays its test
  /// by this time.
  static final long GRACE_MILLIS = 500;

  private static final String GRACE = "dev.quickwater.junit.graceMillis";

  private static final System.Logger LOG = System.getLogger(LeakExtension.class.getName());
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(LeakExtension.class);
  private static final String CHECKPOINT = "checkpoint";

  /// For JUnit.
  public LeakExtension() {}

  @Override
  public void beforeAll(ExtensionContext context) {
    requireIsolation(context);
    warnAboutLevel(context);
    begin(context);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    begin(context);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    end(context, "the test " + context.getDisplayName());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    end(context, "the class " + context.getRequiredTestClass().getName());
  }

  private static void begin(ExtensionContext context) {
    context.getStore(NAMESPACE).put(CHECKPOINT, LeakTracker.checkpoint());
  }

  private static void end(ExtensionContext context, String by) {
    @Nullable LeakCheckpoint checkpoint =
        context.getStore(NAMESPACE).remove(CHECKPOINT, LeakCheckpoint.class);
    if (checkpoint == null) {
      return; // the class was refused
    }
    try (checkpoint) {
      Set<LeakTracker.Leak> known = known(context);
      boolean exempt = isExempt(context);
      List<LeakTracker.Leak> leaks = remaining(checkpoint, known, exempt ? 0 : grace(context));
      for (LeakTracker.Leak leak : leaks) {
        known.add(leak);
        leak.released();
      }
      if (!leaks.isEmpty() && !exempt) {
        throw new LeakError(by, leaks);
      }
    }
  }

  private static List<LeakTracker.Leak> remaining(
      LeakCheckpoint checkpoint, Set<LeakTracker.Leak> known, long graceMillis) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(graceMillis);
    while (true) {
      List<LeakTracker.Leak> leaks = new ArrayList<>(checkpoint.unreleased());
      leaks.removeAll(known);
      if (leaks.isEmpty() || System.nanoTime() - deadline >= 0) {
        return leaks;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  /// Leaks that were reported or exempted for a test. They are not reported again for its class.
  private static Set<LeakTracker.Leak> known(ExtensionContext context) {
    return context.getRoot().getStore(NAMESPACE).computeIfAbsent(Known.class).leaks;
  }

  static final class Known {
    final Set<LeakTracker.Leak> leaks = ConcurrentHashMap.newKeySet();
  }

  private static long grace(ExtensionContext context) {
    for (Class<?> c : classes(context)) {
      long own =
          AnnotationSupport.findAnnotation(c, NoLeaks.class).map(NoLeaks::graceMillis).orElse(-1L);
      if (own >= 0) {
        return own;
      }
    }
    return context.getConfigurationParameter(GRACE, Long::valueOf).orElse(GRACE_MILLIS);
  }

  private static boolean isExempt(ExtensionContext context) {
    return AnnotationSupport.isAnnotated(context.getElement(), MayLeak.class)
        || isOnClass(context, MayLeak.class);
  }

  private static boolean isOnClass(
      ExtensionContext context, Class<? extends java.lang.annotation.Annotation> annotation) {
    return classes(context).stream().anyMatch(c -> AnnotationSupport.isAnnotated(c, annotation));
  }

  /// The class of a test and those that enclose it, the innermost first.
  private static List<Class<?>> classes(ExtensionContext context) {
    List<Class<?>> classes = new ArrayList<>();
    for (@Nullable Class<?> c = context.getRequiredTestClass();
        c != null;
        c = c.getEnclosingClass()) {
      classes.add(c);
    }
    return classes;
  }

  private static void requireIsolation(ExtensionContext context) {
    boolean parallel =
        context
            .getConfigurationParameter("junit.jupiter.execution.parallel.enabled", Boolean::valueOf)
            .orElse(false);
    if (parallel && !isOnClass(context, Isolated.class) && !isExempt(context)) {
      throw new ExtensionConfigurationException(
          "tests run in parallel, and "
              + context.getRequiredTestClass().getName()
              + " would fail for leaks of other tests: annotate it with @NoLeaks or @Isolated,"
              + " or with @MayLeak");
    }
  }

  private static void warnAboutLevel(ExtensionContext context) {
    if (LeakTracker.LEVEL != LeakTracker.Level.PARANOID) {
      String text =
          "leaks may go unnoticed: the leak level is "
              + LeakTracker.LEVEL.name().toLowerCase(Locale.ROOT)
              + "; run tests with -Ddev.quickwater.leakLevel=paranoid";
      context.publishReportEntry("quickwater.leaks", text);
      LOG.log(System.Logger.Level.WARNING, context.getDisplayName() + ": " + text);
    }
  }
}

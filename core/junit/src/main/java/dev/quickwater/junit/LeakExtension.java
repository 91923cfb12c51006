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
/// - It asks the tracker, not the collector: what was tracked between `@BeforeEach` and the end of
///   `@AfterEach` and is not released is a leak of that test, at once and exactly. Other threads
///   have a grace of [NoLeaks#graceMillis] to release what they hold.
/// - Each invocation of a parameterised or repeated test is a test; dynamic tests are one with
///   their factory.
/// - What was made before the test, by a static initialiser, `@BeforeAll` or the constructor, is
///   the class's: it has to be released by the end of `@AfterAll`.
/// - A handle that is to live on is exempt once it was passed to [LeakTracker#forget]; a test or a
///   class is with [MayLeak].
/// - Only what the tracker tracks is seen: run tests with `-Ddev.quickwater.leakLevel=paranoid`. At
///   other levels a report entry and a warning say that leaks go unnoticed.
/// - It counts for the whole process. Where tests run in parallel, a class has to be [NoLeaks] or
///   `@Isolated`; otherwise it fails before its first test.
///
/// It is registered by [NoLeaks], by `@ExtendWith`, or for all tests by JUnit's detection of
/// extensions (`junit.jupiter.extensions.autodetection.enabled=true`).
public final class LeakExtension
    implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

  static final long GRACE_MILLIS = 5_000;

  private static final System.Logger LOG = System.getLogger(LeakExtension.class.getName());
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(LeakExtension.class);
  private static final String CHECKPOINT = "checkpoint";

  /// For JUnit.
  public LeakExtension() {}

  @Override
  public void beforeAll(ExtensionContext context) {
    requireIsolation(context);
    sayLevel(context);
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

  /// Leaks that a test was failed or excused for: its class is not failed for them again.
  private static Set<LeakTracker.Leak> known(ExtensionContext context) {
    return context.getRoot().getStore(NAMESPACE).computeIfAbsent(Known.class).leaks;
  }

  static final class Known {
    final Set<LeakTracker.Leak> leaks = ConcurrentHashMap.newKeySet();
  }

  private static long grace(ExtensionContext context) {
    for (@Nullable Class<?> c = context.getRequiredTestClass();
        c != null;
        c = c.getEnclosingClass()) {
      var settings = AnnotationSupport.findAnnotation(c, NoLeaks.class);
      if (settings.isPresent()) {
        return settings.get().graceMillis();
      }
    }
    return GRACE_MILLIS;
  }

  private static boolean isExempt(ExtensionContext context) {
    return AnnotationSupport.isAnnotated(context.getElement(), MayLeak.class)
        || isOnClass(context, MayLeak.class);
  }

  private static boolean isOnClass(
      ExtensionContext context, Class<? extends java.lang.annotation.Annotation> annotation) {
    for (@Nullable Class<?> c = context.getRequiredTestClass();
        c != null;
        c = c.getEnclosingClass()) {
      if (AnnotationSupport.isAnnotated(c, annotation)) {
        return true;
      }
    }
    return false;
  }

  private static void requireIsolation(ExtensionContext context) {
    boolean parallel =
        context
            .getConfigurationParameter("junit.jupiter.execution.parallel.enabled", Boolean::valueOf)
            .orElse(false);
    if (parallel && !isOnClass(context, Isolated.class) && !isExempt(context)) {
      throw new ExtensionConfigurationException(
          "tests run in parallel, so that "
              + context.getRequiredTestClass().getName()
              + " could be blamed for leaks of others: annotate it with @NoLeaks or @Isolated,"
              + " or with @MayLeak");
    }
  }

  private static void sayLevel(ExtensionContext context) {
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

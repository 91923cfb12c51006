package dev.quickwater.common;

import dev.quickwater.system.Settings;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Finds handles that became unreachable without being released.
///
/// | level | what is tracked | what is recorded |
/// |---|---|---|
/// | disabled | nothing | nothing |
/// | simple | one handle in 1,024 | where it was created |
/// | advanced | one handle in 128 | creation and the last 8 hints |
/// | paranoid | every handle | creation and the last 8 hints |
///
/// The level is chosen once, by `-Ddev.quickwater.leakLevel`. A stack trace is captured when
/// something is recorded and rendered only if a leak is reported. Reports go to the log and to
/// [#onLeak].
public final class LeakTracker {

  /// How much is tracked.
  public enum Level {
    DISABLED,
    SIMPLE,
    ADVANCED,
    PARANOID
  }

  /// The level of this process.
  public static final Level LEVEL =
      switch (Settings.LEAK_LEVEL) {
        case "disabled" -> Level.DISABLED;
        case "simple" -> Level.SIMPLE;
        case "advanced" -> Level.ADVANCED;
        case "paranoid" -> Level.PARANOID;
        default ->
            throw new IllegalArgumentException(
                "dev.quickwater.leakLevel is '"
                    + Settings.LEAK_LEVEL
                    + "', expected disabled, simple, advanced or paranoid");
      };

  /// A running number is spread by Fibonacci hashing and tracked when the bits above this shift are
  /// all zero. Taking every 128th number as it comes would miss a leak whose buffers always have
  /// odd numbers. Tracking costs about 800 ns, so one in 1,024 adds less than 1 ns to an
  /// allocation.
  private static final int SAMPLE_SHIFT = LEVEL == Level.SIMPLE ? 32 - 10 : 32 - 7;

  private static final int GOLDEN_RATIO = 0x9E37_79B9;

  /// Whether views of a tracked handle are tracked too: at the simple level one tracked buffer that
  /// lives long would make each of its many views cost a stack trace.
  public static final boolean VIEWS = LEVEL == Level.ADVANCED || LEVEL == Level.PARANOID;

  private static final int MOST_HINTS = 8;
  private static final boolean HINTS = LEVEL == Level.ADVANCED || LEVEL == Level.PARANOID;
  private static final System.Logger LOG = System.getLogger(LeakTracker.class.getName());

  private static final ReferenceQueue<Object> UNREACHABLE = new ReferenceQueue<>();
  private static final Set<Leak> LIVE = ConcurrentHashMap.newKeySet();
  private static final AtomicLong LEAKS = new AtomicLong();
  private static volatile Consumer<String> listener = _ -> {};

  private LeakTracker() {}

  /// True when the handle with this running number is one to track.
  public static boolean samples(int number) {
    return LEVEL == Level.PARANOID
        || (LEVEL != Level.DISABLED && (number * GOLDEN_RATIO) >>> SAMPLE_SHIFT == 0);
  }

  /// Starts to track `handle`; its owner calls [Leak#released] when it is released.
  public static Leak track(Object handle, String what) {
    reportUnreachable();
    Leak leak = new Leak(handle, what);
    LIVE.add(leak);
    return leak;
  }

  /// Reports every tracked handle that the collector has found unreachable.
  ///
  /// @return leaks reported since the process started
  public static long reportUnreachable() {
    Object found;
    while ((found = UNREACHABLE.poll()) != null) {
      Leak leak = (Leak) found;
      if (LIVE.remove(leak)) {
        LEAKS.incrementAndGet();
        String report = leak.render();
        LOG.log(System.Logger.Level.ERROR, report);
        tell(report);
      }
    }
    return LEAKS.get();
  }

  private static void tell(String report) {
    try {
      listener.accept(report);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "a listener for leaks threw", e);
    }
  }

  /// Calls `consumer` with the text of each further report, on the thread that finds it.
  public static void onLeak(Consumer<String> consumer) {
    listener = consumer;
  }

  /// What is known of one tracked handle. It does not keep the handle reachable.
  public static final class Leak extends PhantomReference<Object> {

    private final String what;
    private final Throwable created = new Throwable("created here");
    private @Nullable Deque<Throwable> hints;

    Leak(Object handle, String what) {
      super(handle, UNREACHABLE);
      this.what = what;
    }

    /// Records where the handle is now, with a word for people.
    public synchronized void record(@Nullable Object hint) {
      if (!HINTS) {
        return;
      }
      if (hints == null) {
        hints = new ArrayDeque<>(MOST_HINTS);
      }
      if (hints.size() == MOST_HINTS) {
        hints.removeFirst();
      }
      hints.addLast(new Throwable(hint == null ? "touched here" : String.valueOf(hint)));
    }

    /// The handle was released; nothing will be reported.
    public void released() {
      LIVE.remove(this);
      clear();
    }

    synchronized String render() {
      StringBuilder text = new StringBuilder("leak: ").append(what).append(" was never released");
      append(text, created);
      if (hints != null) {
        hints.forEach(hint -> append(text, hint));
      }
      return text.toString();
    }

    private static void append(StringBuilder text, Throwable where) {
      text.append("\n  ").append(where.getMessage());
      for (StackTraceElement element : where.getStackTrace()) {
        text.append("\n    at ").append(element);
      }
    }
  }
}

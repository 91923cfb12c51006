package dev.quickwater.common;

import dev.quickwater.system.Settings;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Finds handles that became unreachable without being released.
///
/// | level | what is tracked | what is recorded |
/// |---|---|---|
/// | disabled | nothing | nothing |
/// | simple | one handle in 1,024 | where it was created |
/// | advanced | one handle in 128 | creation and the last 8 touches |
/// | paranoid | every handle | creation and the last 8 touches |
///
/// - Each handle is selected for tracking independently: a view of a tracked buffer may be
///   untracked, and a view of an untracked buffer may be tracked.
/// - The level is read once, from `-Ddev.quickwater.leakLevel`.
/// - A stack trace is captured for each record and rendered only if a leak is reported. It is the
///   stack trace of a [Throwable]: measured on JDK 25, 0.4 us at 5 frames and 1.1 us at 30, whereas
///   a `StackWalker` that stops after 8 frames takes 1.4 to 2.5 us at any depth.
/// - Reports are sent to the log and to [#onLeak]. They run on a thread that tracks a handle or
///   calls [#reportUnreachable] after the garbage collector has found the leak. Tracking one handle
///   reports at most four leaks. A report never runs inside a listener; the call that runs the
///   listener reports later leaks. Neither depth nor delay therefore grows with the number of
///   leaks.
/// - The log shows a place that leaks at its first leak and each time the count has doubled.
///   Listeners receive every leak.
/// - Tests need not wait for the garbage collector: a [LeakCheckpoint] lists the handles that were
///   tracked since its creation and are not released.
///
/// All methods may be called on any thread.
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

  /// One handle in this many is tracked at this level; 0 at the level disabled.
  public static final int INTERVAL = LeakSampling.INTERVAL;

  /// The maximum number of leaks that tracking one handle reports. An allocating thread must not
  /// report all leaks of a garbage collection at once. Later calls report the rest: there is at
  /// least one tracking call for each leak.
  private static final int REPORTS_PER_TRACKED = 4;

  /// Set while the thread reports leaks.
  private static final ThreadLocal<@Nullable Boolean> REPORTING = new ThreadLocal<>();

  private static final boolean TOUCHES = LEVEL == Level.ADVANCED || LEVEL == Level.PARANOID;

  /// How many touches are kept, the most recent ones; a power of two.
  private static final int KEPT = 8;

  private static final System.Logger LOG = System.getLogger(LeakTracker.class.getName());

  private static final ReferenceQueue<Object> UNREACHABLE = new ReferenceQueue<>();
  private static final LiveLeaks LIVE = new LiveLeaks();
  private static final AtomicLong LEAKS = new AtomicLong();
  private static final AtomicInteger EPOCH = new AtomicInteger();
  private static final LeakPlaces PLACES = new LeakPlaces();
  private static final List<Listener> LISTENERS = new CopyOnWriteArrayList<>();

  private LeakTracker() {}

  interface Listener {
    void leaked(Leak leak);
  }

  /// A registration by [#onLeak].
  public interface Listening extends AutoCloseable {

    /// Removes the listener. A report that another thread is delivering may still reach it.
    @Override
    void close();
  }

  /// True when the handle with this running number should be tracked. For callers that number their
  /// handles.
  public static boolean samples(int number) {
    return LeakSampling.draws(number);
  }

  /// True when the next handle should be tracked. For handles that any thread creates, such as
  /// views.
  public static boolean samples() {
    return LeakSampling.draws();
  }

  /// Starts to track `handle`, which reports describe as `what`, for example "a buffer". The caller
  /// first reads [#samples()] or [#samples(int)] to decide whether to track the handle, and calls
  /// [Leak#released] when the handle is released. This method also reports up to four leaks that
  /// were found since the last report.
  public static Leak track(Object handle, String what) {
    report(REPORTS_PER_TRACKED);
    Leak leak = new Leak(handle, what);
    LIVE.add(leak);
    return leak;
  }

  /// Reports the tracked handles that the garbage collector has found unreachable. Handles that a
  /// listener leaks during the call are reported by the next call. Inside a listener the method
  /// reports nothing, because the call that runs the listener continues when the listener returns.
  ///
  /// @return leaks reported since the process started
  public static long reportUnreachable() {
    report(LIVE.size());
    return LEAKS.get();
  }

  /// A listener may allocate, which tracks a handle and calls this method again; the inner call
  /// returns at once.
  private static void report(int limit) {
    if (REPORTING.get() != null) {
      return;
    }
    @Nullable Leak leak = nextFound();
    if (leak == null) {
      return;
    }
    try {
      REPORTING.set(true);
      for (int reported = 1; leak != null; reported++) {
        report(leak);
        leak = reported < limit ? nextFound() : null;
      }
    } finally {
      REPORTING.remove();
    }
  }

  private static @Nullable Leak nextFound() {
    @Nullable Object found;
    while ((found = UNREACHABLE.poll()) != null) {
      Leak leak = (Leak) found;
      if (LIVE.find(leak)) {
        return leak;
      }
    }
    return null;
  }

  private static void report(Leak leak) {
    LEAKS.incrementAndGet();
    try {
      int number = PLACES.count(leak.what, leak.created.getStackTrace());
      if (LeakPlaces.isLogged(number)) {
        log(leak.report() + repeated(number), null);
      }
    } catch (OutOfMemoryError _) { // tracking the handle of the caller may still succeed
      log("a leak was found, but the Java heap has no room for its report", null);
    }
    for (Listener listener : LISTENERS) {
      notify(listener, leak);
    }
    LIVE.remove(leak); // last: a checkpoint finds the leak here until its listener has run
  }

  private static String repeated(int number) {
    return number == 1
        ? ""
        : "\n  this is leak " + number + " of this place; the log shows every doubling";
  }

  /// Logs a message. A failure of the logger is ignored, because the calling thread only allocates.
  private static void log(String message, @Nullable Throwable thrown) {
    try {
      LOG.log(System.Logger.Level.ERROR, message, thrown);
    } catch (Throwable _) {
      // a failure of the log cannot be logged
    }
  }

  /// Calls a listener. An exception or assertion of the listener is logged, because the calling
  /// thread only allocates.
  private static void notify(Listener listener, Leak leak) {
    try {
      listener.leaked(leak);
    } catch (Throwable t) {
      log("a listener for leaks threw", t);
    }
  }

  /// Calls `consumer` with the text of each further report, on the thread that finds the leak,
  /// until the returned registration is closed. Unlike the log, a listener receives every leak.
  /// There may be any number of listeners; an exception of a listener is logged.
  public static Listening onLeak(Consumer<String> consumer) {
    return listen(leak -> consumer.accept(leak.report()));
  }

  static Listening listen(Listener listener) {
    LISTENERS.add(listener);
    return () -> LISTENERS.remove(listener);
  }

  /// A checkpoint that separates handles tracked from this call on from those before. The caller
  /// closes the checkpoint.
  public static LeakCheckpoint checkpoint() {
    return new LeakCheckpoint();
  }

  static int nextEpoch() {
    return EPOCH.incrementAndGet();
  }

  /// Stops tracking a handle that is meant to live as long as the process. The call visits all
  /// tracked handles: call it once for each handle, not for each message.
  ///
  /// @return false if the handle is not tracked
  public static boolean forget(Object handle) {
    for (Leak leak : LIVE.all()) {
      if (leak.refersTo(handle)) {
        leak.released();
        return true;
      }
    }
    return false;
  }

  static List<Leak> live() {
    return LIVE.all();
  }

  /// The record of one tracked handle, which it does not keep reachable.
  public static final class Leak extends PhantomReference<Object> {

    private static final VarHandle TOUCHED;
    private static final VarHandle RING;
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Touch[].class);

    static {
      try {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        TOUCHED = lookup.findVarHandle(Leak.class, "touched", int.class);
        RING = lookup.findVarHandle(Leak.class, "ring", Touch[].class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    private final String what;
    private final Class<?> type;
    private final Touch created = new Touch(null);
    private final int epoch = EPOCH.get();

    /// How often [#record] was called. A touch takes the slot of its number, so that threads which
    /// touch at the same time do not wait for each other.
    @SuppressWarnings("UnusedVariable") // by TOUCHED
    private int touched;

    @SuppressWarnings("UnusedVariable") // by RING
    private @Nullable Touch @Nullable [] ring;

    final LiveLeaks.Stripe stripe = LIVE.stripe();

    // The links and states of LiveLeaks, guarded by the stripe.
    boolean listed;
    boolean found;
    @Nullable Leak previous;
    @Nullable Leak next;

    Leak(Object handle, String what) {
      super(handle, UNREACHABLE);
      this.what = what;
      this.type = handle.getClass();
    }

    /// Records the current place of the handle, with a hint for the reader of the report. The hint
    /// is converted to text at once, because its object may change.
    public void record(@Nullable Object hint) {
      if (TOUCHES) {
        Touch touch = new Touch(hint == null ? "" : String.valueOf(hint));
        touch.number = (int) TOUCHED.getAndAdd(this, 1);
        SLOT.setRelease(ring(), touch.number & KEPT - 1, touch);
      }
    }

    private @Nullable Touch[] ring() {
      @Nullable Touch @Nullable [] made = (Touch[]) RING.getAcquire(this);
      if (made == null) {
        made = new @Nullable Touch[KEPT];
        @Nullable Touch @Nullable [] other = (Touch[]) RING.compareAndExchange(this, null, made);
        made = other == null ? made : other;
      }
      return made;
    }

    /// Ends tracking, because the handle was released or should not be reported. Further calls have
    /// no effect.
    public void released() {
      LIVE.remove(this);
      clear();
    }

    boolean isSince(int checkpoint) {
      return epoch - checkpoint >= 0;
    }

    /// What the handle is, where it was created, where it was touched last, and which setting shows
    /// more.
    public String report() {
      StringBuilder text = new StringBuilder(1024);
      text.append("leak: ").append(what).append(" was never released");
      created.render(text.append("\n  created by "), type);
      int all = (int) TOUCHED.getAcquire(this);
      @Nullable Touch @Nullable [] kept = (Touch[]) RING.getAcquire(this);
      int shown = kept == null ? 0 : renderTouches(text, kept, all);
      if (all > shown) {
        text.append("\n  ").append(all - shown).append(" earlier touches were dropped");
      }
      text.append("\n  leak level ").append(LEVEL.name().toLowerCase(Locale.ROOT)).append(": ");
      text.append(
          switch (LEVEL) {
            case PARANOID -> "every handle is tracked, with its last " + KEPT + " touches";
            case ADVANCED ->
                "one handle in 128 is tracked; -Ddev.quickwater.leakLevel=paranoid tracks all";
            case SIMPLE, DISABLED ->
                "touches are not recorded and one handle in 1,024 is tracked;"
                    + " -Ddev.quickwater.leakLevel=paranoid records them and tracks all";
          });
      return text.toString();
    }

    private int renderTouches(StringBuilder text, @Nullable Touch[] kept, int all) {
      int shown = 0;
      for (int number = all - 1; number >= 0 && number > all - 1 - KEPT; number--) {
        @Nullable Touch touch = (Touch) SLOT.getAcquire(kept, number & KEPT - 1);
        if (touch != null) {
          touch.render(text.append("\n  touched by "), type);
          shown++;
        }
      }
      return shown;
    }

    @Override
    public String toString() {
      return "Leak[" + what + "]";
    }
  }
}

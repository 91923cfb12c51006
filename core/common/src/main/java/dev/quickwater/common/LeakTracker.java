package dev.quickwater.common;

import dev.quickwater.system.Settings;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayDeque;
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
/// - A handle is drawn for tracking independently of every other: a view of a tracked buffer is not
///   tracked because the buffer is, and a view of an untracked buffer may be.
/// - The level is chosen once, by `-Ddev.quickwater.leakLevel`.
/// - A stack trace is captured when something is recorded and rendered only if a leak is reported.
///   It is that of a [Throwable]: measured on JDK 25, 0.4 us at 5 frames and 1.1 us at 30, where a
///   `StackWalker` that stops after 8 frames takes 1.4 to 2.5 us at any depth.
/// - Reports go to the log and to [#onLeak], on the thread that next tracks a handle or calls
///   [#reportUnreachable] after the collector has found the leak.
/// - Tests need not wait for the collector: a [LeakCheckpoint] knows what was tracked since and is
///   still held.
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

  /// Of how many handles one is tracked at this level; 0 at the level disabled.
  public static final int INTERVAL = LeakSampling.INTERVAL;

  /// Leaks that were found while this thread reports one; null while it does not.
  private static final ThreadLocal<@Nullable ArrayDeque<Leak>> REPORTING = new ThreadLocal<>();

  private static final boolean TOUCHES = LEVEL == Level.ADVANCED || LEVEL == Level.PARANOID;

  /// How many touches are kept, the most recent ones; a power of two.
  private static final int KEPT = 8;

  private static final System.Logger LOG = System.getLogger(LeakTracker.class.getName());

  private static final ReferenceQueue<Object> UNREACHABLE = new ReferenceQueue<>();
  private static final LiveLeaks LIVE = new LiveLeaks();
  private static final AtomicLong LEAKS = new AtomicLong();
  private static final AtomicInteger EPOCH = new AtomicInteger();
  private static final List<Listener> LISTENERS = new CopyOnWriteArrayList<>();

  private LeakTracker() {}

  interface Listener {
    void leaked(Leak leak, String report);
  }

  /// What [#onLeak] gives back.
  public interface Listening extends AutoCloseable {

    /// No further report reaches the listener; one that is being told may still.
    @Override
    void close();
  }

  /// True when the handle with this running number is one to track. For a caller that numbers its
  /// handles anyway.
  public static boolean samples(int number) {
    return LeakSampling.draws(number);
  }

  /// True when the next handle is one to track. For handles that any thread makes, such as views.
  public static boolean samples() {
    return LeakSampling.draws();
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
      if (LIVE.find(leak)) {
        LEAKS.incrementAndGet();
        @Nullable ArrayDeque<Leak> waiting = REPORTING.get();
        if (waiting == null) {
          reportWithThoseFoundMeanwhile(leak);
        } else {
          waiting.add(leak);
        }
      }
    }
    return LEAKS.get();
  }

  /// A listener that takes a buffer comes back to where leaks are found: what is found there waits
  /// until the listener has returned, however many there are.
  private static void reportWithThoseFoundMeanwhile(Leak first) {
    ArrayDeque<Leak> waiting = new ArrayDeque<>();
    REPORTING.set(waiting);
    try {
      for (@Nullable Leak leak = first; leak != null; leak = waiting.poll()) {
        String report = leak.report();
        log(report, null);
        for (Listener listener : LISTENERS) {
          tell(listener, leak, report);
        }
        LIVE.remove(leak); // only now, so that a checkpoint sees it here or was told
      }
    } finally {
      REPORTING.remove();
    }
  }

  /// This may be the thread of somebody who allocates, whom a logger's failure is no business of.
  private static void log(String message, @Nullable Throwable thrown) {
    try {
      LOG.log(System.Logger.Level.ERROR, message, thrown);
    } catch (Throwable _) {
      // there is nobody to tell
    }
  }

  private static void tell(Listener listener, Leak leak, String report) {
    try {
      listener.leaked(leak, report);
    } catch (Throwable t) { // an assertion, too: this may be the thread of somebody who allocates
      log("a listener for leaks threw", t);
    }
  }

  /// Calls `consumer` with the text of each further report, on the thread that finds it, until the
  /// returned handle is closed. There may be any number of listeners; what one throws is logged.
  public static Listening onLeak(Consumer<String> consumer) {
    return listen((_, report) -> consumer.accept(report));
  }

  static Listening listen(Listener listener) {
    LISTENERS.add(listener);
    return () -> LISTENERS.remove(listener);
  }

  /// Tells handles that are tracked from now on from those before. The caller closes the
  /// checkpoint.
  public static LeakCheckpoint checkpoint() {
    return new LeakCheckpoint();
  }

  static int nextEpoch() {
    return EPOCH.incrementAndGet();
  }

  /// Takes a handle that is meant to live as long as the process out of tracking. This looks at all
  /// tracked handles, so it is for what happens once.
  ///
  /// @return false if the handle was not tracked, or is no longer
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

  /// What is known of one tracked handle. It does not keep the handle reachable.
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
    private final Touch created = new Touch(null);
    private final int epoch = EPOCH.get();

    /// How often [#record] was called. A touch takes the slot of its number, so that threads which
    /// touch at the same time do not wait for each other.
    @SuppressWarnings("UnusedVariable") // by TOUCHED
    private int touched;

    @SuppressWarnings("UnusedVariable") // by RING
    private @Nullable Touch @Nullable [] ring;

    final LiveLeaks.Stripe stripe = LIVE.stripe();

    // Of the list of live leaks, guarded by the stripe.
    boolean listed;
    boolean found;
    @Nullable Leak previous;
    @Nullable Leak next;

    Leak(Object handle, String what) {
      super(handle, UNREACHABLE);
      this.what = what;
    }

    /// Records where the handle is now, with a word for people. Its text is taken now, for what it
    /// is the text of may change.
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

    /// The handle was released, or is not to be reported; nothing will be. Calling it again does
    /// nothing.
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
      created.render(text.append("\n  created by "));
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

    private static int renderTouches(StringBuilder text, @Nullable Touch[] kept, int all) {
      int shown = 0;
      for (int number = all - 1; number >= 0 && number > all - 1 - KEPT; number--) {
        @Nullable Touch touch = (Touch) SLOT.getAcquire(kept, number & KEPT - 1);
        if (touch != null) {
          touch.render(text.append("\n  touched by "));
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

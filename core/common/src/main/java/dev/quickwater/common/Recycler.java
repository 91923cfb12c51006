package dev.quickwater.common;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Keeps objects that are dear to make, for the loop thread that made them to use again.
///
/// - [#take] gives an object to the caller; whoever has it last calls [Handle#recycle], on any
///   thread. The object is the caller's to clean, before or after.
/// - **Threads:** an object goes back to the loop thread that took it, and only there it is handed
///   out again: at once if it was recycled there, otherwise when the thread has no other one left.
///   Writes before `recycle` happen before reads after the `take` that hands it out. On threads
///   that are not a [LoopThread], virtual ones too, every `take` makes an object and `recycle`
///   drops it, so that nothing is hoarded there.
/// - **Bounds:** see [RecyclerSettings]. They are exact, whatever threads do at once. What is
///   beyond them is dropped, and so is what is recycled after its thread has ended.
/// - **Recycling twice** throws an [IllegalStateException], also when two threads do it at once:
///   exactly one succeeds. Once the object has been handed out anew, a former holder cannot be told
///   from the new one.
/// - An object that is never recycled is garbage like any other.
///
/// **It seldom pays.** Taking and recycling cost 5 ns on a loop thread, whatever the object. Making
/// a list anew took, on JDK 25 with G1, as long for one with room for 16 elements (100 bytes), half
/// as long for an empty one, 13 ns for 64 elements and 50 ns for 256 (`RecyclableListBenchmark`).
/// So it helps from a few hundred bytes on, and where making means more than clearing memory. What
/// is smaller is better made anew: it dies young, nobody recycles it twice, and escape analysis can
/// remove it. The framework's own messages are not recycled.
///
/// @param <T> the objects
public final class Recycler<T> {

  private final Function<? super Handle<T>, ? extends T> maker;
  private final LoopLocal<RecyclerPool<T>> pools;

  private Recycler(RecyclerSettings settings, Function<? super Handle<T>, ? extends T> maker) {
    this.maker = maker;
    this.pools =
        LoopLocal.withInitial(
            "recycler",
            () -> new RecyclerPool<>(settings, Thread.currentThread()),
            RecyclerPool::end);
  }

  /// A recycler with the default settings. `maker` makes an object that will know the handle it is
  /// given, on the thread that takes it.
  public static <T> Recycler<T> of(Function<? super Handle<T>, ? extends T> maker) {
    return of(RecyclerSettings.DEFAULT, maker);
  }

  /// A recycler with these settings.
  public static <T> Recycler<T> of(
      RecyclerSettings settings, Function<? super Handle<T>, ? extends T> maker) {
    return new Recycler<>(settings, maker);
  }

  /// A free object, or a new one.
  public T take() {
    if (!(Thread.currentThread() instanceof LoopThread)) {
      return make(null);
    }
    RecyclerPool<T> pool = pools.get();
    @Nullable Handle<T> handle = pool.take();
    return handle == null ? make(pool) : handle.takeAgain();
  }

  private T make(@Nullable RecyclerPool<T> pool) {
    Handle<T> handle = new Handle<>(pool, null);
    T object = maker.apply(handle);
    handle.object = object;
    return object;
  }

  /// How many objects are free on this thread, less those from other threads that it has not
  /// fetched yet.
  public int kept() {
    @Nullable RecyclerPool<T> pool = pools.getIfSet();
    return pool == null ? 0 : pool.kept();
  }

  /// What takes one object back. The object has it from the maker.
  ///
  /// @param <T> the object
  public static final class Handle<T> {

    private static final int TAKEN = 0;
    private static final int FREE = 1;

    private static final VarHandle STATE;

    static {
      try {
        STATE = MethodHandles.lookup().findVarHandle(Handle.class, "state", int.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    private final @Nullable RecyclerPool<T> pool;
    private @Nullable T object;

    @SuppressWarnings("UnusedVariable") // by STATE
    private int state = TAKEN;

    /// The next one and the number of those in a [ReturnedList].
    @Nullable Handle<T> next;

    int waiting;

    Handle(@Nullable RecyclerPool<T> pool, @Nullable T object) {
      this.pool = pool;
      this.object = object;
    }

    /// Gives the object back, which the caller must not touch from now on. Any thread.
    ///
    /// @throws IllegalStateException if it was given back before, and not handed out since
    public void recycle() {
      recycle(pool != null && pool.isOwner());
    }

    /// @param byOwner whether the calling thread owns the pool
    void recycle(boolean byOwner) {
      if ((int) STATE.getAndSet(this, FREE) == FREE) {
        throw recycledTwice();
      }
      if (pool == null) {
        return;
      }
      if (byOwner) {
        pool.keep(this);
      } else {
        pool.giveBack(this);
      }
    }

    private IllegalStateException recycledTwice() {
      String what = object == null ? "an object" : "a " + object.getClass().getName();
      return new IllegalStateException(
          what
              + " was recycled twice, the second time by "
              + Thread.currentThread()
              + "; expected one recycle() for each take()");
    }

    /// Owner of the pool: it is in use again. Nobody else has it.
    @SuppressWarnings("NullAway") // only the maker sees it without its object
    T takeAgain() {
      STATE.set(this, TAKEN);
      return object;
    }
  }
}

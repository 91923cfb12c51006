package dev.quickwater.common;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Keeps objects that are expensive to create, for reuse by the loop thread that created them.
///
/// - [#take] returns an object; its last user calls [Handle#recycle], on any thread. The caller
///   cleans the object, before or after.
/// - **Threads:** an object returns to the loop thread that took it and is reused only there: at
///   once if it was recycled there, otherwise when the thread has no other free object. Writes
///   before `recycle` happen before reads after the next `take`. On threads that are not a
///   [LoopThread], including virtual ones, each `take` creates an object and `recycle` drops it;
///   nothing accumulates there.
/// - **Bounds:** see [RecyclerSettings]. They are exact in all races. Objects beyond them are
///   dropped, and so are objects that are recycled after their thread has ended.
/// - **Recycling twice** throws an [IllegalStateException], also when two threads do it at once:
///   exactly one succeeds. After the object was taken again, a former user cannot be distinguished
///   from the new one.
/// - An object that is never recycled is garbage as usual.
///
/// **It is seldom worthwhile.** Taking and recycling cost 5 ns on a loop thread for any object.
/// Creating a list took, on JDK 25 with G1, as long for a list with room for 16 elements (100
/// bytes), half as long for an empty one, 13 ns for 64 elements and 50 ns for 256
/// (`RecyclableListBenchmark`). Recycling helps for objects of a few hundred bytes and more, and
/// where creation is more than clearing memory. Smaller objects are better created: they die young,
/// cannot be recycled twice, and escape analysis can remove them. The framework's own messages are
/// not recycled.
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

  /// A recycler with the default settings. `maker` creates an object for a handle, which the object
  /// keeps, on the thread that takes it.
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

  /// The number of free objects on this thread, without those from other threads that it has not
  /// fetched yet.
  public int kept() {
    @Nullable RecyclerPool<T> pool = pools.getIfSet();
    return pool == null ? 0 : pool.kept();
  }

  /// Recycles one object, which has the handle from the maker.
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

    /// The next handle and the number of handles in a [ReturnedList].
    @Nullable Handle<T> next;

    int waiting;

    Handle(@Nullable RecyclerPool<T> pool, @Nullable T object) {
      this.pool = pool;
      this.object = object;
    }

    /// Recycles the object, which the caller must not use afterwards. Any thread.
    ///
    /// @throws IllegalStateException if the object was recycled before and not taken since
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
        pool.recycleRemotely(this);
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

    /// For the pool's owner: the object is in use again. No other thread has it.
    @SuppressWarnings("NullAway") // only the maker sees it without its object
    T takeAgain() {
      STATE.set(this, TAKEN);
      return object;
    }
  }
}

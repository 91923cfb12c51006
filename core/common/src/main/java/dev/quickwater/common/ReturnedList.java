package dev.quickwater.common;

import dev.quickwater.common.Recycler.Handle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// What other threads give back to a [RecyclerPool] between two looks of its owner: a list that is
/// linked through the handles (R. K. Treiber, 1986).
///
/// Each handle has the length of the list behind it, which bounds the list without a counter. A
/// list only grows until its owner closes it, and never opens again. So while a handle is the first
/// one of a list, what is behind it is what it was when it came; a handle that was fetched and came
/// back is in another list, and a thread that saw it here before cannot add to it.
///
/// ```
/// open: null or a handle --close--> the list after it --pass--> PASSED
///            |
///            +--end--> ENDED
/// ```
final class ReturnedList<T> {

  private static final VarHandle FIRST;

  static {
    try {
      FIRST = MethodHandles.lookup().findVarHandle(ReturnedList.class, "first", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// In a list that is closed and whose pool has the next one. It stands for that list, which would
  /// otherwise be reachable from all before it, and live as long as one of them that has grown old.
  static final Object PASSED = new Object();

  /// In the last list of a pool.
  static final Object ENDED = new Object();

  @SuppressWarnings("UnusedVariable") // by FIRST
  private volatile @Nullable Object first;

  /// The first handle, null if there is none, or what a closed list has in its place. Any thread.
  @Nullable Object first() {
    return first;
  }

  /// Whether something waits here. Any thread.
  boolean isWaiting() {
    return first instanceof Handle;
  }

  /// How many handles are in a list whose first one is `seen`.
  static int length(@Nullable Handle<?> seen) {
    return seen == null ? 0 : seen.waiting;
  }

  /// Adds a handle before `seen`, which is null or the handle that was the first when the caller
  /// looked. Any thread.
  ///
  /// @return false if it is no longer, or the list is closed
  boolean add(Handle<T> handle, @Nullable Handle<T> seen) {
    handle.next = seen;
    handle.waiting = length(seen) + 1;
    return FIRST.compareAndSet(this, seen, handle);
  }

  /// Owner: closes the list; what comes from now on goes to `next`.
  ///
  /// @return the first of the handles, linked by `next`
  @SuppressWarnings("unchecked")
  @Nullable Handle<T> close(ReturnedList<T> next) {
    return (Handle<T>) FIRST.getAndSet(this, next);
  }

  /// Owner: the pool has the next list now.
  void pass() {
    FIRST.setRelease(this, PASSED);
  }

  /// Owner: closes the list for good.
  void end() {
    first = ENDED;
  }
}

package dev.quickwater.common;

import dev.quickwater.common.Recycler.Handle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The objects that other threads recycle between two fetches of a [RecyclerPool]'s owner: a list
/// that is linked through the handles (R. K. Treiber, 1986).
///
/// Each handle has the length of the list that begins with it, so the bound needs no counter. A
/// list only grows until its owner closes it, and a closed list never opens again. The handles
/// after a given first handle are therefore always those from its insertion. A handle that was
/// fetched and recycled again is in another list, so a thread that read it as the first handle of
/// this list cannot add here.
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

  /// Marks a closed list after its pool refers to the next one. This mark replaces the reference to
  /// the next list. Otherwise each list would be reachable from all earlier ones and could not be
  /// collected while one of those is in an old generation.
  static final Object PASSED = new Object();

  /// Marks the last list of a pool.
  static final Object ENDED = new Object();

  @SuppressWarnings("UnusedVariable") // by FIRST
  private volatile @Nullable Object first;

  /// The first handle, null if there is none, or the mark of a closed list. Any thread.
  @Nullable Object first() {
    return first;
  }

  /// Whether there is a handle. Any thread.
  boolean isWaiting() {
    return first instanceof Handle;
  }

  /// The number of handles in a list whose first is `seen`.
  static int length(@Nullable Handle<?> seen) {
    return seen == null ? 0 : seen.waiting;
  }

  /// Adds a handle before `seen`, which is null or the first handle at the time of the caller's
  /// read. Any thread.
  ///
  /// @return false if the first handle has changed, or the list is closed
  boolean add(Handle<T> handle, @Nullable Handle<T> seen) {
    handle.next = seen;
    handle.waiting = length(seen) + 1;
    return FIRST.compareAndSet(this, seen, handle);
  }

  /// For the owner: closes the list; handles that are added from now on go to `next`.
  ///
  /// @return the first of the handles, linked by `next`
  @SuppressWarnings("unchecked")
  @Nullable Handle<T> close(ReturnedList<T> next) {
    return (Handle<T>) FIRST.getAndSet(this, next);
  }

  /// For the owner: the pool has the next list.
  void pass() {
    FIRST.setRelease(this, PASSED);
  }

  /// For the owner: closes the list for ever.
  void end() {
    first = ENDED;
  }
}

package dev.quickwater.common;

import dev.quickwater.common.Recycler.Handle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The free objects of one recycler on one thread, which owns them.
///
/// The owner keeps a stack without any atomics. Other threads push onto a list that is linked
/// through the handles (R. K. Treiber, 1986) and that the owner takes whole. Each handle carries
/// the length of the list behind it, which bounds it without a counter. A thread may push onto a
/// handle that went through the owner and came back since it was looked at: the list is right all
/// the same, for nobody follows `next` but the owner; the length may then be too small, so that a
/// few more wait than should.
final class RecyclerPool<T> {

  private static final VarHandle RETURNED;

  static {
    try {
      RETURNED = MethodHandles.lookup().findVarHandle(RecyclerPool.class, "returned", Handle.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int FIRST = 16;

  /// In place of the list once the owner has ended.
  private static final Handle<?> ENDED = new Handle<>(null, null);

  private final RecyclerSettings settings;

  /// Null once it has ended. Read by other threads, to which it is never equal.
  private @Nullable Thread owner;

  private @Nullable Handle<T>[] free;
  private int count;

  @SuppressWarnings("UnusedVariable") // by RETURNED
  private volatile @Nullable Handle<?> returned;

  RecyclerPool(RecyclerSettings settings, Thread owner) {
    this.settings = settings;
    this.owner = owner;
    this.free = array(Math.min(FIRST, settings.mostKept()));
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <T> @Nullable Handle<T>[] array(int length) {
    return new Handle[length];
  }

  boolean isOwner() {
    return Thread.currentThread() == owner;
  }

  /// Owner: the handle that was given back last, or null when there is none.
  @Nullable Handle<T> take() {
    if (count == 0) {
      fetch();
      if (count == 0) {
        return null;
      }
    }
    int top = --count;
    @Nullable Handle<T> handle = free[top];
    free[top] = null;
    return handle;
  }

  /// Owner: keeps the handle, or drops it when there are enough.
  void keep(Handle<T> handle) {
    int top = count;
    if (top < free.length || grow()) {
      free[top] = handle;
      count = top + 1;
    }
  }

  private boolean grow() {
    int most = settings.mostKept();
    if (free.length >= most) {
      return false;
    }
    free = Arrays.copyOf(free, Math.min(most, free.length * 2));
    return true;
  }

  /// Owner: moves what others gave back to its own stack.
  @SuppressWarnings("unchecked")
  private void fetch() {
    if (returned == null) {
      return;
    }
    @Nullable Handle<T> next = (Handle<T>) RETURNED.getAndSet(this, null);
    while (next != null) {
      Handle<T> handle = next;
      next = handle.next;
      handle.next = null;
      keep(handle);
    }
  }

  /// Another thread: hands it to the owner, or drops it when too many wait or the owner has ended.
  void giveBack(Handle<T> handle) {
    while (true) {
      @Nullable Handle<T> first = first();
      int before = first == null ? 0 : first.waiting;
      if (first == ENDED || before >= settings.mostWaiting()) {
        return;
      }
      handle.next = first;
      handle.waiting = before + 1;
      if (RETURNED.compareAndSet(this, first, handle)) {
        return;
      }
    }
  }

  @SuppressWarnings("unchecked")
  private @Nullable Handle<T> first() {
    return (Handle<T>) RETURNED.getAcquire(this);
  }

  /// Owner: what comes back from now on is dropped.
  void end() {
    owner = null;
    RETURNED.setVolatile(this, ENDED);
    free = array(0);
    count = 0;
  }

  /// True if other threads gave something back that the owner has not fetched.
  boolean hasReturned() {
    return returned != null && returned != ENDED;
  }

  /// Owner: how many objects are free on its own stack.
  int kept() {
    return count;
  }
}

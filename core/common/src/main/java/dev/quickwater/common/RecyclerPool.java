package dev.quickwater.common;

import dev.quickwater.common.Recycler.Handle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The free objects of one recycler on one thread, which owns them.
///
/// The owner keeps a stack without any atomics. Other threads add to a [ReturnedList], which the
/// owner takes whole when its stack is empty. Exactly one list is open at any time, so never do
/// more than `mostWaiting` wait. A fetch that finds something makes one small object, the next
/// list; a list that was used again would let late threads add to it by what they saw of its former
/// life.
final class RecyclerPool<T> {

  private static final int FIRST = 16;

  private final RecyclerSettings settings;

  /// Null once it has ended. Read by other threads, to which it is never equal.
  private @Nullable Thread owner;

  private @Nullable Handle<T>[] free;
  private int count;

  /// The list that is open, or was until just now.
  private volatile ReturnedList<T> returned = new ReturnedList<>();

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
  private void fetch() {
    ReturnedList<T> list = returned;
    if (!list.isWaiting()) {
      return;
    }
    ReturnedList<T> following = new ReturnedList<>();
    @Nullable Handle<T> next = list.close(following);
    returned = following;
    list.pass();
    while (next != null) {
      Handle<T> handle = next;
      next = handle.next;
      handle.next = null;
      keep(handle);
    }
  }

  /// Another thread: hands it to the owner, or drops it when too many wait or the owner has ended.
  @SuppressWarnings("unchecked")
  void giveBack(Handle<T> handle) {
    ReturnedList<T> list = returned;
    while (true) {
      @Nullable Object first = list.first();
      if (first == null || first instanceof Handle) {
        @Nullable Handle<T> seen = (Handle<T>) first;
        if (ReturnedList.length(seen) >= settings.mostWaiting() || list.add(handle, seen)) {
          return;
        }
      } else if (first == ReturnedList.ENDED) {
        return;
      } else {
        list = first == ReturnedList.PASSED ? returned : (ReturnedList<T>) first;
      }
    }
  }

  /// Owner: what comes back from now on is dropped.
  void end() {
    owner = null;
    returned.end();
    free = array(0);
    count = 0;
  }

  /// True if other threads gave something back that the owner has not fetched.
  boolean hasReturned() {
    return returned.isWaiting();
  }

  /// Owner: how many objects are free on its own stack.
  int kept() {
    return count;
  }
}

package dev.quickwater.common;

import dev.quickwater.common.Recycler.Handle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The free objects of one recycler on one thread, which owns them.
///
/// The owner has a stack and needs no atomic operations for it. Other threads add to a
/// [ReturnedList], from which the owner takes all objects at once when its stack is empty. Exactly
/// one list is open at any time, so at most `maxWaiting` objects wait. Each fetch that finds
/// objects creates the next list. A list is not reused, because a slow thread that read its first
/// handle in a former life could then add to it.
final class RecyclerPool<T> {

  private static final int FIRST = 16;

  private final RecyclerSettings settings;

  /// The owner; null after it has ended. Another thread may read an outdated value, but never
  /// itself.
  private @Nullable Thread owner;

  private @Nullable Handle<T>[] free;
  private int count;

  /// The open list, or one that was just closed.
  private volatile ReturnedList<T> returned = new ReturnedList<>();

  RecyclerPool(RecyclerSettings settings, Thread owner) {
    this.settings = settings;
    this.owner = owner;
    this.free = array(Math.min(FIRST, settings.maxKept()));
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <T> @Nullable Handle<T>[] array(int length) {
    return new Handle[length];
  }

  boolean isOwner() {
    return Thread.currentThread() == owner;
  }

  /// For the owner: the handle that was recycled last, or null.
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

  /// For the owner: keeps the handle, or drops it if there are enough.
  void keep(Handle<T> handle) {
    int top = count;
    if (top < free.length || grow()) {
      free[top] = handle;
      count = top + 1;
    }
  }

  private boolean grow() {
    int max = settings.maxKept();
    if (free.length >= max) {
      return false;
    }
    free = Arrays.copyOf(free, Math.min(max, free.length * 2));
    return true;
  }

  /// For the owner: moves objects that other threads recycled to its stack.
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

  /// For other threads: passes the handle to the owner, or drops it if too many wait or the owner
  /// has ended.
  @SuppressWarnings("unchecked")
  void recycleRemotely(Handle<T> handle) {
    ReturnedList<T> list = returned;
    while (true) {
      @Nullable Object first = list.first();
      if (first == null || first instanceof Handle) {
        @Nullable Handle<T> seen = (Handle<T>) first;
        if (ReturnedList.length(seen) >= settings.maxWaiting() || list.add(handle, seen)) {
          return;
        }
      } else if (first == ReturnedList.ENDED) {
        return;
      } else {
        list = first == ReturnedList.PASSED ? returned : (ReturnedList<T>) first;
      }
    }
  }

  /// For the owner: objects that are recycled from now on are dropped.
  void end() {
    owner = null;
    returned.end();
    free = array(0);
    count = 0;
  }

  /// True if other threads have recycled objects that the owner has not fetched.
  boolean hasReturned() {
    return returned.isWaiting();
  }

  /// For the owner: the number of objects on its stack.
  int kept() {
    return count;
  }
}

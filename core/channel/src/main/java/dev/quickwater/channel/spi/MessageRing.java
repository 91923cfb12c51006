package dev.quickwater.channel.spi;

import dev.quickwater.common.Promise;
import org.jspecify.annotations.Nullable;

/// The storage of an output: items in order, each with the promise of its message.
///
/// A ring is created when the first item comes. One that grew large in a burst is dropped when it
/// is empty, because an idle channel keeps its ring.
abstract sealed class MessageRing<T> permits StreamOutput, DatagramOutput {

  private static final Object[] NONE = {};

  /// The capacity of the largest ring that is kept when it is empty. Growing a larger ring again
  /// costs a few bytes for each item.
  static final int MAX_KEPT = 32;

  private @Nullable Object[] items = NONE;
  private @Nullable Promise<Void> @Nullable [] promises;
  private int head;
  private int count;

  final int count() {
    return count;
  }

  /// The number of entries that the ring has room for.
  final int capacity() {
    return items.length;
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // the slots of the content hold a T
  final T item(int index) {
    return (T) items[slot(index)];
  }

  final void replace(int index, T item) {
    items[slot(index)] = item;
  }

  private int slot(int index) {
    return head + index & items.length - 1;
  }

  final boolean hasPromises() {
    return promises != null;
  }

  final @Nullable Promise<Void> promise(int index) {
    return promises == null ? null : promises[slot(index)];
  }

  final @Nullable Promise<Void> takePromise(int index) {
    if (promises == null) {
      return null;
    }
    int slot = slot(index);
    @Nullable Promise<Void> promise = promises[slot];
    promises[slot] = null;
    return promise;
  }

  /// Makes sure that `more` items can be appended without allocating, so that an `OutOfMemoryError`
  /// comes before the first of them is in the ring.
  final void reserve(int more, boolean withPromise) {
    if (count + more > items.length) {
      grow(count + more);
    }
    if (withPromise && promises == null) {
      promises = newPromises(items.length);
    }
  }

  private void grow(int needed) {
    int capacity = Math.max(4, items.length * 2);
    while (capacity < needed) {
      capacity *= 2;
    }
    @Nullable Object[] larger = new Object[capacity];
    @Nullable Promise<Void>[] largerPromises = promises == null ? null : newPromises(capacity);
    for (int i = 0; i < count; i++) {
      int slot = slot(i);
      larger[i] = items[slot];
      if (largerPromises != null && promises != null) {
        largerPromises[i] = promises[slot];
      }
    }
    items = larger;
    promises = largerPromises;
    head = 0;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static @Nullable Promise<Void>[] newPromises(int length) {
    return new Promise[length];
  }

  /// Appends to a ring that has room for it, see [#reserve].
  final void append(T item, @Nullable Promise<Void> promise) {
    int slot = slot(count);
    items[slot] = item;
    if (promise != null && promises != null) {
      promises[slot] = promise;
    }
    count++;
  }

  /// Moves an item towards the front, over a place whose item and promise were taken.
  final void move(int from, int to) {
    if (from != to) {
      @Nullable Promise<Void> promise = takePromise(from);
      items[slot(to)] = items[slot(from)];
      items[slot(from)] = null;
      if (promise != null && promises != null) {
        promises[slot(to)] = promise;
      }
    }
  }

  /// Shortens the ring to items that [#move] has gathered at the front.
  final void truncate(int length) {
    while (count > length) {
      clear(slot(count - 1));
      count--;
    }
    dropIfEmpty();
  }

  /// Removes the first item, whose promise was taken.
  final T removeFirst() {
    T item = clear(head);
    head = head + 1 & items.length - 1;
    count--;
    dropIfEmpty();
    return item;
  }

  /// Removes the last item, whose promise was taken.
  final T removeLast() {
    T item = clear(slot(count - 1));
    count--;
    dropIfEmpty();
    return item;
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // as in [#item]
  private T clear(int slot) {
    T item = (T) items[slot];
    items[slot] = null;
    return item;
  }

  private void dropIfEmpty() {
    if (count == 0 && items.length > MAX_KEPT) {
      items = NONE;
      promises = null;
      head = 0;
    }
  }
}

package dev.quickwater.channel.spi;

import dev.quickwater.common.Promise;
import org.jspecify.annotations.Nullable;

/// The queue of an output: items in order, each with the promise of its message.
///
/// - A single item without a promise, the common case, is stored in a field. The ring is created
///   for the second item or the first promise, and then holds all items.
/// - An empty ring is kept, unless it grew above [#MAX_KEPT] in a burst. Such a ring is dropped.
abstract sealed class MessageRing<T> permits StreamOutput, DatagramOutput {

  private static final Object[] NONE = {};

  /// The maximum capacity of a ring that is kept while empty. Growing again costs a few bytes for
  /// each item.
  static final int MAX_KEPT = 32;

  /// The item while there is no ring.
  private @Nullable Object single;

  private @Nullable Object[] items = NONE;
  private @Nullable Promise<Void> @Nullable [] promises;
  private int head;
  private int count;

  final int count() {
    return count;
  }

  /// The capacity of the ring; 0 without a ring.
  final int capacity() {
    return items.length;
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // each used slot holds a T
  final T item(int index) {
    @Nullable Object[] ring = items;
    return (T) (ring.length == 0 ? single : ring[head + index & ring.length - 1]);
  }

  final void replace(int index, T item) {
    if (items.length == 0) {
      single = item;
    } else {
      items[slot(index)] = item;
    }
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

  /// Ensures that `more` items can be appended without allocating. An `OutOfMemoryError` is thrown
  /// before the first item is in the ring.
  final void reserve(int more, boolean withPromise) {
    boolean fits = items.length > 0 ? count + more <= items.length : more == 1 && count == 0;
    if (!fits || (withPromise && items.length == 0)) {
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
      larger[i] = item(i);
      if (largerPromises != null) {
        largerPromises[i] = promise(i);
      }
    }
    single = null;
    items = larger;
    promises = largerPromises;
    head = 0;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static @Nullable Promise<Void>[] newPromises(int length) {
    return new Promise[length];
  }

  /// Appends an item after [#reserve].
  final void append(T item, @Nullable Promise<Void> promise) {
    if (items.length == 0) {
      single = item;
    } else {
      int slot = slot(count);
      items[slot] = item;
      if (promise != null && promises != null) {
        promises[slot] = promise;
      }
    }
    count++;
  }

  /// Moves an item towards the front, to an index whose item and promise were taken.
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

  /// Shortens the ring to the items that [#move] has gathered at the front.
  final void truncate(int length) {
    while (count > length) {
      clear(count - 1);
      count--;
    }
    dropIfEmpty();
  }

  /// Removes the first item, whose promise was taken.
  final T removeFirst() {
    T item = clear(0);
    head = items.length == 0 ? 0 : head + 1 & items.length - 1;
    count--;
    dropIfEmpty();
    return item;
  }

  /// Removes the last item, whose promise was taken.
  final T removeLast() {
    T item = clear(count - 1);
    count--;
    dropIfEmpty();
    return item;
  }

  @SuppressWarnings("NullAway") // the place of an item that left
  private T clear(int index) {
    T item = item(index);
    if (items.length == 0) {
      single = null;
    } else {
      items[slot(index)] = null;
    }
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

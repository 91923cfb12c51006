package dev.quickwater.channel.spi;

import dev.quickwater.buffer.Payload;
import dev.quickwater.common.Promise;
import org.jspecify.annotations.Nullable;

/// The storage of a [StreamOutput]: payloads in order, each with the promise of its message.
///
/// A ring is created when the first payload comes. One that grew large in a burst is dropped when
/// it is empty, because an idle channel keeps its ring.
abstract sealed class PayloadRing permits StreamOutput {

  private static final Payload[] NONE = {};

  /// The capacity of the largest ring that is kept when it is empty. Growing a larger ring again
  /// costs a few bytes for each payload.
  static final int MAX_KEPT = 32;

  private Payload[] items = NONE;
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

  final Payload item(int index) {
    return items[head + index & items.length - 1];
  }

  final void replace(int index, Payload payload) {
    items[head + index & items.length - 1] = payload;
  }

  final boolean hasPromises() {
    return promises != null;
  }

  final @Nullable Promise<Void> promise(int index) {
    return promises == null ? null : promises[head + index & items.length - 1];
  }

  final @Nullable Promise<Void> takePromise(int index) {
    if (promises == null) {
      return null;
    }
    int slot = head + index & items.length - 1;
    @Nullable Promise<Void> promise = promises[slot];
    promises[slot] = null;
    return promise;
  }

  /// Makes sure that `more` payloads can be appended without allocating, so that an
  /// `OutOfMemoryError` comes before the first of them is in the ring.
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
    Payload[] larger = new Payload[capacity];
    @Nullable Promise<Void>[] largerPromises = promises == null ? null : newPromises(capacity);
    for (int i = 0; i < count; i++) {
      int slot = head + i & items.length - 1;
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
  final void append(Payload payload, @Nullable Promise<Void> promise) {
    int slot = head + count & items.length - 1;
    items[slot] = payload;
    if (promise != null && promises != null) {
      promises[slot] = promise;
    }
    count++;
  }

  /// Removes the first payload, whose promise was taken.
  final Payload removeFirst() {
    Payload payload = clear(head);
    head = head + 1 & items.length - 1;
    count--;
    dropIfEmpty();
    return payload;
  }

  /// Removes the last payload, whose promise was taken.
  final Payload removeLast() {
    Payload payload = clear(head + count - 1 & items.length - 1);
    count--;
    dropIfEmpty();
    return payload;
  }

  @SuppressWarnings("NullAway") // a slot outside the ring's content is never read
  private Payload clear(int slot) {
    Payload payload = items[slot];
    items[slot] = null;
    return payload;
  }

  private void dropIfEmpty() {
    if (count == 0 && items.length > MAX_KEPT) {
      items = NONE;
      promises = null;
      head = 0;
    }
  }
}

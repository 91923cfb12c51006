package dev.quickwater.codec;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/// The list that a decoder or encoder adds its messages to, lent for one call.
///
/// - [#take] lends an empty one, [#recycle] takes it back, on the same thread. Between the two it
///   is the caller's; calls may nest, each has a list of its own. Whoever adds must not keep the
///   list: adding to one that was recycled throws.
/// - Each thread keeps a few lists, with room for 256 messages at most; virtual threads keep none.
///   A list that is not recycled is garbage like any other.
/// - **Ownership:** the list releases nothing, neither when it is cleared nor when it is recycled.
///   Whoever lends it out takes the messages over, and releases those that it does not pass on.
/// - Null is refused. Beyond what is here it is a [java.util.List] that can be added to, changed
///   and cleared; messages cannot be removed one by one.
/// - One thread at a time.
public final class OutputList extends AbstractList<Object> implements RandomAccess, AutoCloseable {

  private static final int ROOM = 16;

  /// More room than this is not kept: one call with very many messages must not hold memory for
  /// ever.
  private static final int MOST_ROOM = 256;

  /// In place of the size of a list that is not lent: no index is below it, and none can be added.
  private static final int NOT_LENT = -1;

  private @Nullable Object[] messages = new @Nullable Object[ROOM];
  private int size = NOT_LENT;
  private final @Nullable OutputLists home;

  OutputList(@Nullable OutputLists home) {
    this.home = home;
  }

  /// Lends an empty list.
  public static OutputList take() {
    return OutputLists.take();
  }

  OutputList lend() {
    size = 0;
    return this;
  }

  /// Clears the list and takes it back.
  ///
  /// @throws IllegalStateException if it is not lent
  public void recycle() {
    if (size < 0) {
      throw notLent();
    }
    reset();
    size = NOT_LENT;
    if (home != null) {
      home.keep(this);
    }
  }

  /// [#recycle].
  @Override
  public void close() {
    recycle();
  }

  /// Adds a message at the end.
  ///
  /// @throws IllegalStateException if the list is not lent
  @Override
  public boolean add(Object message) {
    Objects.requireNonNull(message, "message");
    int end = size;
    @Nullable Object[] messages = this.messages;
    if (Integer.compareUnsigned(end, messages.length) >= 0) {
      messages = grow();
    }
    messages[end] = message;
    size = end + 1;
    return true;
  }

  private @Nullable Object[] grow() {
    if (size < 0) {
      throw notLent();
    }
    messages = Arrays.copyOf(messages, messages.length * 2);
    return messages;
  }

  private static IllegalStateException notLent() {
    return new IllegalStateException(
        "this output list was recycled; it is for the call alone that it was lent for");
  }

  /// How many messages there are; 0 when the list is not lent.
  @Override
  public int size() {
    return Math.max(size, 0);
  }

  @Override
  public boolean isEmpty() {
    return size <= 0;
  }

  @Override
  @SuppressWarnings("NullAway") // below the size there is no null
  public Object get(int index) {
    return messages[Objects.checkIndex(index, size())];
  }

  /// The message at an index that the caller knows to be below the size, which is not checked. Of
  /// others the answer is null, or an exception.
  @SuppressWarnings("NullAway") // as it says
  public Object getUnchecked(int index) {
    return messages[index];
  }

  /// Replaces a message, which the caller gets back.
  @Override
  public Object set(int index, Object message) {
    Objects.requireNonNull(message, "message");
    Object old = get(index);
    messages[index] = message;
    return old;
  }

  /// Forgets all messages; they are not released.
  @Override
  public void clear() {
    if (size > 0) {
      reset();
      size = 0;
    }
  }

  private void reset() {
    if (messages.length > MOST_ROOM) {
      messages = new @Nullable Object[ROOM];
      return;
    }
    @Nullable Object[] messages = this.messages;
    for (int i = 0; i < size; i++) {
      messages[i] = null;
    }
  }
}

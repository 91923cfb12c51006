package dev.quickwater.codec;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/// The list to which a decoder or encoder adds its messages during one call.
///
/// - **Nesting:** each call has a separate list, also when calls nest. Code that adds messages must
///   not keep the list.
/// - **Reuse:** each platform thread keeps a few lists with room for up to 256 messages each.
///   Virtual threads keep none. A list that is not recycled is garbage.
/// - **Ownership:** the code that called [#take] owns the messages, and releases those that it does
///   not pass on.
/// - It is a [java.util.List] to which messages can be added, and which can be changed and cleared.
///   Null is refused, and single messages cannot be removed.
/// - Not synchronised.
public final class OutputList extends AbstractList<Object> implements RandomAccess, AutoCloseable {

  private static final int ROOM = 16;

  /// The maximum room of a kept list: a call with many messages must not hold memory for ever.
  private static final int MAX_ROOM = 256;

  /// The size of a list that is not in use. No index is below it, and adding fails.
  private static final int NOT_LENT = -1;

  private @Nullable Object[] messages = new @Nullable Object[ROOM];
  private int size = NOT_LENT;
  private final @Nullable OutputLists home;

  OutputList(@Nullable OutputLists home) {
    this.home = home;
  }

  /// Returns an empty list, which the caller recycles.
  public static OutputList take() {
    return OutputLists.take();
  }

  OutputList lend() {
    size = 0;
    return this;
  }

  /// Clears the list and returns it to its thread for reuse.
  ///
  /// @throws IllegalStateException if the list was recycled
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

  /// Calls [#recycle].
  @Override
  public void close() {
    recycle();
  }

  /// Adds a message at the end.
  ///
  /// @throws IllegalStateException if the list was recycled
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
        "this output list was recycled; it is valid only during the call that took it");
  }

  /// The number of messages; 0 if the list was recycled.
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

  /// The message at an index. The index is not checked; the caller guarantees that it is below the
  /// size.
  @SuppressWarnings("NullAway") // the caller guarantees the index
  public Object getUnchecked(int index) {
    return messages[index];
  }

  /// Replaces a message.
  @Override
  public Object set(int index, Object message) {
    Objects.requireNonNull(message, "message");
    Object old = get(index);
    messages[index] = message;
    return old;
  }

  /// Removes all messages without releasing them.
  @Override
  public void clear() {
    if (size > 0) {
      reset();
      size = 0;
    }
  }

  private void reset() {
    if (messages.length > MAX_ROOM) {
      messages = new @Nullable Object[ROOM];
      return;
    }
    @Nullable Object[] messages = this.messages;
    for (int i = 0; i < size; i++) {
      messages[i] = null;
    }
  }
}

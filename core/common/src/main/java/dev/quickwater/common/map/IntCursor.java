package dev.quickwater.common.map;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Goes once over the entries of an [IntMap], and can remove them.
///
/// It begins below an empty slot and goes downwards: entries that a removal moves come from slots
/// that it has passed and go to slots that it has passed, so each is met once.
///
/// @param <V> the values
public final class IntCursor<V> {

  private final IntMap<V> map;
  private final int start;
  private int left;
  private int place;
  private int expected;
  private @Nullable V value;

  IntCursor(IntMap<V> map) {
    this.map = map;
    this.expected = map.changes;
    this.left = map.keys.length;
    int empty = 0;
    while (map.values[empty] != null) {
      empty++;
    }
    this.start = empty;
  }

  /// Goes to the next entry.
  ///
  /// @return false when there is none
  public boolean next() {
    map.requireUnchanged(expected);
    @Nullable Object[] values = map.values;
    int mask = values.length - 1;
    int i = left;
    while (--i >= 0) {
      int slot = start + i & mask;
      if (values[slot] != null) {
        left = i;
        place = slot;
        value = map.valueAt(slot);
        return true;
      }
    }
    left = 0;
    value = null;
    return false;
  }

  /// The key of this entry.
  ///
  /// @throws IllegalStateException if there is none: before the first, after the last, or removed
  public int key() {
    value();
    return map.keys[place];
  }

  /// The value of this entry.
  ///
  /// @throws IllegalStateException if there is none: before the first, after the last, or removed
  public V value() {
    if (value == null) {
      throw new IllegalStateException("there is no entry here: next() comes first");
    }
    return value;
  }

  /// Gives the key of this entry another value.
  ///
  /// @throws IllegalStateException if there is none: before the first, after the last, or removed
  public void setValue(V other) {
    value();
    map.requireUnchanged(expected);
    map.values[place] = Objects.requireNonNull(other, "value");
    value = other;
  }

  /// Takes this entry out of the map.
  ///
  /// @throws IllegalStateException if there is none: before the first, after the last, or removed
  public void remove() {
    value();
    removeAt(place);
    value = null;
  }

  private void removeAt(int slot) {
    map.requireUnchanged(expected);
    map.removeAt(slot);
    expected = map.changes;
  }

  /// The rest of the values.
  Iterator<V> iterator() {
    return new Values();
  }

  /// Is one entry ahead of what it has given out.
  private final class Values implements Iterator<V> {

    private boolean ahead = IntCursor.this.next();
    private int given = -1;

    @Override
    public boolean hasNext() {
      return ahead;
    }

    @Override
    public V next() {
      if (!ahead) {
        throw new NoSuchElementException("the values have all been given out");
      }
      V next = value();
      given = place;
      ahead = IntCursor.this.next();
      return next;
    }

    @Override
    public void remove() {
      if (given < 0) {
        throw new IllegalStateException("there is no value to remove: next() comes first");
      }
      removeAt(given);
      given = -1;
    }
  }
}

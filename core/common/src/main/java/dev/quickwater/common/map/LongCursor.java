package dev.quickwater.common.map;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Goes once over the entries of a [LongMap], and can remove them.
///
/// It begins below an empty slot and goes downwards: entries that a removal moves come from slots
/// that it has passed and go to slots that it has passed, so each is met once.
///
/// @param <V> the values
public final class LongCursor<V> {

  private final LongMap<V> map;
  private final int start;
  private int left;

  /// Negative where there is no entry.
  private int place = -1;

  private int expected;

  LongCursor(LongMap<V> map) {
    this.map = map;
    this.expected = map.changes;
    this.left = map.keys.length;
    this.start = map.nextEmpty(0);
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
        return true;
      }
    }
    left = 0;
    place = -1;
    return false;
  }

  /// The key of this entry.
  ///
  /// @throws IllegalStateException if there is none: before the first, after the last, or removed
  public long key() {
    requireEntry();
    return map.keys[place];
  }

  /// The value of this entry.
  ///
  /// @throws IllegalStateException if there is none: before the first, after the last, or removed
  @SuppressWarnings("NullAway") // the slot of an entry is not empty
  public V value() {
    requireEntry();
    return map.valueAt(place);
  }

  private void requireEntry() {
    if (place < 0) {
      throw new IllegalStateException("there is no entry here: next() comes first");
    }
    map.requireUnchanged(expected);
  }

  /// Gives the key of this entry another value.
  ///
  /// @throws IllegalStateException if there is none: before the first, after the last, or removed
  public void setValue(V other) {
    requireEntry();
    map.values[place] = Objects.requireNonNull(other, "value");
  }

  /// Takes this entry out of the map.
  ///
  /// @throws IllegalStateException if there is none: before the first, after the last, or removed
  public void remove() {
    requireEntry();
    map.removeAt(place);
    expected = map.changes;
    place = -1;
  }
}

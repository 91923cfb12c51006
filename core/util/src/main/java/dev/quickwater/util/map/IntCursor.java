package dev.quickwater.util.map;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Iterates once over the entries of an [IntMap], and can remove them.
///
/// The cursor begins below an empty slot and moves downwards. A removal moves entries between slots
/// that the cursor has passed, so each entry is met once.
///
/// @param <V> the values
public final class IntCursor<V> {

  private final IntMap<V> map;
  private final int start;
  private int left;

  /// Negative if there is no entry.
  private int place = -1;

  private int expected;

  IntCursor(IntMap<V> map) {
    this.map = map;
    this.expected = map.changes;
    this.left = map.keys.length;
    this.start = map.nextEmpty(0);
  }

  /// Moves to the next entry.
  ///
  /// @return false after the last entry
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
  public int key() {
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

  /// Replaces the value of this entry.
  ///
  /// @throws IllegalStateException if there is none: before the first, after the last, or removed
  public void setValue(V other) {
    requireEntry();
    map.values[place] = Objects.requireNonNull(other, "value");
  }

  /// Removes this entry from the map.
  ///
  /// @throws IllegalStateException if there is none: before the first, after the last, or removed
  public void remove() {
    requireEntry();
    map.removeAt(place);
    expected = map.changes;
    place = -1;
  }
}

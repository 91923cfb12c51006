package dev.quickwater.util.map;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// Iterates once over the values of an [IntMap], in the order of the map's cursor and for the same
/// reason.
///
/// The iterator is one slot ahead of the value that it returned last, and reads a value when it
/// returns it.
final class IntValues<V> implements Iterator<V> {

  private final IntMap<V> map;
  private final @Nullable Object[] values;
  private final int start;
  private int expected;
  private int left;
  private int given = -1;

  IntValues(IntMap<V> map) {
    this.map = map;
    this.values = map.values;
    this.expected = map.changes;
    this.start = map.nextEmpty(0);
    advance(values.length);
  }

  private void advance(int from) {
    @Nullable Object[] values = this.values;
    int start = this.start;
    int i = from - 1;
    while (i >= 0 && values[start + i & values.length - 1] == null) {
      i--;
    }
    left = i;
  }

  @Override
  public boolean hasNext() {
    return left >= 0;
  }

  @Override
  public V next() {
    map.requireUnchanged(expected);
    @Nullable V next = left < 0 ? null : map.valueAt(start + left & values.length - 1);
    if (next == null) {
      throw new NoSuchElementException("the values have all been given out");
    }
    given = left;
    advance(given);
    return next;
  }

  @Override
  public void remove() {
    if (given < 0) {
      throw new IllegalStateException("there is no value to remove: next() comes first");
    }
    map.requireUnchanged(expected);
    map.removeAt(start + given & values.length - 1);
    expected = map.changes;
    given = -1;
  }
}

package dev.quickwater.common.map;

import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A map from `long` to objects that boxes nothing, for one thread at a time.
///
/// - Any key is allowed, null as a value is not.
/// - **Table:** open addressing with linear probing, at most half of the slots in use; 12 bytes a
///   slot (16 where references are not compressed), 8 slots at least. Removal closes the gap
///   (Knuth, The Art of Computer Programming 6.4, algorithm R), so there are no tombstones and
///   lookups do not slow down with age.
/// - **Keys from a peer:** the home of a key is its low bits, which is perfect for ids that count
///   up. When keys crowd, by bad luck or by somebody's will, the map draws a random odd multiplier
///   and spreads them anew by multiply-shift (Dietzfelbinger et al., 1997), which nobody outside
///   can foresee. Whatever the keys, insertions take a constant number of steps on average, and a
///   lookup seldom more than the square root of the number of slots.
/// - **Memory:** the table grows with the entries and becomes smaller when they go: after a
///   [#remove] or [#removeIf] it has at most 1,024 slots or 32 for each entry, whichever is more.
/// - **Iteration** has no defined order. While one is under way the map may be changed through it
///   alone ([LongCursor#remove], [LongCursor#setValue], the iterator's `remove`); after any other
///   change that adds or removes a key, it throws [ConcurrentModificationException]. Replacing the
///   value of a key is no such change.
///
/// @param <V> the values
public final class LongMap<V> {

  /// Is called with each entry.
  public interface Visitor<V> {
    /// One entry.
    void visit(long key, V value);
  }

  /// Says which entries are meant.
  public interface Filter<V> {
    /// True if the entry is meant.
    boolean test(long key, V value);
  }

  /// An empty slot has the key 0 and no value.
  long[] keys;

  @Nullable Object[] values;

  /// Counts keys that came or went, for iterations to notice.
  int changes;

  private long multiplier;
  private int shift;
  private int size;
  private int sparse;
  private boolean drawn;

  /// Steps of keys beyond [Table#NEAR] since [#changes] was this.
  private long excess;

  private int spread;

  /// An empty map.
  public LongMap() {
    this(0);
  }

  /// An empty map whose table is made for so many entries.
  ///
  /// @throws IllegalArgumentException unless `expected` is between 0 and 2^29
  public LongMap(int expected) {
    int slots = Table.slots(expected);
    keys = new long[slots];
    values = new @Nullable Object[slots];
    shape();
  }

  private void shape() {
    int slots = keys.length;
    shift = Table.shift(slots);
    sparse = Table.sparse(slots);
    if (!drawn) {
      multiplier = Table.plain(shift);
    }
    excess = 0;
    spread = changes;
  }

  private int home(long key) {
    return (int) (key * multiplier >>> shift);
  }

  /// The value of a key, or null.
  @SuppressWarnings("unchecked")
  public @Nullable V get(long key) {
    long[] keys = this.keys;
    int mask = keys.length - 1;
    int i = home(key) & mask;
    while (true) {
      long found = keys[i];
      if (found == key) {
        // Of an empty slot, whose key is 0, this is null.
        return (V) values[i];
      }
      if (found == 0 && values[i] == null) {
        return null;
      }
      i = i + 1 & mask;
    }
  }

  /// True if the key has a value.
  public boolean containsKey(long key) {
    return get(key) != null;
  }

  /// Gives a key a value.
  ///
  /// @return the value it had, or null
  public @Nullable V put(long key, V value) {
    Objects.requireNonNull(value, "value");
    int i = find(key);
    @Nullable V old = valueAt(i);
    if (old == null) {
      insert(i, key, value);
    } else {
      values[i] = value;
    }
    return old;
  }

  /// Gives a key a value unless it has one.
  ///
  /// @return the value it had, or null when it was given this one
  public @Nullable V putIfAbsent(long key, V value) {
    Objects.requireNonNull(value, "value");
    int i = find(key);
    @Nullable V old = valueAt(i);
    if (old == null) {
      insert(i, key, value);
    }
    return old;
  }

  /// Takes a key away.
  ///
  /// @return the value it had, or null
  public @Nullable V remove(long key) {
    int i = find(key);
    @Nullable V old = valueAt(i);
    if (old != null) {
      removeAt(i);
      shrink();
    }
    return old;
  }

  /// Takes all entries away. A table of up to 1,024 slots is kept.
  public void clear() {
    changes++;
    size = 0;
    if (keys.length > Table.KEPT) {
      keys = new long[Table.LEAST];
      values = new @Nullable Object[Table.LEAST];
    } else {
      Arrays.fill(keys, 0);
      Arrays.fill(values, null);
    }
    drawn = false;
    shape();
  }

  /// How many entries there are.
  public int size() {
    return size;
  }

  /// True if there are none.
  public boolean isEmpty() {
    return size == 0;
  }

  /// Visits every entry.
  public void forEach(Visitor<? super V> visitor) {
    int expected = changes;
    long[] keys = this.keys;
    for (int i = 0; i < keys.length; i++) {
      @Nullable V value = valueAt(i);
      if (value != null) {
        visitor.visit(keys[i], value);
        requireUnchanged(expected);
      }
    }
  }

  /// Removes the entries that the filter means.
  ///
  /// @return true if there were any
  public boolean removeIf(Filter<? super V> filter) {
    int before = size;
    LongCursor<V> cursor = cursor();
    while (cursor.next()) {
      if (filter.test(cursor.key(), cursor.value())) {
        cursor.remove();
      }
    }
    shrink();
    return size != before;
  }

  /// Goes over the entries without boxing keys, and can remove them. It makes one object.
  public LongCursor<V> cursor() {
    return new LongCursor<>(this);
  }

  /// The values, live: they can be iterated over any number of times, and removed.
  public Iterable<V> values() {
    return () -> iterator();
  }

  private Iterator<V> iterator() {
    return cursor().iterator();
  }

  /// The keys of this moment, in an array for the caller to keep.
  public long[] keys() {
    long[] all = new long[size];
    int count = 0;
    for (int i = 0; i < keys.length; i++) {
      if (values[i] != null) {
        all[count++] = keys[i];
      }
    }
    return all;
  }

  /// The slot of a key, or the empty one where it belongs.
  private int find(long key) {
    long[] keys = this.keys;
    int mask = keys.length - 1;
    int i = home(key) & mask;
    while (true) {
      long found = keys[i];
      if (found == key || found == 0 && values[i] == null) {
        return i;
      }
      i = i + 1 & mask;
    }
  }

  @SuppressWarnings("unchecked")
  @Nullable V valueAt(int i) {
    return (V) values[i];
  }

  private void insert(int i, long key, Object value) {
    keys[i] = key;
    values[i] = value;
    size++;
    changes++;
    if (size > keys.length >> 1) {
      rehash(grown());
      return;
    }
    int steps = i - home(key) & keys.length - 1;
    if (steps > Table.NEAR) {
      crowd(steps);
    }
  }

  private int grown() {
    if (keys.length == Table.MOST) {
      throw new IllegalStateException("a map holds at most " + Table.MOST / 2 + " entries");
    }
    return keys.length << 1;
  }

  /// Draws another multiplier when keys are too far from home: all in all more than one step a
  /// change, or one of them much too far; and not oftener than is paid for by the steps or the
  /// changes since the last time. So neither keys nor their order make it more than linear.
  private void crowd(int steps) {
    int slots = keys.length;
    int since = changes - spread;
    if (since > 2L * slots) {
      excess = 0;
      spread = changes;
    }
    excess += steps;
    if (excess > since + Table.patience(slots)
        || steps > Table.longest(slots) && since > slots >> 3) {
      drawn = true;
      multiplier = Table.drawn();
      rehash(slots);
    }
  }

  private void rehash(int slots) {
    long[] oldKeys = keys;
    @Nullable Object[] oldValues = values;
    keys = new long[slots];
    values = new @Nullable Object[slots];
    shape();
    for (int i = 0; i < oldKeys.length; i++) {
      @Nullable Object value = oldValues[i];
      if (value != null) {
        int place = find(oldKeys[i]);
        keys[place] = oldKeys[i];
        values[place] = value;
      }
    }
  }

  /// Empties a slot and closes the gap: entries behind it move up as far as their homes allow.
  void removeAt(int hole) {
    long[] keys = this.keys;
    @Nullable Object[] values = this.values;
    int mask = keys.length - 1;
    int i = hole;
    while (true) {
      i = i + 1 & mask;
      @Nullable Object value = values[i];
      if (value == null) {
        break;
      }
      long key = keys[i];
      if ((i - home(key) & mask) >= (i - hole & mask)) {
        keys[hole] = key;
        values[hole] = value;
        hole = i;
      }
    }
    keys[hole] = 0;
    values[hole] = null;
    size--;
    changes++;
  }

  /// Leaves a table that is nearly empty.
  private void shrink() {
    if (size < sparse) {
      rehash(Math.max(Table.KEPT, Table.slots(size * 4)));
    }
  }

  void requireUnchanged(int expected) {
    if (changes != expected) {
      throw new ConcurrentModificationException(
          "keys came or went during an iteration that did not do it");
    }
  }

  /// How many slots lie between a key and its home.
  int steps(long key) {
    return find(key) - home(key) & keys.length - 1;
  }

  /// True while the home of a key is its low bits.
  boolean isPlain() {
    return !drawn;
  }
}

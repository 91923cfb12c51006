package dev.quickwater.util.map;

import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A map from `int` to objects without boxing, for one thread at a time.
///
/// - Every key is allowed; null is not allowed as a value. `char` and `short` keys widen.
/// - **Table:** open addressing with linear probing; at most half of the slots are in use. A slot
///   is a key and a reference; a table has at least 8 slots. Entries are nearly in the order of
///   their homes (Robin Hood hashing; P. Celis, 1986). Up to seven slots from its home an entry
///   takes the first empty slot, which avoids nearly all comparing and moving. Beyond that, entries
///   are kept in order: a search for an absent key ends at the first entry that is nearer to its
///   home, and a removal needs to look no further for entries that fill its gap. There are no
///   tombstones, and lookups do not become slower with age.
/// - **Keys that a peer chooses:** the home of a key is its low bits, which is optimal for ids that
///   count up. When keys crowd, the map draws a random odd multiplier and rehashes by
///   multiply-shift (Dietzfelbinger et al., 1997). A peer cannot predict the multiplier. For all
///   sequences of keys an insertion takes a constant number of steps on average, and a lookup
///   seldom takes more than the square root of the number of slots.
/// - **Memory:** the table grows with the entries and shrinks when they are removed: after a
///   [#remove] or [#removeIf] it has at most 1,024 slots or 32 for each entry, the larger of the
///   two.
/// - **Iteration** has no defined order. During an iteration the map may be changed through the
///   iteration alone ([IntCursor#remove], [IntCursor#setValue], the iterator's `remove`). After any
///   other change that adds or removes a key, the iteration throws
///   [ConcurrentModificationException]. Replacing the value of a key is not such a change.
///
/// @param <V> the values
public final class IntMap<V> {

  /// Is called with each entry.
  public interface Visitor<V> {
    /// One entry.
    void visit(int key, V value);
  }

  /// Selects entries.
  public interface Filter<V> {
    /// True if the entry is selected.
    boolean test(int key, V value);
  }

  /// The key of an empty slot has no meaning.
  int[] keys;

  @Nullable Object[] values;

  /// Counts insertions and removals of keys; iterations compare it.
  int changes;

  /// 0 while the home of a key is its low bits.
  private long multiplier;

  private int shift;
  private int size;
  private int sparse;

  /// Steps of keys beyond [Table#NEAR] since [#changes] had the value of [#spread].
  private long excess;

  private int spread;

  /// An empty map.
  public IntMap() {
    this(0);
  }

  /// An empty map whose table has room for a number of entries.
  ///
  /// @throws IllegalArgumentException unless `expected` is between 0 and 2^29
  public IntMap(int expected) {
    int slots = Table.slots(expected);
    keys = new int[slots];
    values = new @Nullable Object[slots];
    shape();
  }

  private void shape() {
    int slots = keys.length;
    shift = Table.shift(slots);
    sparse = Table.sparse(slots);
    excess = 0;
    spread = changes;
  }

  private int home(int key) {
    return Table.mix(key, multiplier, shift) & keys.length - 1;
  }

  /// The value of a key, or null.
  public @Nullable V get(int key) {
    int home = home(key);
    @Nullable V atHome = valueAt(home);
    if (atHome == null || keys[home] == key) {
      return atHome;
    }
    int i = findNext(key, home);
    return i < 0 ? null : valueAt(i);
  }

  /// True if the key has a value.
  public boolean containsKey(int key) {
    return get(key) != null;
  }

  /// Sets the value of a key.
  ///
  /// @return the value it had, or null
  public @Nullable V put(int key, V value) {
    return put(key, value, true);
  }

  /// Sets the value of a key that has none.
  ///
  /// @return the value that the key had, or null if the value was set
  public @Nullable V putIfAbsent(int key, V value) {
    return put(key, value, false);
  }

  private @Nullable V put(int key, V value, boolean replace) {
    Objects.requireNonNull(value, "value");
    int home = home(key);
    @Nullable V found = valueAt(home);
    if (found != null && keys[home] == key) {
      if (replace) {
        values[home] = value;
      }
      return found;
    }
    int mask = keys.length - 1;
    int i = home;
    for (int steps = 1; found != null && keys[i] != key; steps++) {
      if (steps > Table.LOOSE) {
        return putFar(key, value, home, replace);
      }
      i = home + steps & mask;
      found = valueAt(i);
    }
    if (found == null) {
      add(key, value, i, i - home & mask);
    } else if (replace) {
      values[i] = value;
    }
    return found;
  }

  /// Removes a key.
  ///
  /// @return the value it had, or null
  public @Nullable V remove(int key) {
    int i = find(key, home(key));
    if (i < 0) {
      return null;
    }
    @Nullable V old = valueAt(i);
    removeAt(i);
    if (size < sparse) {
      shrink();
    }
    return old;
  }

  /// Removes all entries. A table of up to 1,024 slots is kept.
  public void clear() {
    changes++;
    size = 0;
    if (keys.length > Table.KEPT) {
      keys = new int[Table.LEAST];
      values = new @Nullable Object[Table.LEAST];
    } else {
      Arrays.fill(values, null);
    }
    multiplier = 0;
    shape();
  }

  /// The number of entries.
  public int size() {
    return size;
  }

  /// True if there is no entry.
  public boolean isEmpty() {
    return size == 0;
  }

  /// Visits every entry.
  public void forEach(Visitor<? super V> visitor) {
    int expected = changes;
    int[] keys = this.keys;
    for (int i = 0; i < keys.length; i++) {
      @Nullable V value = valueAt(i);
      if (value != null) {
        visitor.visit(keys[i], value);
        requireUnchanged(expected);
      }
    }
  }

  /// Removes the entries that the filter selects.
  ///
  /// @return true if there were any
  public boolean removeIf(Filter<? super V> filter) {
    int before = size;
    IntCursor<V> cursor = cursor();
    while (cursor.next()) {
      if (filter.test(cursor.key(), cursor.value())) {
        cursor.remove();
      }
    }
    if (size < sparse) {
      shrink();
    }
    return size != before;
  }

  /// A cursor over the entries, which does not box keys and can remove entries. The call allocates
  /// one object.
  public IntCursor<V> cursor() {
    return new IntCursor<>(this);
  }

  /// A view of the values, which can be iterated repeatedly and removed.
  public Iterable<V> values() {
    return () -> new IntValues<>(this);
  }

  /// The current keys, in a new array.
  public int[] keys() {
    int[] all = new int[size];
    int count = 0;
    for (int i = 0; i < keys.length; i++) {
      if (values[i] != null) {
        all[count++] = keys[i];
      }
    }
    return all;
  }

  /// The slot of the key; if it has none, the complement of the one where it belongs.
  private int find(int key, int home) {
    return values[home] == null ? ~home : keys[home] == key ? home : findNext(key, home);
  }

  /// [#find] for a key that is not at home. The distance of an entry in the first few slots from
  /// its home is not compared, because the entry cannot be too near.
  private int findNext(int key, int home) {
    int[] keys = this.keys;
    @Nullable Object[] values = this.values;
    int mask = keys.length - 1;
    int last = home + Table.LOOSE & mask;
    int i = home;
    do {
      i = i + 1 & mask;
      if (values[i] == null) {
        return ~i;
      }
      if (keys[i] == key) {
        return i;
      }
    } while (i != last);
    return findFar(key, home);
  }

  /// Continues behind the first few slots.
  ///
  /// @return the slot of the key; if it has none, the complement of the one where it belongs
  private int findFar(int key, int home) {
    int[] keys = this.keys;
    @Nullable Object[] values = this.values;
    int mask = keys.length - 1;
    for (int steps = Table.LOOSE + 1; ; steps++) {
      int i = home + steps & mask;
      if (values[i] == null) {
        return ~i;
      }
      int keyFound = keys[i];
      if (keyFound == key) {
        return i;
      }
      if ((i - home(keyFound) & mask) < steps - Table.LOOSE) {
        return ~i;
      }
    }
  }

  @SuppressWarnings("unchecked")
  @Nullable V valueAt(int i) {
    return (V) values[i];
  }

  /// Fills an empty slot, and grows the table if it is more than half full.
  ///
  /// @param steps how far it is from the key's home to the slot that was empty before room was made
  private void add(int key, V value, int place, int steps) {
    int[] keys = this.keys;
    keys[place] = key;
    values[place] = value;
    changes++;
    if (++size > keys.length >> 1) {
      rehash(keys.length << 1, multiplier, place);
    } else if (steps > Table.NEAR) {
      crowd(steps, place);
    }
  }

  /// [#rehash(int, long)] for the newest entry, which is removed again if there is no room or no
  /// memory: a map that throws is unchanged.
  private void rehash(int slots, long multiplier, int newest) {
    boolean done = false;
    try {
      if (slots > Table.MOST) {
        throw new IllegalStateException("a map holds at most " + Table.MOST / 2 + " entries");
      }
      rehash(slots, multiplier);
      done = true;
    } finally {
      if (!done) {
        removeAt(newest);
      }
    }
  }

  /// Continues with a key that is not in the first few slots.
  private @Nullable V putFar(int key, V value, int home, boolean replace) {
    int i = findFar(key, home);
    if (i >= 0) {
      V old = valueAt(i);
      if (replace) {
        values[i] = value;
      }
      return old;
    }
    int place = ~i;
    add(key, value, place, makeRoom(place) - home & keys.length - 1);
    return null;
  }

  /// Clears a slot: the entries from there to the next empty one move on by one slot.
  ///
  /// @return the one that was empty
  private int makeRoom(int place) {
    if (values[place] == null) {
      return place;
    }
    int[] keys = this.keys;
    @Nullable Object[] values = this.values;
    int mask = keys.length - 1;
    int empty = nextEmpty(place);
    for (int i = empty; i != place; ) {
      int before = i - 1 & mask;
      keys[i] = keys[before];
      values[i] = values[before];
      i = before;
    }
    return empty;
  }

  /// Draws another multiplier when keys are too far from home: together more than one step a
  /// change, or one of them much too far. The steps or the changes since the last time must pay for
  /// it. For all keys in all orders the work therefore is linear.
  private void crowd(int steps, int newest) {
    int slots = keys.length;
    int since = changes - spread;
    if (since > 2L * slots) {
      excess = 0;
      spread = changes;
    }
    excess += steps;
    if (excess > since + Table.patience(slots)
        || steps > Table.longest(slots) && since > slots >> 3) {
      rehash(slots, Table.drawn(), newest);
    }
  }

  /// Moves all entries to a table of another size. Nothing changes if there is no memory for it.
  private void rehash(int slots, long multiplier) {
    int[] oldKeys = this.keys;
    @Nullable Object[] oldValues = this.values;
    int[] keys = new int[slots];
    @Nullable Object[] values = new @Nullable Object[slots];
    this.keys = keys;
    this.values = values;
    this.multiplier = multiplier;
    shape();
    for (int i = 0; i < oldKeys.length; i++) {
      @Nullable Object value = oldValues[i];
      if (value != null) {
        int key = oldKeys[i];
        int place = makePlace(key, home(key));
        keys[place] = key;
        values[place] = value;
      }
    }
  }

  /// An empty slot for a key that is absent.
  private int makePlace(int key, int home) {
    @Nullable Object[] values = this.values;
    int mask = values.length - 1;
    int last = home + Table.LOOSE & mask;
    int i = home;
    while (values[i] != null) {
      if (i == last) {
        int place = ~findFar(key, home);
        makeRoom(place);
        return place;
      }
      i = i + 1 & mask;
    }
    return i;
  }

  /// The first empty slot from this one on.
  int nextEmpty(int from) {
    int i = from;
    while (values[i] != null) {
      i = i + 1 & keys.length - 1;
    }
    return i;
  }

  /// Empties a slot and closes the gap: an entry behind it that came past it moves there, which
  /// leaves a gap in turn.
  void removeAt(int slot) {
    int[] keys = this.keys;
    @Nullable Object[] values = this.values;
    int mask = keys.length - 1;
    int hole = slot;
    int i = slot;
    while (true) {
      i = i + 1 & mask;
      @Nullable Object value = values[i];
      if (value == null) {
        break;
      }
      int key = keys[i];
      int steps = i - home(key) & mask;
      int behind = i - hole & mask;
      if (steps >= behind) {
        keys[hole] = key;
        values[hole] = value;
        hole = i;
      } else if (steps < behind - Table.LOOSE) {
        // Had an entry further on come past the hole, this one would be too near to its home.
        break;
      }
    }
    values[hole] = null;
    size--;
    changes++;
  }

  /// Leaves a table that is nearly empty, unless there is no memory for a smaller one: a removal
  /// must not lose the value that it returns. It tries again at half the size, since each try in
  /// vain may cost a collection.
  private void shrink() {
    try {
      rehash(Math.max(Table.KEPT, Table.slots(size * 4)), multiplier);
    } catch (OutOfMemoryError _) {
      sparse >>= 1;
    }
  }

  void requireUnchanged(int expected) {
    if (changes != expected) {
      throw new ConcurrentModificationException(
          "keys came or went during an iteration that did not do it");
    }
  }

  /// How many slots lie between a key and its home; for one that is not there, how many are looked
  /// at in vain.
  int steps(int key) {
    int home = home(key);
    int i = find(key, home);
    return (i < 0 ? ~i : i) - home & keys.length - 1;
  }

  /// True while the home of a key is its low bits.
  boolean isPlain() {
    return multiplier == 0;
  }
}

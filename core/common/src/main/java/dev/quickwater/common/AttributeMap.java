package dev.quickwater.common;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Values that parts of a program attach to an object, each under a separate key.
///
/// - All methods are safe on any thread. None blocks, or spins while other threads do nothing. A
///   value that a thread reads is visible as the thread that set it left it.
/// - A key has a value or none; null is not a value.
/// - **Structure:** a table with open addressing that is never changed: inserting or removing a key
///   replaces it. A lookup therefore takes no lock and, because keys are numbered in the order of
///   their creation, mostly one comparison. Replacing the table costs time in proportion to the
///   number of keys, which should be small; a new value for an existing key costs one atomic
///   operation.
/// - Values that are removed or replaced are neither closed nor released.
public final class AttributeMap {

  private static final VarHandle TABLE;

  static {
    try {
      TABLE = MethodHandles.lookup().findVarHandle(AttributeMap.class, "table", Entry[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int LEAST = 4;

  /// The final value of an entry that is removed from the table, or about to be.
  private static final Object GONE = new Object();

  /// Its length is a power of two; at least a quarter of it is empty.
  private volatile @Nullable Entry[] table = new @Nullable Entry[LEAST];

  /// An empty map.
  public AttributeMap() {}

  /// The value of a key, or null.
  @SuppressWarnings("unchecked")
  public <T> @Nullable T get(AttributeKey<T> key) {
    @Nullable Entry entry = find(table, key);
    @Nullable Object value = entry == null ? null : entry.value;
    return value == GONE ? null : (T) value;
  }

  /// True if the key has a value.
  public boolean contains(AttributeKey<?> key) {
    @Nullable Entry entry = find(table, key);
    return entry != null && entry.value != GONE;
  }

  /// Sets the value of a key.
  ///
  /// @return the value it had, or null
  @SuppressWarnings("unchecked")
  public <T> @Nullable T set(AttributeKey<T> key, T value) {
    Objects.requireNonNull(value, "value");
    while (true) {
      @Nullable Entry entry = entryOrInsert(key, value);
      if (entry == null) {
        return null;
      }
      Object old = entry.value;
      if (old != GONE && entry.change(old, value)) {
        return (T) old;
      }
    }
  }

  /// Sets the value of a key that has none.
  ///
  /// @return the value that the key had, or null if the value was set
  @SuppressWarnings("unchecked")
  public <T> @Nullable T setIfAbsent(AttributeKey<T> key, T value) {
    Objects.requireNonNull(value, "value");
    while (true) {
      @Nullable Entry entry = entryOrInsert(key, value);
      if (entry == null) {
        return null;
      }
      Object old = entry.value;
      if (old != GONE) {
        return (T) old;
      }
    }
  }

  /// The value of a key, made by the supplier if there is none. If several threads make one at the
  /// same time, all receive the same value and the others are dropped.
  public <T> T getOrCreate(AttributeKey<T> key, Supplier<? extends T> supplier) {
    @Nullable T value = get(key);
    if (value != null) {
      return value;
    }
    T made = supplier.get();
    @Nullable T other = setIfAbsent(key, made);
    return other == null ? made : other;
  }

  /// Replaces the value of a key if it is the expected object.
  ///
  /// @param expected the value to replace; null to require that there is none
  /// @param value the new value; null to remove the key
  /// @return false, without a change, if the key had another value
  public <T> boolean compareAndSet(AttributeKey<T> key, @Nullable T expected, @Nullable T value) {
    if (expected == null) {
      return value == null ? get(key) == null : setIfAbsent(key, value) == null;
    }
    @Nullable Entry entry = find(table, key);
    if (entry == null || !entry.change(expected, value == null ? GONE : value)) {
      return false;
    }
    if (value == null) {
      unlink(entry);
    }
    return true;
  }

  /// Removes a key.
  ///
  /// @return the value it had, or null
  @SuppressWarnings("unchecked")
  public <T> @Nullable T remove(AttributeKey<T> key) {
    @Nullable Entry entry = find(table, key);
    if (entry == null) {
      return null;
    }
    Object old = entry.leave();
    if (old == GONE) {
      return null;
    }
    unlink(entry);
    return (T) old;
  }

  /// A copy of the keys that have values, in no particular order.
  public List<AttributeKey<?>> keys() {
    List<AttributeKey<?>> keys = new ArrayList<>();
    for (@Nullable Entry entry : table) {
      if (entry != null && entry.value != GONE) {
        keys.add(entry.key);
      }
    }
    return keys;
  }

  private static @Nullable Entry find(@Nullable Entry[] table, AttributeKey<?> key) {
    int mask = table.length - 1;
    int i = key.number & mask;
    while (true) {
      @Nullable Entry entry = table[i];
      if (entry == null || entry.key == key) {
        return entry;
      }
      i = i + 1 & mask;
    }
  }

  /// The entry of a key, or null after the key was inserted with this value. An entry that was
  /// removed is out of the table afterwards.
  private @Nullable Entry entryOrInsert(AttributeKey<?> key, Object value) {
    while (true) {
      @Nullable Entry[] seen = table;
      @Nullable Entry entry = find(seen, key);
      if (entry != null && entry.value != GONE) {
        return entry;
      }
      if (TABLE.compareAndSet(this, seen, changed(seen, entry, new Entry(key, value)))) {
        return null;
      }
    }
  }

  private void unlink(Entry gone) {
    while (true) {
      @Nullable Entry[] seen = table;
      if (find(seen, gone.key) != gone
          || TABLE.compareAndSet(this, seen, changed(seen, gone, null))) {
        return;
      }
    }
  }

  /// A table with other entries.
  private static @Nullable Entry[] changed(
      @Nullable Entry[] seen, @Nullable Entry gone, @Nullable Entry added) {
    int count = added == null ? 0 : 1;
    for (@Nullable Entry entry : seen) {
      if (entry != null && entry != gone) {
        count++;
      }
    }
    int slots = LEAST;
    while (count > slots - (slots >> 2)) {
      slots <<= 1;
    }
    @Nullable Entry[] table = new @Nullable Entry[slots];
    for (@Nullable Entry entry : seen) {
      if (entry != null && entry != gone) {
        place(table, entry);
      }
    }
    if (added != null) {
      place(table, added);
    }
    return table;
  }

  private static void place(@Nullable Entry[] table, Entry entry) {
    int mask = table.length - 1;
    int i = entry.key.number & mask;
    while (table[i] != null) {
      i = i + 1 & mask;
    }
    table[i] = entry;
  }

  /// One key and its value, from its insertion until its removal.
  private static final class Entry {

    private static final VarHandle VALUE;

    static {
      try {
        VALUE = MethodHandles.lookup().findVarHandle(Entry.class, "value", Object.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    final AttributeKey<?> key;
    volatile Object value;

    Entry(AttributeKey<?> key, Object value) {
      this.key = key;
      this.value = value;
    }

    boolean change(Object expected, Object other) {
      return VALUE.compareAndSet(this, expected, other);
    }

    Object leave() {
      return VALUE.getAndSet(this, GONE);
    }
  }
}

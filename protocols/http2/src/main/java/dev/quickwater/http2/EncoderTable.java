package dev.quickwater.http2;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The dynamic table of an encoder (RFC 7541 section 2.3.2): a list of entries in the order of
/// their insertion. Two hash tables find an entry by name and value, or by name alone.
///
/// - The caller computes the hashes, because names and shared fields cache theirs.
/// - The hash tables grow with the number of entries, because most connections have few entries.
final class EncoderTable {

  private static final int FIRST_BUCKETS = 4;

  /// The golden ratio as a fraction of 2^32: spreads hashes over the high bits.
  private static final int SPREAD = 0x9e3779b9;

  /// An entry. The encoder only passes it back to this table.
  static final class Entry {
    private final byte[] name;
    private final byte[] value;
    private final int nameHash;
    private final int hash;

    /// The number of the insertion.
    private final int number;

    /// The entry that was inserted next; null for the newest.
    @Nullable Entry newer;

    /// Older entries of the same buckets.
    @Nullable Entry sameHash;

    @Nullable Entry sameNameHash;

    Entry(byte[] name, byte[] value, int nameHash, int hash, int number) {
      this.name = name;
      this.value = value;
      this.nameHash = nameHash;
      this.hash = hash;
      this.number = number;
    }

    private boolean is(byte[] otherName, byte[] otherValue, int otherHash) {
      return hash == otherHash && isEqual(value, otherValue) && isEqual(name, otherName);
    }

    private int size() {
      return name.length + value.length + TableEntry.OVERHEAD;
    }
  }

  private @Nullable Entry[] byHash = new @Nullable Entry[FIRST_BUCKETS];
  private @Nullable Entry[] byName = new @Nullable Entry[FIRST_BUCKETS];
  private int shift = Integer.numberOfLeadingZeros(FIRST_BUCKETS - 1);
  private @Nullable Entry oldest;
  private @Nullable Entry newest;
  private int inserted;
  private int count;
  private int size;
  private int maxSize;

  EncoderTable(int maxSize) {
    this.maxSize = maxSize;
  }

  int size() {
    return size;
  }

  int maxSize() {
    return maxSize;
  }

  /// The number of insertions so far. An unchanged number means that all indices are unchanged.
  int inserted() {
    return inserted;
  }

  /// The hash of a field.
  static int hash(int nameHash, int valueHash) {
    return 31 * nameHash + valueHash;
  }

  private int bucket(int hash) {
    return hash * SPREAD >>> shift;
  }

  /// The entry of a field, or null.
  ///
  /// @param before the entry of an earlier field of the message, or null. Messages repeat their
  ///   fields in order, so the entry that was inserted after `before` is compared first
  @Nullable Entry find(byte[] name, byte[] value, int hash, @Nullable Entry before) {
    @Nullable Entry expected = before == null ? null : before.newer;
    if (expected != null && expected.is(name, value, hash)) {
      return expected;
    }
    for (@Nullable Entry e = byHash[bucket(hash)]; e != null; e = e.sameHash) {
      if (e.is(name, value, hash)) {
        return e;
      }
    }
    return null;
  }

  /// The index of an entry, 0 for the newest.
  int index(Entry entry) {
    return inserted - 1 - entry.number;
  }

  /// The index of the newest entry of a name, 0 for the newest of all, or -1.
  int findName(byte[] name, int nameHash) {
    for (@Nullable Entry e = byName[bucket(nameHash)]; e != null; e = e.sameNameHash) {
      if (e.nameHash == nameHash && isEqual(e.name, name)) {
        return inserted - 1 - e.number;
      }
    }
    return -1;
  }

  private static boolean isEqual(byte[] a, byte[] b) {
    return a == b || Arrays.equals(a, b);
  }

  /// Adds an entry that is not larger than the table, after evicting the oldest entries. The caller
  /// must not change `name` and `value` afterwards.
  void add(byte[] name, byte[] value, int nameHash, int hash) {
    Entry entry = new Entry(name, value, nameHash, hash, inserted);
    evictTo(maxSize - entry.size());
    if (count == byHash.length) {
      grow();
    }
    inserted++;
    count++;
    size += entry.size();
    if (newest == null) {
      oldest = entry;
    } else {
      newest.newer = entry;
    }
    newest = entry;
    link(entry);
  }

  private void link(Entry entry) {
    int at = bucket(entry.hash);
    entry.sameHash = byHash[at];
    byHash[at] = entry;
    int nameAt = bucket(entry.nameHash);
    entry.sameNameHash = byName[nameAt];
    byName[nameAt] = entry;
  }

  /// Links all entries again, from the oldest to the newest.
  private void grow() {
    byHash = new @Nullable Entry[2 * byHash.length];
    byName = new @Nullable Entry[byHash.length];
    shift--;
    for (@Nullable Entry e = oldest; e != null; e = e.newer) {
      link(e);
    }
  }

  /// Changes the maximum size, and evicts entries that exceed it.
  void setMaxSize(int bytes) {
    maxSize = bytes;
    evictTo(bytes);
  }

  private void evictTo(int bytes) {
    @Nullable Entry gone;
    while (size > bytes && (gone = oldest) != null) {
      size -= gone.size();
      count--;
      oldest = gone.newer;
      if (oldest == null) {
        newest = null;
      }
      unlink(gone);
    }
  }

  /// The oldest entry is the last one of its buckets.
  private void unlink(Entry gone) {
    int at = bucket(gone.hash);
    @Nullable Entry e = byHash[at];
    if (e == gone) {
      byHash[at] = null;
    } else {
      while (e != null && e.sameHash != gone) {
        e = e.sameHash;
      }
      if (e != null) {
        e.sameHash = null;
      }
    }
    int nameAt = bucket(gone.nameHash);
    e = byName[nameAt];
    if (e == gone) {
      byName[nameAt] = null;
    } else {
      while (e != null && e.sameNameHash != gone) {
        e = e.sameNameHash;
      }
      if (e != null) {
        e.sameNameHash = null;
      }
    }
  }
}

package dev.quickwater.buffer.search;

import org.jspecify.annotations.Nullable;

/// One or several byte strings, prepared for search. Immutable and safe on any thread. [#search]
/// begins a search, which has the state.
///
/// Every algorithm is linear in the input for all needles and inputs, so an attacker cannot make it
/// slow. While no match has begun, the search checks eight bytes at a time for the byte of the
/// needle that is likely to be the rarest, and skips words without it.
///
/// - [#knuthMorrisPratt]: one needle of any length; one `int` for each byte of the needle.
/// - [#shiftOr]: one needle of up to 64 bytes; 2 KiB. The fastest for one needle.
/// - [#ahoCorasick]: many needles at once; 1 KiB for each byte of a needle, but common beginnings
///   count once.
public abstract sealed class Needle permits KnuthMorrisPratt, ShiftOr, AhoCorasick {

  private final byte[][] needles;

  /// The bytes by which a search skips input.
  final KeyBytes keys;

  Needle(byte[]... needles) {
    this.needles = needles;
    this.keys = new KeyBytes(needles);
  }

  /// Chooses the algorithm: shift-or up to 64 bytes, Knuth-Morris-Pratt above, Aho-Corasick for
  /// several needles.
  ///
  /// @throws IllegalArgumentException if there is no needle or one is empty
  public static Needle of(byte[]... needles) {
    if (needles.length != 1) {
      return ahoCorasick(needles);
    }
    return needles[0].length <= ShiftOr.LONGEST
        ? shiftOr(needles[0])
        : knuthMorrisPratt(needles[0]);
  }

  /// One needle of any length (Knuth, Morris, Pratt: "Fast pattern matching in strings", 1977).
  ///
  /// @throws IllegalArgumentException if it is empty
  public static Needle knuthMorrisPratt(byte[] needle) {
    return new KnuthMorrisPratt(copy(needle));
  }

  /// One needle of 1 to 64 bytes (Baeza-Yates, Gonnet: "A new approach to text searching", 1992).
  ///
  /// @throws IllegalArgumentException if it is empty or longer
  public static Needle shiftOr(byte[] needle) {
    return new ShiftOr(copy(needle));
  }

  /// Several needles (Aho, Corasick: "Efficient string matching", 1975). If several end at the same
  /// byte, the longest is found.
  ///
  /// @throws IllegalArgumentException if there is none, or one is empty, or they have together more
  ///   than 1,048,575 bytes
  public static Needle ahoCorasick(byte[]... needles) {
    if (needles.length == 0) {
      throw new IllegalArgumentException("expected at least one needle");
    }
    byte[][] copies = new byte[needles.length][];
    for (int i = 0; i < copies.length; i++) {
      copies[i] = copy(needles[i]);
    }
    return new AhoCorasick(copies);
  }

  private static byte[] copy(byte[] needle) {
    if (needle.length == 0) {
      throw new IllegalArgumentException("the needle is empty");
    }
    return needle.clone();
  }

  /// A new search.
  public final ByteSearch search() {
    return new ByteSearch(this);
  }

  final int length(int which) {
    return needles[which].length;
  }

  /// The initial state of a search.
  abstract long start();

  /// Searches `[from, to)`, a range that was checked, and stores state, needle and work in
  /// `search`.
  ///
  /// @return the index behind the last byte of a match, or -1 at the end of the range
  abstract int scan(ByteSearch search, byte @Nullable [] array, long address, int from, int to);
}

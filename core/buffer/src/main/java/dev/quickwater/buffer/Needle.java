package dev.quickwater.buffer;

import org.jspecify.annotations.Nullable;

/// One or several byte strings to look for, prepared for search. Immutable and safe on any thread;
/// [#search] begins a search, which has the state.
///
/// Every algorithm takes each byte of the input at most once, whatever needle and input are, so an
/// attacker's input costs no more than so many steps. Where no match has begun, words of eight
/// bytes are looked at for the byte of the needle that seems rarest, and where that is missing no
/// step is taken:
///
/// - [#knuthMorrisPratt]: one needle of any length; one `int` a byte of needle.
/// - [#shiftOr]: one needle of up to 64 bytes; 2 KiB. The fastest for one needle.
/// - [#ahoCorasick]: many needles at once; 1 KiB for each byte of needle that no other needle
///   begins with too.
public abstract sealed class Needle permits KnuthMorrisPratt, ShiftOr, AhoCorasick {

  private final byte[][] needles;

  /// What tells where a search may pass over the input.
  final KeyBytes keys;

  Needle(byte[]... needles) {
    this.needles = needles;
    this.keys = new KeyBytes(needles);
  }

  /// The algorithm that suits: shift-or up to 64 bytes, Knuth-Morris-Pratt above, Aho-Corasick for
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

  /// Several needles (Aho, Corasick: "Efficient string matching", 1975). Where several end at the
  /// same byte, the longest is found.
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

  /// A search from the start.
  public final ByteSearch search() {
    return new ByteSearch(this);
  }

  final int length(int which) {
    return needles[which].length;
  }

  /// The state of a search that has seen nothing.
  abstract long start();

  /// Goes over `[from, to)`, a range that was checked, and leaves state, needle and work in
  /// `search`.
  ///
  /// @return the index behind the last byte of a match, or -1 at the end of the range
  abstract int scan(ByteSearch search, byte @Nullable [] array, long address, int from, int to);
}

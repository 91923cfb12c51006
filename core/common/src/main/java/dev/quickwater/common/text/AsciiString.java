package dev.quickwater.common.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Immutable text of ASCII characters, 0 to 127, in a part of a byte array.
///
/// - Other characters are refused on creation, so that text, bytes and what goes on the wire never
///   differ; [#replacing] takes them by another name.
/// - [#equals] is for other `AsciiString`s alone and regards case. [#contentEquals] and
///   [#equalsIgnoreCase] take any text. Case is that of `A` to `Z`.
/// - [#hashCode] agrees with [#equals] and [#hash], [#hashIgnoreCase] with [#equalsIgnoreCase].
///   Both are keyed with numbers drawn when the JVM starts, so that a peer cannot prepare names
///   that collide; they differ from run to run and are not to be stored. Should names collide all
///   the same, `HashMap` finds them in logarithmic time, because they are comparable with their own
///   kind. It is no hash for signatures.
/// - A part of a text shares its array and keeps all of it alive.
/// - Objects may be shared between threads. Hashes and the `String` are kept once they were made.
///
/// Indexes are in characters from 0. Searches for a text are linear in practice, but the product of
/// both lengths when the text is made for it; where a peer chooses both, use
/// `dev.quickwater.buffer.ByteSearch`.
public final class AsciiString implements CharSequence, Comparable<AsciiString> {

  /// No characters.
  public static final AsciiString EMPTY = new AsciiString(new byte[0], 0, 0);

  private final byte[] array;
  private final int offset;
  private final int length;

  // Written without ordering: whoever sees 0 or null makes the same again.
  private int hash;
  private int hashIgnoreCase;
  private @Nullable String string;

  private AsciiString(byte[] array, int offset, int length) {
    this.array = array;
    this.offset = offset;
    this.length = length;
  }

  /// The text's characters.
  ///
  /// @throws IllegalArgumentException if one is not ASCII
  public static AsciiString of(CharSequence text) {
    if (text instanceof AsciiString already) {
      return already;
    }
    if (text instanceof String string && string.length() > 2 * Words.SIZE) {
      return of(string);
    }
    byte[] bytes = new byte[text.length()];
    int seen = 0;
    for (int i = 0; i < bytes.length; i++) {
      char c = text.charAt(i);
      seen |= c;
      bytes[i] = (byte) c;
    }
    if (seen > 0x7f) {
      throw notAscii(text);
    }
    return new AsciiString(bytes, 0, bytes.length);
  }

  /// Where the JDK copies at once; it writes what is not ASCII in two bytes or more, but for half a
  /// pair of surrogates, which becomes a question mark.
  private static AsciiString of(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    if (bytes.length != text.length()
        || AsciiSearch.indexOf(bytes, 0, bytes.length, 0, '?') >= 0 && !isAscii(text)) {
      throw notAscii(text);
    }
    return new AsciiString(bytes, 0, bytes.length);
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c <= 0x7f);
  }

  /// The text's characters, with `replacement` for each `char` that is not ASCII; that makes two
  /// for a pair of surrogates.
  ///
  /// @throws IllegalArgumentException if the replacement is not ASCII
  public static AsciiString replacing(CharSequence text, char replacement) {
    if (replacement > 0x7f) {
      throw notAscii(String.valueOf(replacement));
    }
    if (text instanceof AsciiString already) {
      return already;
    }
    byte[] bytes = new byte[text.length()];
    for (int i = 0; i < bytes.length; i++) {
      char c = text.charAt(i);
      bytes[i] = (byte) (c > 0x7f ? replacement : c);
    }
    return new AsciiString(bytes, 0, bytes.length);
  }

  /// A copy of the bytes.
  ///
  /// @throws IllegalArgumentException if one is not ASCII
  public static AsciiString copyOf(byte[] bytes) {
    return wrap(bytes.clone());
  }

  /// A copy of the bytes in `[from, to)`.
  ///
  /// @throws IllegalArgumentException if one is not ASCII
  /// @throws IndexOutOfBoundsException if they are not all within the array
  public static AsciiString copyOf(byte[] bytes, int from, int to) {
    Objects.checkFromToIndex(from, to, bytes.length);
    return wrap(Arrays.copyOfRange(bytes, from, to));
  }

  /// The array itself, **which must not change any more**: hashes would be wrong, and what was
  /// checked would no longer be so.
  ///
  /// @throws IllegalArgumentException if a byte is not ASCII
  public static AsciiString wrap(byte[] array) {
    return wrap(array, 0, array.length);
  }

  /// The array's part `[from, to)`, **which must not change any more**.
  ///
  /// @throws IllegalArgumentException if a byte is not ASCII
  /// @throws IndexOutOfBoundsException if the part is not within the array
  public static AsciiString wrap(byte[] array, int from, int to) {
    Objects.checkFromToIndex(from, to, array.length);
    long seen = 0;
    int i = from;
    for (; i <= to - Words.SIZE; i += Words.SIZE) {
      seen |= Words.get(array, i);
    }
    seen |= Words.getPart(array, i, to - i);
    if ((seen & Words.HIGH_BITS) != 0) {
      throw notAscii(new String(array, from, to - from, ISO_8859_1));
    }
    return from == to ? EMPTY : new AsciiString(array, from, to - from);
  }

  private static IllegalArgumentException notAscii(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0x7f) {
        return new IllegalArgumentException(
            "character 0x%x at index %d of %d is not ASCII"
                .formatted((int) text.charAt(i), i, text.length()));
      }
    }
    return new IllegalArgumentException("the text was changed while it was read");
  }

  /// In characters, which are bytes.
  @Override
  public int length() {
    return length;
  }

  @Override
  public char charAt(int index) {
    return (char) byteAt(index);
  }

  /// The character as a byte, which is never negative.
  ///
  /// @throws IndexOutOfBoundsException if there is none
  public byte byteAt(int index) {
    return array[offset + Objects.checkIndex(index, length)];
  }

  /// A new array of the characters.
  public byte[] toByteArray() {
    return Arrays.copyOfRange(array, offset, offset + length);
  }

  /// Copies all characters to `target` from index `at`.
  ///
  /// @return the index behind the last one
  /// @throws IndexOutOfBoundsException if there is not enough room
  public int copyTo(byte[] target, int at) {
    System.arraycopy(array, offset, target, at, length);
    return at + length;
  }

  /// The characters in `[from, to)`, which share the array.
  @Override
  public AsciiString subSequence(int from, int to) {
    Objects.checkFromToIndex(from, to, length);
    if (from == to) {
      return EMPTY;
    }
    return to - from == length ? this : new AsciiString(array, offset + from, to - from);
  }

  /// The characters from `from` to the end.
  public AsciiString subSequence(int from) {
    return subSequence(from, length);
  }

  /// Without the white space and control characters, 0 to 32, at both ends, as [String#trim].
  public AsciiString trim() {
    int from = 0;
    int to = length;
    while (from < to && array[offset + from] <= ' ') {
      from++;
    }
    while (from < to && array[offset + to - 1] <= ' ') {
      to--;
    }
    return subSequence(from, to);
  }

  /// The parts between the separators, empty ones too, so that joining them gives this text; one
  /// part more than there are separators.
  public List<AsciiString> split(char separator) {
    return split(separator, Integer.MAX_VALUE);
  }

  /// Like [#split(char)], but at most `most` parts: the last one may contain separators.
  ///
  /// @throws IllegalArgumentException if `most` is less than 1
  public List<AsciiString> split(char separator, int most) {
    if (most < 1) {
      throw new IllegalArgumentException("at most " + most + " parts, expected 1 or more");
    }
    List<AsciiString> parts = new ArrayList<>();
    int from = 0;
    for (int at = indexOf(separator); at >= 0 && parts.size() < most - 1; ) {
      parts.add(subSequence(from, at));
      from = at + 1;
      at = indexOf(separator, from);
    }
    parts.add(subSequence(from));
    return List.copyOf(parts);
  }

  /// This text with `a` to `z` for `A` to `Z`; itself when it has none of those.
  public AsciiString toLowerCase() {
    byte @Nullable [] changed = AsciiCase.change(array, offset, length, true);
    return changed == null ? this : new AsciiString(changed, 0, length);
  }

  /// This text with `A` to `Z` for `a` to `z`; itself when it has none of those.
  public AsciiString toUpperCase() {
    byte @Nullable [] changed = AsciiCase.change(array, offset, length, false);
    return changed == null ? this : new AsciiString(changed, 0, length);
  }

  /// The number that the text is: an optional minus sign and decimal digits, nothing else. Zeros
  /// may lead.
  ///
  /// @throws NumberFormatException if it is none, or no `int`
  public int parseInt() {
    return (int) AsciiNumber.parse(this, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /// Like [#parseInt], for a `long`.
  ///
  /// @throws NumberFormatException if it is none, or no `long`
  public long parseLong() {
    return AsciiNumber.parse(this, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /// The first index of a character, or -1.
  public int indexOf(char c) {
    return AsciiSearch.indexOf(array, offset, length, 0, c);
  }

  /// The first index of a character that is not below `from`, or -1.
  ///
  /// @throws IndexOutOfBoundsException if `from` is below 0 or above the length
  public int indexOf(char c, int from) {
    Objects.checkFromToIndex(from, length, length);
    return AsciiSearch.indexOf(array, offset, length, from, c);
  }

  /// The first index at which `text` begins, or -1. The empty text begins at 0.
  public int indexOf(CharSequence text) {
    return AsciiSearch.indexOf(this, text, 0, false);
  }

  /// The first index not below `from` at which `text` begins, or -1.
  ///
  /// @throws IndexOutOfBoundsException if `from` is below 0 or above the length
  public int indexOf(CharSequence text, int from) {
    Objects.checkFromToIndex(from, length, length);
    return AsciiSearch.indexOf(this, text, from, false);
  }

  /// Like [#indexOf(CharSequence, int)], without regard to case.
  public int indexOfIgnoreCase(CharSequence text, int from) {
    Objects.checkFromToIndex(from, length, length);
    return AsciiSearch.indexOf(this, text, from, true);
  }

  /// Whether `text` is somewhere in this.
  public boolean contains(CharSequence text) {
    return indexOf(text) >= 0;
  }

  /// Whether `text` is somewhere in this, without regard to case.
  public boolean containsIgnoreCase(CharSequence text) {
    return indexOfIgnoreCase(text, 0) >= 0;
  }

  /// Whether this begins with `text`.
  public boolean startsWith(CharSequence text) {
    return regionMatches(0, text, 0, text.length());
  }

  /// Whether this ends with `text`.
  public boolean endsWith(CharSequence text) {
    return regionMatches(length - text.length(), text, 0, text.length());
  }

  /// Whether `count` characters from `from` are those of `other` from `otherFrom`. A range that is
  /// not within its text matches nothing.
  public boolean regionMatches(int from, CharSequence other, int otherFrom, int count) {
    return areRanges(from, other, otherFrom, count)
        && matches(from, other, otherFrom, count, false);
  }

  /// Like [#regionMatches], without regard to case.
  public boolean regionMatchesIgnoreCase(int from, CharSequence other, int otherFrom, int count) {
    return areRanges(from, other, otherFrom, count) && matches(from, other, otherFrom, count, true);
  }

  private boolean areRanges(int from, CharSequence other, int otherFrom, int count) {
    return from >= 0
        && otherFrom >= 0
        && count >= 0
        && count <= length - from
        && count <= other.length() - otherFrom;
  }

  /// [#regionMatches] for ranges that are known to be within.
  boolean matches(int from, CharSequence other, int otherFrom, int count, boolean ignoreCase) {
    if (other instanceof AsciiString ascii) {
      int here = offset + from;
      int there = ascii.offset + otherFrom;
      return ignoreCase
          ? AsciiCase.equalBytes(array, here, ascii.array, there, count)
          : equalBytes(array, here, ascii.array, there, count);
    }
    if (ignoreCase) {
      return AsciiCase.equalChars(array, offset + from, other, otherFrom, count);
    }
    for (int i = 0; i < count; i++) {
      if (array[offset + from + i] != other.charAt(otherFrom + i)) {
        return false;
      }
    }
    return true;
  }

  /// `count` characters from `index`, 1 to 8, which are known to be within, and zeros.
  long word(int index, int count, boolean ignoreCase) {
    long word =
        count == Words.SIZE
            ? Words.get(array, offset + index)
            : Words.getPart(array, offset + index, count);
    return ignoreCase ? Words.toLowerCase(word) : word;
  }

  /// Whether `other` has the same characters.
  public boolean contentEquals(CharSequence other) {
    return other.length() == length && matches(0, other, 0, length, false);
  }

  /// Whether `other` has the same characters but for their case.
  public boolean equalsIgnoreCase(CharSequence other) {
    return other.length() == length && matches(0, other, 0, length, true);
  }

  /// Whether two texts have the same characters but for the case of `A` to `Z`. Neither needs to be
  /// ASCII.
  public static boolean equalsIgnoreCase(CharSequence a, CharSequence b) {
    if (a instanceof AsciiString ascii) {
      return ascii.equalsIgnoreCase(b);
    }
    return b instanceof AsciiString ascii
        ? ascii.equalsIgnoreCase(a)
        : a.length() == b.length() && AsciiCase.equalChars(a, 0, b, 0, a.length());
  }

  /// Whether `other` has the same characters, in a time that depends on the lengths alone: for
  /// passwords and tokens.
  public boolean equalsConstantTime(AsciiString other) {
    if (other.length != length) {
      return false;
    }
    long difference = 0;
    int i = 0;
    for (; i <= length - Words.SIZE; i += Words.SIZE) {
      difference |= Words.get(array, offset + i) ^ Words.get(other.array, other.offset + i);
    }
    difference |=
        Words.getPart(array, offset + i, length - i)
            ^ Words.getPart(other.array, other.offset + i, length - i);
    return difference == 0;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof AsciiString ascii
            && ascii.length == length
            && equalBytes(array, offset, ascii.array, ascii.offset, length);
  }

  private static boolean equalBytes(byte[] a, int aFrom, byte[] b, int bFrom, int count) {
    if (count <= Words.SIZE) {
      return Words.areShortEqual(a, aFrom, b, bFrom, count);
    }
    if (count <= 4 * Words.SIZE) {
      // Two or four words, which may overlap.
      int last = count - Words.SIZE;
      long difference =
          Words.get(a, aFrom) ^ Words.get(b, bFrom)
              | Words.get(a, aFrom + last) ^ Words.get(b, bFrom + last);
      if (count > 2 * Words.SIZE) {
        int third = last - Words.SIZE;
        difference |=
            Words.get(a, aFrom + Words.SIZE) ^ Words.get(b, bFrom + Words.SIZE)
                | Words.get(a, aFrom + third) ^ Words.get(b, bFrom + third);
      }
      return difference == 0;
    }
    // Without bounds the JDK compares inline.
    return count == a.length && count == b.length
        ? Arrays.equals(a, b)
        : Arrays.equals(a, aFrom, aFrom + count, b, bFrom, bFrom + count);
  }

  @Override
  public int hashCode() {
    int known = hash;
    if (known == 0) {
      known = AsciiHash.ofBytes(array, offset, length, false);
      hash = known;
    }
    return known;
  }

  /// The hash that agrees with [#equalsIgnoreCase].
  public int hashIgnoreCase() {
    int known = hashIgnoreCase;
    if (known == 0) {
      known = AsciiHash.ofBytes(array, offset, length, true);
      hashIgnoreCase = known;
    }
    return known;
  }

  /// The hash of any text; that of an `AsciiString` with the same characters.
  public static int hash(CharSequence text) {
    return text instanceof AsciiString ascii ? ascii.hashCode() : AsciiHash.ofChars(text, false);
  }

  /// The hash of any text that agrees with [#equalsIgnoreCase(CharSequence, CharSequence)].
  public static int hashIgnoreCase(CharSequence text) {
    return text instanceof AsciiString ascii
        ? ascii.hashIgnoreCase()
        : AsciiHash.ofChars(text, true);
  }

  /// [#hashCode()] of the `AsciiString` that has these bytes, which must be ASCII.
  ///
  /// @throws IndexOutOfBoundsException if they are not all within the array
  public static int hash(byte[] bytes, int from, int to) {
    Objects.checkFromToIndex(from, to, bytes.length);
    return AsciiHash.ofBytes(bytes, from, to - from, false);
  }

  /// [#hashIgnoreCase()] of the `AsciiString` that has these bytes, which must be ASCII.
  ///
  /// @throws IndexOutOfBoundsException if they are not all within the array
  public static int hashIgnoreCase(byte[] bytes, int from, int to) {
    Objects.checkFromToIndex(from, to, bytes.length);
    return AsciiHash.ofBytes(bytes, from, to - from, true);
  }

  /// By the characters' values, then by length, as [String#compareTo].
  @Override
  public int compareTo(AsciiString other) {
    return Arrays.compare(
        array, offset, offset + length, other.array, other.offset, other.offset + other.length);
  }

  @Override
  public String toString() {
    String known = string;
    if (known == null) {
      known = new String(array, offset, length, ISO_8859_1);
      string = known;
    }
    return known;
  }
}

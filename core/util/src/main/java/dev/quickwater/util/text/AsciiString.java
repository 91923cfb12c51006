package dev.quickwater.util.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Immutable text of ASCII characters, 0 to 127, in a part of a byte array.
///
/// - Other characters are refused on creation. Text, bytes and what is sent therefore never differ.
///   [#replacing] accepts them and replaces each.
/// - [#equals] compares with other `AsciiString`s only, and distinguishes case. [#contentEquals]
///   and [#equalsIgnoreCase] take any text. Case is that of `A` to `Z`.
/// - [#hashCode] agrees with [#equals] and [#hash], [#hashIgnoreCase] with [#equalsIgnoreCase].
///   Both are keyed with numbers drawn when the JVM starts: a peer cannot prepare names that
///   collide. They differ between runs and must not be stored. If names collide nevertheless,
///   `HashMap` finds them in logarithmic time, because they are comparable. The hashes are not
///   suitable for signatures.
/// - A part of a text shares its array and keeps all of it alive.
/// - Objects may be shared between threads. Hashes and the `String` are cached after the first use.
///
/// Indices count characters from 0. A search for a text is linear in practice; its worst case is
/// the product of both lengths. If a peer chooses both texts, use
/// `dev.quickwater.buffer.search.ByteSearch`.
public final class AsciiString implements CharSequence, Comparable<AsciiString> {

  /// The empty text.
  public static final AsciiString EMPTY = new AsciiString(new byte[0], 0, 0);

  private final byte[] array;
  private final int offset;
  private final int length;

  // Written without ordering: a thread that reads 0 or null computes the same value again.
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

  /// Uses the JDK's bulk copy. It writes characters beyond ASCII as two bytes or more; half of a
  /// surrogate pair becomes a question mark.
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

  /// The text's characters, with `replacement` for each `char` that is not ASCII; a surrogate pair
  /// becomes two replacements.
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

  /// A text on the array itself, **which must not change afterwards**: hashes would be wrong, and
  /// checks would no longer hold.
  ///
  /// @throws IllegalArgumentException if a byte is not ASCII
  public static AsciiString wrap(byte[] array) {
    return wrap(array, 0, array.length);
  }

  /// A text on the array's part `[from, to)`, **which must not change afterwards**.
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

  /// The number of characters, which is the number of bytes.
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
  /// @throws IndexOutOfBoundsException if the index is not inside the text
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

  /// The text without white space and control characters, 0 to 32, at both ends, as [String#trim].
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

  /// The parts between the separators, including empty ones; joining them gives this text. There is
  /// one part more than there are separators.
  public List<AsciiString> split(char separator) {
    return split(separator, Integer.MAX_VALUE);
  }

  /// Like [#split(char)], but at most `max` parts: the last one may contain separators.
  ///
  /// @throws IllegalArgumentException if `max` is less than 1
  public List<AsciiString> split(char separator, int max) {
    if (max < 1) {
      throw new IllegalArgumentException("at most " + max + " parts, expected 1 or more");
    }
    List<AsciiString> parts = new ArrayList<>();
    int from = 0;
    for (int at = indexOf(separator); at >= 0 && parts.size() < max - 1; ) {
      parts.add(subSequence(from, at));
      from = at + 1;
      at = indexOf(separator, from);
    }
    parts.add(subSequence(from));
    return List.copyOf(parts);
  }

  /// This text with `a` to `z` for `A` to `Z`; this object if the text has no such letter.
  public AsciiString toLowerCase() {
    byte @Nullable [] changed = AsciiCase.change(array, offset, length, true);
    return changed == null ? this : new AsciiString(changed, 0, length);
  }

  /// This text with `A` to `Z` for `a` to `z`; this object if the text has no such letter.
  public AsciiString toUpperCase() {
    byte @Nullable [] changed = AsciiCase.change(array, offset, length, false);
    return changed == null ? this : new AsciiString(changed, 0, length);
  }

  /// The value of the text as a decimal number: an optional minus sign and digits. Leading zeros
  /// are allowed.
  ///
  /// @throws NumberFormatException if the text has another form, or its value is not an `int`
  public int parseInt() {
    return (int) AsciiNumber.parse(this, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /// Like [#parseInt], for a `long`.
  ///
  /// @throws NumberFormatException if the text has another form, or its value is not a `long`
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

  /// Whether this text contains `text`.
  public boolean contains(CharSequence text) {
    return indexOf(text) >= 0;
  }

  /// Whether this text contains `text`, without regard to case.
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

  /// Whether `count` characters from `from` equal those of `other` from `otherFrom`. A range that
  /// is not inside its text matches nothing.
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

  /// [#regionMatches] for ranges that are known to be inside.
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

  /// A word of `count` characters from `index`, 1 to 8, which are known to be inside, and zeros.
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

  /// Whether `other` has the same characters, without regard to case.
  public boolean equalsIgnoreCase(CharSequence other) {
    return other.length() == length && matches(0, other, 0, length, true);
  }

  /// Whether two texts have the same characters without regard to the case of `A` to `Z`. Neither
  /// has to be ASCII.
  public static boolean equalsIgnoreCase(CharSequence a, CharSequence b) {
    if (a instanceof AsciiString ascii) {
      return ascii.equalsIgnoreCase(b);
    }
    return b instanceof AsciiString ascii
        ? ascii.equalsIgnoreCase(a)
        : a.length() == b.length() && AsciiCase.equalChars(a, 0, b, 0, a.length());
  }

  /// Whether `other` has the same characters. The time depends on the lengths alone: for passwords
  /// and tokens.
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

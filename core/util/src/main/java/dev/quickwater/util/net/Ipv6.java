package dev.quickwater.util.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// IPv6 addresses as sixteen bytes or as two numbers of 64 bits, `high` and `low`.
///
/// Texts are read as in RFC 4291 section 2.2: eight groups of up to four hexadecimal digits in
/// either case; `::` once, for one or more groups of zeros; an IPv4 address, as strict as in
/// [Ipv4], in the place of the last two groups. They are written as in RFC 5952. Brackets and zones
/// are not part of an address: see [HostPort] and [IpAddress]. A text longer than [#MAX_LENGTH] is
/// refused without being read. Only the methods that return a `String` allocate.
public final class Ipv6 {

  /// Characters in the longest text.
  public static final int MAX_LENGTH = 45;

  /// Bytes of an address.
  public static final int SIZE = 16;

  static final String FORM = "an IPv6 address (RFC 4291 section 2.2)";

  private static final int GROUPS = 8;

  private static final int COLON = 1;
  private static final int DOT = 2;
  private static final int OTHER = 3;

  /// 0 for digits.
  private static final byte[] KINDS = kinds();

  /// Values of hexadecimal digits, -1 for other characters.
  private static final byte[] DIGITS = digits();

  private Ipv6() {}

  private static byte[] digits() {
    byte[] digits = new byte[128];
    for (int c = 0; c < digits.length; c++) {
      digits[c] = (byte) Character.digit(c, 16);
    }
    return digits;
  }

  private static byte[] kinds() {
    byte[] kinds = new byte[128];
    for (int c = 0; c < kinds.length; c++) {
      kinds[c] =
          (byte) (Character.digit(c, 16) >= 0 ? 0 : c == ':' ? COLON : c == '.' ? DOT : OTHER);
    }
    return kinds;
  }

  /// Whether the text is an address.
  public static boolean isValid(CharSequence text) {
    return check(text, null, 0, text.length());
  }

  /// Whether the bytes in `[from, to)` are an address's text.
  ///
  /// @throws IndexOutOfBoundsException if they are not all within the array
  public static boolean isValid(byte[] text, int from, int to) {
    Objects.checkFromToIndex(from, to, text.length);
    return check(null, text, from, to);
  }

  /// Writes the address's sixteen bytes to `target` from index `at`.
  ///
  /// @return false if the text is not an address; the sixteen bytes then have no meaning
  /// @throws IndexOutOfBoundsException if there is not enough room
  public static boolean parse(CharSequence text, byte[] target, int at) {
    Objects.checkFromIndexSize(at, SIZE, target.length);
    return read(text, null, 0, text.length(), target, at) >= 0;
  }

  /// Like [#parse(CharSequence, byte[], int)], for the text in the bytes `[from, to)`.
  ///
  /// @throws IndexOutOfBoundsException if they are not all within the array, or there is not enough
  ///   room
  public static boolean parse(byte[] text, int from, int to, byte[] target, int at) {
    Objects.checkFromToIndex(from, to, text.length);
    Objects.checkFromIndexSize(at, SIZE, target.length);
    return read(null, text, from, to, target, at) >= 0;
  }

  /// Whether there is an address, by the places of its colons alone. There is no branch on the
  /// length of groups, because it is not predictable.
  private static boolean check(
      @Nullable CharSequence text, byte @Nullable [] bytes, int from, int to) {
    int length = to - from;
    if (length > MAX_LENGTH || length < 2) {
      return false;
    }
    long colons = 0;
    for (int i = 0; i < length; i++) {
      int c = Input.at(text, bytes, from + i);
      int kind = c < 0x80 ? KINDS[c] : OTHER;
      if (kind > COLON) {
        // An IPv4 address follows a colon and counts as two groups.
        int head = Long.SIZE - Long.numberOfLeadingZeros(colons);
        return kind == DOT
            && head != 0
            && areGroups(colons, head, 0, GROUPS - 2)
            && Ipv4.read(text, bytes, from + head, to) >= 0;
      }
      colons |= (long) kind << i;
    }
    return areGroups(colons, length, 1L << length - 1, GROUPS);
  }

  /// @param last the bit of the last character, if a single colon must not be there
  /// @param wanted how many groups there are without a gap
  private static boolean areGroups(long colons, int length, long last, int wanted) {
    long digits = ~colons & (1L << length) - 1;
    long gaps = colons & colons >>> 1;
    long tooLong = digits & digits >>> 1 & digits >>> 2 & digits >>> 3 & digits >>> 4;
    // A colon at an end must be part of a gap.
    long ends = colons & (1 | last) & ~(gaps | gaps << 1);
    int groups = Long.bitCount(digits & ~(digits << 1));
    return (tooLong | ends | gaps & gaps - 1) == 0
        && (gaps == 0 ? groups == wanted : groups < wanted);
  }

  /// Reads an address and writes it to `target` if there is one.
  ///
  /// @return 0, or the complement of the index of what is wrong
  static int read(
      @Nullable CharSequence text,
      byte @Nullable [] bytes,
      int from,
      int to,
      byte @Nullable [] target,
      int at) {
    if (to - from > MAX_LENGTH) {
      return ~(from + MAX_LENGTH);
    }
    if (to - from < 2) {
      return ~to;
    }
    int groups = 0;
    int gap = -1;
    int i = from;
    if (Input.at(text, bytes, i) == ':') {
      if (Input.at(text, bytes, i + 1) != ':') {
        return ~i;
      }
      gap = 0;
      i += 2;
    }
    while (i < to) {
      int start = i;
      int group = 0;
      int c = 0;
      for (; i < to; i++) {
        c = Input.at(text, bytes, i);
        int digit = c < 0x80 ? DIGITS[c] : -1;
        if (digit < 0) {
          break;
        }
        group = group << 4 | digit;
      }
      int length = i - start;
      if (i < to && c == '.') {
        return readTail(text, bytes, start, to, target, at, groups, gap);
      }
      if (length - 1 >>> 2 != 0 || groups == GROUPS) {
        return ~Math.min(i, start + 4);
      }
      putGroup(target, at, groups++, group);
      if (i == to) {
        break;
      }
      if (c != ':' || ++i == to) {
        return ~i;
      }
      if (Input.at(text, bytes, i) == ':') {
        if (gap >= 0) {
          return ~i;
        }
        gap = groups;
        i++;
      }
    }
    return finish(target, at, groups, gap, to);
  }

  /// The IPv4 address at the end, which takes two groups.
  private static int readTail(
      @Nullable CharSequence text,
      byte @Nullable [] bytes,
      int from,
      int to,
      byte @Nullable [] target,
      int at,
      int groups,
      int gap) {
    if (gap < 0 ? groups != GROUPS - 2 : groups > GROUPS - 3) {
      return ~to;
    }
    long address = Ipv4.read(text, bytes, from, to);
    if (address < 0) {
      return (int) address;
    }
    putGroup(target, at, groups, (int) (address >>> 16));
    putGroup(target, at, groups + 1, (int) address & 0xffff);
    return finish(target, at, groups + 2, gap, to);
  }

  private static void putGroup(byte @Nullable [] target, int at, int index, int group) {
    if (target != null) {
      target[at + 2 * index] = (byte) (group >>> 8);
      target[at + 2 * index + 1] = (byte) group;
    }
  }

  /// Checks the number of groups, and moves those behind the gap to the end.
  private static int finish(byte @Nullable [] target, int at, int groups, int gap, int to) {
    if (gap < 0) {
      return groups == GROUPS ? 0 : ~to;
    }
    if (groups == GROUPS) {
      return ~to;
    }
    if (target != null) {
      int behind = 2 * (groups - gap);
      int from = at + 2 * gap;
      System.arraycopy(target, from, target, at + SIZE - behind, behind);
      Arrays.fill(target, from, at + SIZE - behind, (byte) 0);
    }
    return 0;
  }

  /// The address's text.
  public static String toString(long high, long low) {
    byte[] text = new byte[MAX_LENGTH];
    return new String(text, 0, write(text, null, 0, high, low), ISO_8859_1);
  }

  /// Writes the address's text to `target` from index `at`.
  ///
  /// @return the index behind it
  /// @throws IndexOutOfBoundsException if there is not enough room; a part may have been written
  public static int format(long high, long low, byte[] target, int at) {
    return write(target, null, at, high, low);
  }

  /// Appends the address's text.
  public static void append(long high, long low, StringBuilder target) {
    write(null, target, 0, high, low);
  }

  /// RFC 5952: lower case, no leading zeros; `::` for the longest run of two or more groups of
  /// zeros, the first one of equal runs (section 4.2); an IPv4-mapped address ends in decimal
  /// (section 5).
  static int write(
      byte @Nullable [] bytes, @Nullable StringBuilder builder, int at, long high, long low) {
    if (high == 0 && low >>> 32 == 0xffff) {
      int end = at;
      for (int i = 0; i < MAPPED.length; i++) {
        end = Output.put(bytes, builder, end, MAPPED[i]);
      }
      return Ipv4.write(bytes, builder, end, (int) low);
    }
    int zeros = zeroGroups(high) << 4 | zeroGroups(low);
    int run = 0;
    int starts = 0;
    // A bit survives as many rounds as groups of zeros begin at it.
    for (int left = zeros; left != 0; left &= left << 1) {
      starts = left;
      run++;
    }
    int first = run < 2 ? GROUPS : Integer.numberOfLeadingZeros(starts) - (Integer.SIZE - GROUPS);
    int end = writeGroups(bytes, builder, at, high, low, 0, first);
    if (first == GROUPS) {
      return end;
    }
    end = Output.put(bytes, builder, end, ':');
    end = Output.put(bytes, builder, end, ':');
    return writeGroups(bytes, builder, end, high, low, first + run, GROUPS);
  }

  private static final byte[] MAPPED = {':', ':', 'f', 'f', 'f', 'f', ':'};

  private static int writeGroups(
      byte @Nullable [] bytes,
      @Nullable StringBuilder builder,
      int at,
      long high,
      long low,
      int from,
      int to) {
    int end = at;
    for (int i = from; i < to; i++) {
      if (i > from) {
        end = Output.put(bytes, builder, end, ':');
      }
      long half = i < 4 ? high : low;
      end = Output.putHex(bytes, builder, end, (int) (half >>> (3 - (i & 3) << 4)) & 0xffff);
    }
    return end;
  }

  /// One bit for each of four groups, set where the group is 0; the first group's is the highest.
  private static int zeroGroups(long half) {
    long rest = 0x7fff_7fff_7fff_7fffL;
    long zeros = ~((half & rest) + rest | half | rest) >>> 15;
    return (int) (zeros | zeros >>> 15 | zeros >>> 30 | zeros >>> 45) & 0xf;
  }
}

package dev.quickwater.util.net;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// IPv4 addresses as numbers: the text's first part is the highest byte.
///
/// A text is four decimal numbers from 0 to 255 with dots between them. Refused are leading zeros,
/// which some readers take for octal, shorter forms (`127.1`), and digits beyond ASCII. A text
/// longer than [#MAX_LENGTH] is refused without being read. Only the methods that return a `String`
/// allocate.
public final class Ipv4 {

  /// The result of [#parse] for a text that is not an address; addresses are not negative.
  public static final long INVALID = -1;

  /// Characters in the longest text.
  public static final int MAX_LENGTH = 15;

  private static final int MIN_LENGTH = 7;

  /// A part is written with one store of four bytes, for one to three digits.
  private static final int ROOM = 16;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, LITTLE_ENDIAN);

  /// The digits of each part and a dot.
  private static final int[] OCTETS = octets();

  static final String FORM = "an IPv4 address: four numbers 0 to 255 without leading zeros";

  private Ipv4() {}

  private static int[] octets() {
    int[] octets = new int[0x100];
    byte[] text = new byte[Integer.BYTES];
    for (int i = 0; i < octets.length; i++) {
      text[Output.putOctet(text, null, 0, i)] = '.';
      octets[i] = (int) INT.get(text, 0);
    }
    return octets;
  }

  /// The number of an address's four bytes. Each byte is read separately, which lets the compiler
  /// remove the array that the JDK would return.
  static int ofBytes(byte[] bytes) {
    return bytes[0] << 24 | (bytes[1] & 0xff) << 16 | (bytes[2] & 0xff) << 8 | bytes[3] & 0xff;
  }

  /// Whether the text is an address.
  public static boolean isValid(CharSequence text) {
    return read(text, null, 0, text.length()) >= 0;
  }

  /// Whether the bytes in `[from, to)` are an address's text.
  ///
  /// @throws IndexOutOfBoundsException if they are not all within the array
  public static boolean isValid(byte[] text, int from, int to) {
    return read(null, text, Objects.checkFromToIndex(from, to, text.length), to) >= 0;
  }

  /// The address, 0 to 0xffffffff, or [#INVALID].
  public static long parse(CharSequence text) {
    return Math.max(read(text, null, 0, text.length()), INVALID);
  }

  /// The address whose text the bytes in `[from, to)` are, 0 to 0xffffffff, or [#INVALID].
  ///
  /// @throws IndexOutOfBoundsException if they are not all within the array
  public static long parse(byte[] text, int from, int to) {
    return Math.max(read(null, text, Objects.checkFromToIndex(from, to, text.length), to), INVALID);
  }

  /// The address, or the complement of the index of what is wrong.
  static long read(@Nullable CharSequence text, byte @Nullable [] bytes, int from, int to) {
    if (to - from > MAX_LENGTH) {
      return ~(long) (from + MAX_LENGTH);
    }
    if (to - from < MIN_LENGTH) {
      return ~(long) to;
    }
    long address = 0;
    int dots = 0;
    int octet = -1;
    for (int i = from; i < to; i++) {
      int c = Input.at(text, bytes, i);
      int digit = c - '0';
      if (digit >= 0 && digit <= 9) {
        if (octet < 0) {
          octet = digit;
          continue;
        }
        int longer = octet * 10 + digit;
        if (octet == 0 || longer > 0xff) {
          return ~(long) i;
        }
        octet = longer;
      } else {
        if (c != '.' || octet < 0 || dots == 3) {
          return ~(long) i;
        }
        address = address << 8 | octet;
        octet = -1;
        dots++;
      }
    }
    return dots == 3 && octet >= 0 ? address << 8 | octet : ~(long) to;
  }

  /// The address's text.
  public static String toString(int address) {
    byte[] text = new byte[ROOM];
    return new String(text, 0, writeFast(text, address), ISO_8859_1);
  }

  /// Writes the address's text to `target` from index `at`.
  ///
  /// @return the index behind it
  /// @throws IndexOutOfBoundsException if there is not enough room; a part may have been written
  public static int format(int address, byte[] target, int at) {
    return write(target, null, at, address);
  }

  /// Writes each part with one store and a dot behind it; the last dot is not counted. There is no
  /// branch on the number of digits, because it is not predictable.
  ///
  /// @param target of [#ROOM] bytes, which may all be written
  private static int writeFast(byte[] target, int address) {
    int end = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
      int octet = address >>> shift & 0xff;
      INT.set(target, end, OCTETS[octet]);
      end += 2 + ((9 - octet) >>> 31) + ((99 - octet) >>> 31);
    }
    return end - 1;
  }

  /// Appends the address's text.
  public static void append(int address, StringBuilder target) {
    write(null, target, 0, address);
  }

  static int write(byte @Nullable [] bytes, @Nullable StringBuilder builder, int at, int address) {
    int end = Output.putOctet(bytes, builder, at, address >>> 24);
    end = Output.put(bytes, builder, end, '.');
    end = Output.putOctet(bytes, builder, end, address >>> 16 & 0xff);
    end = Output.put(bytes, builder, end, '.');
    end = Output.putOctet(bytes, builder, end, address >>> 8 & 0xff);
    end = Output.put(bytes, builder, end, '.');
    return Output.putOctet(bytes, builder, end, address & 0xff);
  }
}

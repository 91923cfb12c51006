package dev.quickwater.io.linux;

import java.net.SocketOption;

/// A socket option by its numbers, for what has no name here: the arguments of `setsockopt`.
///
/// The kernel checks it, not Quickwater: an option that a socket does not have fails when it is
/// set, for a server when it begins to listen.
///
/// @param name for people
/// @param type `Integer`, which is a C `int`, or `byte[]`, which is the value as it lies in memory
/// @param level the protocol: `SOL_SOCKET`, `IPPROTO_TCP`
/// @param number the option
/// @param length bytes that the value may have when it is read; 4 for an `Integer`
public record RawSocketOption<T>(String name, Class<T> type, int level, int number, int length)
    implements SocketOption<T> {

  private static final int MAX_LENGTH = 4096;

  /// Checks the type and the length.
  public RawSocketOption {
    if (type != Integer.class && type != byte[].class) {
      throw new IllegalArgumentException(
          "type is " + type.getName() + ", expected Integer or byte[]");
    }
    if (type == Integer.class && length != Integer.BYTES) {
      throw new IllegalArgumentException("length is " + length + ", expected 4 bytes for a C int");
    }
    if (length < 1 || length > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "length is " + length + ", expected 1 to " + MAX_LENGTH + " bytes");
    }
  }

  /// An option whose value is a C `int`.
  public static RawSocketOption<Integer> ofInt(String name, int level, int number) {
    return new RawSocketOption<>(name, Integer.class, level, number, Integer.BYTES);
  }

  /// An option whose value is memory of at most `length` bytes.
  public static RawSocketOption<byte[]> ofBytes(String name, int level, int number, int length) {
    return new RawSocketOption<>(name, byte[].class, level, number, length);
  }
}

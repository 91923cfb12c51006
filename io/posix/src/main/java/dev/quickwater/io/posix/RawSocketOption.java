package dev.quickwater.io.posix;

import java.net.SocketOption;

/// A socket option by its numbers, the arguments of `setsockopt`. For options that have no name
/// here.
///
/// Only the kernel checks the option: an unsupported option fails when it is set, on a server when
/// it starts to listen.
///
/// @param name the name in messages
/// @param type `Integer` for a C `int`, or `byte[]` for the bytes of the value
/// @param level the protocol: `SOL_SOCKET`, `IPPROTO_TCP`
/// @param number the option
/// @param length maximum bytes of the value when read; 4 for an `Integer`
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

  /// An option whose value has at most `length` bytes.
  public static RawSocketOption<byte[]> ofBytes(String name, int level, int number, int length) {
    return new RawSocketOption<>(name, byte[].class, level, number, length);
  }
}

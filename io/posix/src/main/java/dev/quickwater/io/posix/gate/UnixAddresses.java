package dev.quickwater.io.posix.gate;

import dev.quickwater.system.Memory;
import dev.quickwater.util.net.AbstractUnixAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;

/// Converts `sockaddr_un` to Java and back.
///
/// | in Java | in memory, after the family |
/// |---|---|
/// | `UnixDomainSocketAddress` with a path | the path and a zero byte |
/// | `UnixDomainSocketAddress` of the empty path | nothing: the address has no name |
/// | [AbstractUnixAddress] | a zero byte and the name |
///
/// Reading never throws, because any process may bind its socket to any path before it connects. A
/// path that Java cannot express reads as the empty path: invalid UTF-8, or characters outside the
/// encoding of file names, which is ASCII if no locale is set.
public final class UnixAddresses {

  /// The bytes for any form.
  public static final int SIZE = 110;

  /// The address of an unbound socket, which most clients are.
  public static final SocketAddress UNNAMED = UnixDomainSocketAddress.of("");

  private static final int FAMILY_SIZE = 2;
  private static final int MAX_PATH = SIZE - FAMILY_SIZE - 1;

  private UnixAddresses() {}

  /// Writes an address.
  ///
  /// @return the written length
  /// @throws IllegalArgumentException if the path is longer than 107 bytes
  /// @throws UnsupportedOperationException if the address is not one of a Unix socket
  public static int encode(SocketAddress address, long target) {
    SocketAddresses.family(target, SocketConstants.AF_UNIX);
    long at = target + FAMILY_SIZE;
    return switch (address) {
      case UnixDomainSocketAddress unix -> FAMILY_SIZE + path(unix.getPath(), at);
      case AbstractUnixAddress unix -> {
        byte[] name = unix.name();
        Memory.putByte(at, 0, (byte) 0);
        Memory.copy(name, 0, at + 1, name.length);
        yield FAMILY_SIZE + 1 + name.length;
      }
      default ->
          throw new UnsupportedOperationException(
              "Unix sockets take a UnixDomainSocketAddress or an AbstractUnixAddress, not "
                  + address);
    };
  }

  private static int path(Path path, long at) {
    byte[] bytes = path.toString().getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_PATH) {
      throw new IllegalArgumentException(
          "the path of a Unix socket has "
              + bytes.length
              + " bytes, expected at most "
              + MAX_PATH
              + ": "
              + path);
    }
    if (bytes.length == 0) {
      return 0;
    }
    Memory.copy(bytes, 0, at, bytes.length);
    Memory.putByte(at, bytes.length, (byte) 0);
    return bytes.length + 1;
  }

  /// Reads an address of `length` bytes, the length that the kernel reported.
  static SocketAddress decode(long source, int length) {
    int size = Math.min(length, SIZE) - FAMILY_SIZE;
    if (size <= 0) {
      return UNNAMED;
    }
    byte[] bytes = new byte[size];
    Memory.copy(source + FAMILY_SIZE, bytes, 0, size);
    if (bytes[0] == 0) {
      return size == 1 ? UNNAMED : AbstractUnixAddress.of(Arrays.copyOfRange(bytes, 1, size));
    }
    int end = 0;
    while (end < size && bytes[end] != 0) {
      end++;
    }
    return pathAddress(ByteBuffer.wrap(bytes, 0, end));
  }

  /// Decodes strictly: a path with replaced characters would be the address of another socket.
  private static SocketAddress pathAddress(ByteBuffer path) {
    try {
      return UnixDomainSocketAddress.of(
          StandardCharsets.UTF_8.newDecoder().decode(path).toString());
    } catch (CharacterCodingException | InvalidPathException _) {
      return UNNAMED;
    }
  }
}

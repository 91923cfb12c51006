package dev.quickwater.util.net;

import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/// The address of a Unix socket in the abstract namespace of Linux: a name without a file. The name
/// is free again when the last socket bound to it is closed.
///
/// Addresses with a path are [java.net.UnixDomainSocketAddress]. Any process of the same network
/// namespace may bind or connect to an abstract name; there are no permissions. Immutable.
public final class AbstractUnixAddress extends SocketAddress {

  private static final long serialVersionUID = 1;

  /// The kernel's `sun_path` without the leading zero byte, which marks an abstract name.
  private static final int MAX_LENGTH = 107;

  private final byte[] name;

  private AbstractUnixAddress(byte[] name) {
    if (name.length == 0 || name.length > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "an abstract name of " + name.length + " bytes, expected 1 to " + MAX_LENGTH);
    }
    this.name = name;
  }

  /// A name in UTF-8.
  public static AbstractUnixAddress of(String name) {
    return new AbstractUnixAddress(name.getBytes(StandardCharsets.UTF_8));
  }

  /// A name of any bytes, zero included. The array is copied.
  public static AbstractUnixAddress of(byte[] name) {
    return new AbstractUnixAddress(name.clone());
  }

  /// The bytes of the name, without the zero byte in front; a copy.
  public byte[] name() {
    return name.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AbstractUnixAddress address && Arrays.equals(name, address.name);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(name);
  }

  /// The name behind an `@`, as the system's tools print it; bytes other than printable ASCII in
  /// hexadecimal.
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("@");
    for (byte b : name) {
      if (b > ' ' && b < 0x7f && b != '\\') {
        text.append((char) b);
      } else {
        text.append("\\x").append(HexFormat.of().toHexDigits(b));
      }
    }
    return text.toString();
  }
}

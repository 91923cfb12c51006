package dev.quickwater.proxy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// A further field of a header of version 2: type, length and value. Immutable.
public final class ProxyTlv {

  /// The application protocol (ALPN) of the client's connection.
  public static final int ALPN = 0x01;

  /// The host name that the client requested (SNI).
  public static final int AUTHORITY = 0x02;

  /// A checksum of the header, which the reader verifies.
  public static final int CRC32C = 0x03;

  /// Padding.
  public static final int NOOP = 0x04;

  /// An identifier of the connection, up to 128 bytes.
  public static final int UNIQUE_ID = 0x05;

  /// TLS between client and proxy; see [ProxyTls].
  public static final int SSL = 0x20;

  /// The network namespace of the proxy's socket.
  public static final int NETNS = 0x30;

  private static final int MAX_TYPE = 0xff;
  private static final int MAX_LENGTH = 0xffff;

  private final int type;
  private final byte[] value;

  private ProxyTlv(int type, byte[] value) {
    this.type = type;
    this.value = value;
  }

  /// A field.
  ///
  /// @param type 0 to 255
  /// @param value copied; at most 65,535 bytes
  /// @throws IllegalArgumentException if a value is out of range
  public static ProxyTlv of(int type, byte[] value) {
    if (type < 0 || type > MAX_TYPE || value.length > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "type " + type + " with " + value.length + " bytes, expected 0 to 255 and 65,535 bytes");
    }
    return new ProxyTlv(type, value.clone());
  }

  /// A field with text in UTF-8.
  public static ProxyTlv of(int type, String value) {
    return of(type, value.getBytes(StandardCharsets.UTF_8));
  }

  /// The type, 0 to 255.
  public int type() {
    return type;
  }

  /// A copy of the value.
  public byte[] value() {
    return value.clone();
  }

  /// The value as text in UTF-8.
  public String text() {
    return new String(value, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ProxyTlv that && that.type == type && Arrays.equals(that.value, value);
  }

  @Override
  public int hashCode() {
    return 31 * type + Arrays.hashCode(value);
  }

  @Override
  public String toString() {
    return Integer.toHexString(type) + "=" + HexFormat.of().formatHex(value);
  }
}

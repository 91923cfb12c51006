package dev.quickwater.util.net;

import org.jspecify.annotations.Nullable;

/// The output of formatters: bytes or a builder; the other one is null.
final class Output {

  private static final byte[] HEX = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };

  private Output() {}

  /// @return the index behind the written text; meaningful for bytes only
  static int put(byte @Nullable [] bytes, @Nullable StringBuilder builder, int at, int c) {
    if (bytes != null) {
      bytes[at] = (byte) c;
    } else if (builder != null) {
      builder.append((char) c);
    }
    return at + 1;
  }

  /// Up to four hexadecimal digits, without leading zeros.
  static int putHex(byte @Nullable [] bytes, @Nullable StringBuilder builder, int at, int group) {
    int end = at;
    if (group >= 0x1000) {
      end = put(bytes, builder, end, HEX[group >>> 12]);
    }
    if (group >= 0x100) {
      end = put(bytes, builder, end, HEX[group >>> 8 & 0xf]);
    }
    if (group >= 0x10) {
      end = put(bytes, builder, end, HEX[group >>> 4 & 0xf]);
    }
    return put(bytes, builder, end, HEX[group & 0xf]);
  }

  /// A number from 0 to 255 in decimal.
  static int putOctet(byte @Nullable [] bytes, @Nullable StringBuilder builder, int at, int octet) {
    int end = at;
    int rest = octet;
    if (octet >= 100) {
      int hundreds = octet * 41 >>> 12;
      end = put(bytes, builder, end, '0' + hundreds);
      rest -= hundreds * 100;
    }
    if (octet >= 10) {
      int tens = rest * 103 >>> 10;
      end = put(bytes, builder, end, '0' + tens);
      rest -= tens * 10;
    }
    return put(bytes, builder, end, '0' + rest);
  }
}

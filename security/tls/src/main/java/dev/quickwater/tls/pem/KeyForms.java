package dev.quickwater.tls.pem;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;

/// Converts the older forms of private keys to PKCS#8 (RFC 5958), in DER.
final class KeyForms {

  private static final int INTEGER = 0x02;
  private static final int OCTET_STRING = 0x04;
  private static final int SEQUENCE = 0x30;

  /// The curve in the form of SEC 1 (RFC 5915).
  private static final int PARAMETERS = 0xa0;

  private static final byte[] VERSION = HexFormat.of().parseHex("020100");

  /// rsaEncryption, and NULL as its parameters.
  private static final byte[] RSA = HexFormat.of().parseHex("06092a864886f70d0101010500");

  /// id-ecPublicKey; the parameters follow.
  private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");

  private KeyForms() {}

  /// An RSAPrivateKey (RFC 8017 appendix A.1.2) as PKCS#8.
  static byte[] rsaToPkcs8(byte[] key) {
    return value(SEQUENCE, VERSION, value(SEQUENCE, RSA), value(OCTET_STRING, key));
  }

  /// An ECPrivateKey (RFC 5915) as PKCS#8.
  ///
  /// @throws IllegalArgumentException if it does not contain its curve
  static byte[] ecToPkcs8(byte[] key) {
    return value(SEQUENCE, VERSION, value(SEQUENCE, EC, curve(key)), value(OCTET_STRING, key));
  }

  /// The content of the field `parameters` of an ECPrivateKey.
  private static byte[] curve(byte[] key) {
    try {
      Reader fields = new Reader(key, 0, key.length).enter(SEQUENCE);
      fields.enter(INTEGER);
      fields.enter(OCTET_STRING);
      if (fields.at < fields.end && (key[fields.at] & 0xff) == PARAMETERS) {
        Reader curve = fields.enter(PARAMETERS);
        return Arrays.copyOfRange(key, curve.at, curve.end);
      }
    } catch (ArrayIndexOutOfBoundsException e) {
      throw new IllegalArgumentException("it is truncated", e);
    }
    throw new IllegalArgumentException(
        "it does not contain its curve; convert it with openssl pkcs8 -topk8");
  }

  /// Reads values one after the other.
  private static final class Reader {
    private final byte[] bytes;
    private int at;
    private final int end;

    Reader(byte[] bytes, int at, int end) {
      this.bytes = bytes;
      this.at = at;
      this.end = end;
    }

    /// The content of the next value; continues behind it.
    Reader enter(int tag) {
      if ((bytes[at] & 0xff) != tag) {
        throw new IllegalArgumentException("it is not in DER: tag " + (bytes[at] & 0xff));
      }
      int length = bytes[at + 1] & 0xff;
      int from = at + 2;
      if (length >= 0x80) {
        int count = length & 0x7f;
        if (count > 3) {
          throw new IllegalArgumentException("it is not in DER: length of " + count + " bytes");
        }
        length = 0;
        for (int i = 0; i < count; i++) {
          length = length << 8 | bytes[from++] & 0xff;
        }
      }
      if (length > end - from) {
        throw new IllegalArgumentException("it is truncated");
      }
      at = from + length;
      return new Reader(bytes, from, at);
    }
  }

  private static byte[] value(int tag, byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    out.write(tag);
    if (length < 0x80) {
      out.write(length);
    } else {
      int width = length > 0xffff ? 3 : length > 0xff ? 2 : 1;
      out.write(0x80 | width);
      for (int i = width - 1; i >= 0; i--) {
        out.write(length >> 8 * i);
      }
    }
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}

package dev.quickwater.tls.ocsp;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/// A cursor over elements in DER (X.690), and the reverse. Lengths are checked before they are
/// used.
final class Der {

  static final int INTEGER = 0x02;
  static final int BIT_STRING = 0x03;
  static final int OCTET_STRING = 0x04;
  static final int OBJECT_IDENTIFIER = 0x06;
  static final int ENUMERATED = 0x0a;
  static final int GENERALIZED_TIME = 0x18;
  static final int SEQUENCE = 0x30;

  /// A context-specific element that contains others, [0] to [30].
  static final int CONTEXT = 0xa0;

  /// A context-specific element that contains none.
  static final int CONTEXT_PRIMITIVE = 0x80;

  private static final int LONG_FORM = 0x80;
  private static final int MAX_LENGTH_BYTES = 3;

  private final byte[] bytes;
  private final int end;
  private int at;

  private Der(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  /// A cursor before the first element.
  static Der of(byte[] bytes) {
    return new Der(bytes, 0, bytes.length);
  }

  boolean hasNext() {
    return at < end;
  }

  /// True if the next element has this tag.
  boolean isNext(int tag) {
    return hasNext() && (bytes[at] & 0xff) == tag;
  }

  /// The elements inside the next element.
  ///
  /// @throws IllegalArgumentException if the next element has another tag or is malformed
  Der enter(int tag) {
    if (!isNext(tag)) {
      throw new IllegalArgumentException(
          "expected the tag 0x" + Integer.toHexString(tag) + " at byte " + at);
    }
    at++;
    int length = length();
    if (length > end - at) {
      throw new IllegalArgumentException("an element of " + length + " bytes is cut at " + end);
    }
    Der inner = new Der(bytes, at, at + length);
    at += length;
    return inner;
  }

  private int length() {
    int first = next();
    if (first < LONG_FORM) {
      return first;
    }
    int count = first - LONG_FORM;
    if (count == 0 || count > MAX_LENGTH_BYTES) {
      throw new IllegalArgumentException("a length of " + count + " bytes");
    }
    int length = 0;
    for (int i = 0; i < count; i++) {
      length = length << 8 | next();
    }
    return length;
  }

  private int next() {
    if (at == end) {
      throw new IllegalArgumentException("an element is cut at " + end);
    }
    return bytes[at++] & 0xff;
  }

  /// Passes over the next element.
  void skip() {
    enter(hasNext() ? bytes[at] & 0xff : 0);
  }

  /// The bytes of the next element, without its tag and length.
  byte[] read(int tag) {
    return enter(tag).rest();
  }

  /// The bytes from here to the end.
  byte[] rest() {
    return Arrays.copyOfRange(bytes, at, end);
  }

  /// An element.
  static byte[] element(int tag, byte[]... contents) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : contents) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(tag);
    int length = content.size();
    if (length >= 1 << 8) {
      all.write(LONG_FORM + 2);
      all.write(length >> 8);
    } else if (length >= LONG_FORM) {
      all.write(LONG_FORM + 1);
    }
    all.write(length);
    all.writeBytes(content.toByteArray());
    return all.toByteArray();
  }
}

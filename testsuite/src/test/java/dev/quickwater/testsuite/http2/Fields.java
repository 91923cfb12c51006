package dev.quickwater.testsuite.http2;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// A field block in the plainest HPACK (RFC 7541): literals without Huffman code, which are indexed
/// only on request. Names and values are written as they are given, whether they are valid or not.
final class Fields {

  private static final int INCREMENTAL = 0x40;

  private final ByteArrayOutputStream block = new ByteArrayOutputStream();

  /// An empty block.
  static Fields empty() {
    return new Fields();
  }

  /// A block of names and values.
  static Fields of(String... namesAndValues) {
    Fields fields = new Fields();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.add(namesAndValues[i], namesAndValues[i + 1]);
    }
    return fields;
  }

  /// The pseudo-fields of a request to this server.
  static Fields request(String method, String path) {
    return of(":method", method, ":scheme", "http", ":path", path, ":authority", "localhost");
  }

  static Fields get(String path) {
    return request("GET", path);
  }

  static Fields post(String path) {
    return request("POST", path);
  }

  /// Appends a literal that is not indexed.
  Fields add(String name, String value) {
    block.write(0);
    return string(name).string(value);
  }

  /// Appends a literal that enters the dynamic table as its newest entry, index 62.
  Fields insert(String name, String value) {
    block.write(INCREMENTAL);
    return string(name).string(value);
  }

  /// Appends references to a table entry, one byte each.
  Fields indexed(int index, int count) {
    for (int i = 0; i < count; i++) {
      block.write(0x80 | index);
    }
    return this;
  }

  /// Appends a change of the dynamic table's size.
  Fields tableSize(int size) {
    return integer(0x20, 5, size);
  }

  Fields raw(byte[] bytes) {
    block.writeBytes(bytes);
    return this;
  }

  byte[] block() {
    return block.toByteArray();
  }

  private Fields string(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    integer(0, 7, bytes.length);
    block.writeBytes(bytes);
    return this;
  }

  /// RFC 7541 section 5.1.
  private Fields integer(int pattern, int bits, int value) {
    int max = (1 << bits) - 1;
    if (value < max) {
      block.write(pattern | value);
      return this;
    }
    block.write(pattern | max);
    int rest = value - max;
    for (; rest >= 0x80; rest >>>= 7) {
      block.write(rest & 0x7f | 0x80);
    }
    block.write(rest);
    return this;
  }
}

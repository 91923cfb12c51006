package dev.quickwater.tls.library;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// Builds ClientHello messages, also wrong ones.
final class HelloBytes {

  private final ByteArrayOutputStream extensions = new ByteArrayOutputStream();

  static HelloBytes hello() {
    return new HelloBytes();
  }

  /// GREASE, supported_versions and a key share, as clients send them.
  HelloBytes withUsual() {
    return extension(0x1a1a, "").extension(43, "0403040303").extension(0xff01, "00");
  }

  HelloBytes serverName(String name) {
    return serverName(name.getBytes(StandardCharsets.UTF_8));
  }

  HelloBytes serverName(byte[] name) {
    String length = hex(2, name.length);
    return extension(0, hex(2, name.length + 3) + "00" + length + HexFormat.of().formatHex(name));
  }

  HelloBytes protocols(String... names) {
    StringBuilder list = new StringBuilder();
    for (String name : names) {
      byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
      list.append(hex(1, bytes.length)).append(HexFormat.of().formatHex(bytes));
    }
    return extension(16, hex(2, list.length() / 2) + list);
  }

  HelloBytes extension(int type, String content) {
    extensions.writeBytes(bytes(hex(2, type) + hex(2, content.length() / 2) + content));
    return this;
  }

  /// The message without a record.
  byte[] message() {
    String list = HexFormat.of().formatHex(extensions.toByteArray());
    String body =
        "0303" + "07".repeat(32) + "00" + "00021301" + "0100" + hex(2, list.length() / 2) + list;
    return message(body);
  }

  static byte[] message(String body) {
    return bytes("01" + hex(3, body.length() / 2) + body);
  }

  /// Records that split a message at the given indices.
  static byte[] records(byte[] message, int... cuts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int from = 0;
    for (int i = 0; i <= cuts.length; i++) {
      int to = i < cuts.length ? cuts[i] : message.length;
      out.writeBytes(bytes("160301" + hex(2, to - from)));
      out.write(message, from, to - from);
      from = to;
    }
    return out.toByteArray();
  }

  static String hex(int width, int value) {
    return HexFormat.of().toHexDigits(value, 2 * width);
  }

  static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }
}

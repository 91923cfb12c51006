package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.engine.HeaderField;
import dev.quickwater.http2.FieldName.Pseudo;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/// Header blocks as text: `name: value` for each field.
final class Blocks {

  private Blocks() {}

  static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replace(" ", ""));
  }

  static List<String> decode(HpackDecoder decoder, byte[] block) throws HpackException {
    List<String> fields = new ArrayList<>();
    try {
      decoder.decode(block, 0, block.length, entry -> fields.add(text(entry)));
    } catch (Http2Exception e) {
      throw new AssertionError("only a sink throws it", e);
    }
    return fields;
  }

  static String text(TableEntry entry) {
    return latin(entry.name().bytes()) + ": " + latin(entry.value());
  }

  static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static byte[] encode(HpackEncoder encoder, List<String> fields) {
    ByteBuf out = ByteBufAllocator.shared().allocate(256);
    encoder.begin(out);
    for (String field : fields) {
      int colon = field.indexOf(": ");
      String name = field.substring(0, colon);
      byte[] value = bytes(field.substring(colon + 2));
      if (name.startsWith(":")) {
        encoder.pseudo(out, Pseudo.valueOf(name.substring(1).toUpperCase(Locale.ROOT)), value);
      } else {
        encoder.field(out, new HeaderField(HeaderName.of(name), value, false));
      }
    }
    byte[] block = out.readBytes(out.readableBytes());
    out.release();
    return block;
  }
}

package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http2.HeaderBlockDecoder.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// The public pair of encoder and decoder.
final class HeaderBlockTest {

  private final HeaderBlockEncoder encoder = new HeaderBlockEncoder();
  private final HeaderBlockDecoder decoder = new HeaderBlockDecoder();

  private byte[] encode(Consumer<ByteBuf> fields) {
    ByteBuf out = ByteBufAllocator.shared().allocate(16);
    encoder.begin(out);
    fields.accept(out);
    byte[] block = out.readBytes(out.readableBytes());
    out.release();
    return block;
  }

  private List<Field> decode(byte[] block) throws Http2Exception {
    List<Field> fields = new ArrayList<>();
    decoder.decode(block, block.length, fields::add);
    return fields;
  }

  private byte[] message() {
    return encode(out -> {
      encoder.pseudo(out, ":path", "/files/1");
      encoder.fields(
          out,
          HttpHeaders.builder().add("a", "b").addSensitive(HeaderName.of("key"), "42").build());
    });
  }

  @Test
  void decoderFollowsTheTableOfTheEncoder() throws Exception {
    byte[] first = message();
    byte[] second = message();
    byte[] third = message();
    assertTrue(third.length < first.length);
    for (byte[] block : List.of(first, second, third)) {
      List<Field> fields = decode(block);
      assertEquals("[:path: /files/1, a: b, key]", fields.toString());
      assertTrue(fields.getLast().isSensitive());
      assertEquals("42", fields.getLast().value());
      assertEquals(37, fields.getLast().size());
    }
  }

  @Test
  void sizesFollowTheSettings() throws Exception {
    decode(message());
    encoder.resize(0);
    decoder.allow(0);
    assertEquals("[:path: /files/1, a: b, key]", decode(message()).toString());
    assertThrows(IllegalArgumentException.class, () -> encoder.resize(-1));
    assertThrows(IllegalArgumentException.class, () -> decoder.allow(1 << 17));
  }

  @Test
  void encoderThatIgnoresASmallerTableIsAnError() throws Exception {
    decode(message());
    decoder.allow(0);
    byte[] block = message();
    assertEquals(
        ErrorCode.COMPRESSION_ERROR,
        assertThrows(Http2Exception.class, () -> decode(block)).code());
  }

  @Test
  void malformedFieldsAreWrittenAndReported() throws Exception {
    List<Field> fields =
        decode(
            encode(out -> {
              encoder.unchecked(out, "Upper", "a");
              encoder.unchecked(out, ":unknown", "b");
              encoder.unchecked(out, "c", "line\nend");
              encoder.unchecked(out, "d", "e");
            }));
    assertEquals("[Upper: a, :unknown: b, c: line\nend, d: e]", fields.toString());
    for (Field field : fields.subList(0, 3)) {
      assertNotNull(field.fault());
    }
    assertNull(fields.getLast().fault());
  }

  @Test
  void sensitivePseudoFieldIsReported() throws Exception {
    assertTrue(decode(Blocks.hex("14 02 2f61")).getFirst().isSensitive());
    assertEquals("[:path]", decode(Blocks.hex("14 02 2f61")).toString());
  }

  @Test
  void unknownPseudoHeaderIsRefused() {
    ByteBuf out = ByteBufAllocator.shared().allocate(16);
    assertThrows(IllegalArgumentException.class, () -> encoder.pseudo(out, ":other", "a"));
    assertThrows(IllegalArgumentException.class, () -> encoder.pseudo(out, "path", "a"));
    out.release();
  }
}

package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.http.engine.HeaderField;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class HpackEncoderTest {

  private final HpackEncoder encoder = new HpackEncoder(4096);
  private final HpackDecoder decoder = new HpackDecoder(4096);

  private String hex(String... fields) {
    return HexFormat.of().formatHex(Blocks.encode(encoder, List.of(fields)));
  }

  /// RFC 7541 appendix C.4.
  @Test
  void requestsOfTheRfcHaveItsBytes() {
    assertEquals(
        "828684418cf1e3c2e5f23a6ba0ab90f4ff",
        hex(":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com"));
    assertEquals(
        "828684be5886a8eb10649cbf",
        hex(
            ":method: GET",
            ":scheme: http",
            ":path: /",
            ":authority: www.example.com",
            "cache-control: no-cache"));
    assertEquals(
        "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf",
        hex(
            ":method: GET",
            ":scheme: https",
            ":path: /index.html",
            ":authority: www.example.com",
            "custom-key: custom-value"));
  }

  @Test
  void fieldsThatChangeAreIndexedTheSecondTime() {
    for (String field : List.of("etag: \"1\"", ":path: /a/b/c", "content-length: 13")) {
      assertEquals("0", hex(field).substring(0, 1), "a literal without indexing");
      assertEquals("0", hex(field + "0").substring(0, 1), "another one");
      assertEquals("0", hex(field).substring(0, 1), "not in a row");
      assertTrue("4567".indexOf(hex(field).charAt(0)) >= 0, "a literal that is indexed");
      assertEquals("be", hex(field));
    }
  }

  @Test
  void secretsAreNeverIndexed() {
    assertTrue(hex("authorization: Basic YTpi").startsWith("1f08"));
    assertTrue(hex("cookie: a=b").startsWith("1f11"));
    ByteBuf out = ByteBufAllocator.shared().allocate(64);
    encoder.field(out, new HeaderField(HeaderName.of("x-token"), Blocks.bytes("secret"), true));
    assertEquals(0x10, out.readByte());
    out.release();
    assertTrue(hex("cookie: session=0123456789abcdef").startsWith("60"), "long ones are indexed");
  }

  @Test
  void sizeOfTheTableIsAnnouncedOnce() throws HpackException {
    hex("custom: value");
    encoder.resize(0);
    encoder.resize(100);
    byte[] block = Blocks.encode(encoder, List.of("custom: value"));
    assertEquals(0x20, block[0], "first the least size");
    assertEquals(List.of("custom: value"), Blocks.decode(decoder, block));
    assertTrue((Blocks.encode(encoder, List.of("custom: value"))[0] & 0x80) != 0);
  }

  /// The encoded form of the same object is kept. It depends on the table.
  @Test
  void sameHeadersAreDecodedAlikeWhileTheTableChanges() throws HpackException {
    HttpHeaders headers =
        HttpHeaders.builder()
            .add("server", "quickwater")
            .add("x-a", "1")
            .addSensitive(HeaderName.of("x-token"), "secret")
            .build();
    List<String> expected = List.of("server: quickwater", "x-a: 1", "x-token: secret");
    ByteBuf out = ByteBufAllocator.shared().allocate(256);
    int shortest = Integer.MAX_VALUE;
    for (int i = 0; i < 200; i++) {
      if (i % 7 == 0) {
        Blocks.decode(decoder, Blocks.encode(encoder, List.of("x-other: " + i)));
      }
      if (i % 31 == 0) {
        encoder.resize(i % 2 == 0 ? 4096 : 80);
      }
      encoder.begin(out.clear());
      encoder.fields(out, headers);
      byte[] block = out.readBytes(out.readableBytes());
      shortest = Math.min(shortest, block.length);
      assertEquals(expected, Blocks.decode(decoder, block), "block " + i);
    }
    assertEquals(1 + 1 + (1 + 1 + 6 + 1 + 4), shortest, "two indices and a literal");
    out.release();
  }

  @Test
  void allNamesOfTheStaticTableAreRegistered() {
    for (int i = 1; i <= StaticTable.SIZE; i++) {
      FieldName name = StaticTable.get(i).name();
      assertTrue(
          name.pseudo() != null || name.registered().number(EngineAccess.GRANTED) >= 0,
          Blocks.latin(name.bytes()));
    }
  }

  @Test
  void huffmanThresholdLeavesShortStringsAsTheyAre() throws HpackException {
    HpackEncoder plain = new HpackEncoder(4096, 64);
    List<String> fields = List.of("x-a: " + "a".repeat(63), "x-b: " + "a".repeat(64));
    byte[] block = Blocks.encode(plain, fields);
    assertEquals((1 + 4 + 1 + 63) + (1 + 4 + 1 + 40), block.length);
    assertEquals(fields, Blocks.decode(decoder, block));
  }

  @Test
  void encoderAndDecoderKeepEqualTables() throws HpackException {
    Random random = new Random(5);
    String[] names = {
      "accept", "cache-control", "content-type", "cookie", "etag", "server", "x-a", "x-long-name"
    };
    for (int i = 0; i < 20_000; i++) {
      if (random.nextInt(100) == 0) {
        encoder.resize(random.nextInt(4097));
      }
      List<String> fields = new ArrayList<>();
      fields.add(":status: " + (random.nextBoolean() ? 200 : 200 + random.nextInt(300)));
      for (int k = random.nextInt(8); k > 0; k--) {
        int length = random.nextInt(random.nextInt(20) == 0 ? 3000 : 30);
        String value = "v".repeat(length) + random.nextInt(5);
        fields.add(names[random.nextInt(names.length)] + ": " + value);
      }
      assertEquals(fields, Blocks.decode(decoder, Blocks.encode(encoder, fields)));
    }
  }
}

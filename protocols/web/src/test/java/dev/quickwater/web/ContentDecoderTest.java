package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.codec.verify.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Compressed content, split in every way.
final class ContentDecoderTest {

  private static final String TEXT = "content ".repeat(40) + "of a response";

  private static String decoded(ContentCoding coding, byte[] bytes) {
    Outcome outcome = Coded.verifier(coding).verify(bytes);
    assertNull(outcome.failure(), outcome::toString);
    assertEquals(0, outcome.left());
    return outcome.events().isEmpty() ? "" : (String) outcome.events().getFirst();
  }

  private static String refused(ContentCoding coding, byte[] bytes) {
    Outcome outcome = Coded.verifier(coding).verify(bytes);
    return String.valueOf(
        assertInstanceOf(ZipException.class, outcome.failure(), outcome::toString).getMessage());
  }

  @Test
  void contentIsDecodedHoweverItArrives() {
    assertEquals(TEXT, decoded(ContentCoding.GZIP, Coded.gzip(TEXT)));
    assertEquals(TEXT, decoded(ContentCoding.DEFLATE, Coded.deflate(TEXT)));
    assertEquals("", decoded(ContentCoding.GZIP, Coded.gzip("")));
    assertEquals("", decoded(ContentCoding.DEFLATE, Coded.deflate("")));
  }

  @Test
  void contentThatDoesNotCompressIsDecoded() {
    byte[] random = new byte[3000];
    new Random(1).nextBytes(random);
    String text = HexFormat.of().formatHex(random);
    assertEquals(text, decoded(ContentCoding.GZIP, Coded.gzip(text)));
  }

  @Test
  void membersOfGzipAreOneContent() {
    byte[] members = Coded.join(Coded.gzip("one "), Coded.gzip(""), Coded.gzip("two"));
    assertEquals("one two", decoded(ContentCoding.GZIP, members));
  }

  /// A gzip header with these flags, followed by the parts they announce, and content.
  private static byte[] withFlags(int flags, String parts) {
    byte[] gzip = Coded.gzip(TEXT);
    byte[] head = {0x1f, (byte) 0x8b, 8, (byte) flags, 0, 0, 0, 0, 0, 3};
    return Coded.join(
        head, HexFormat.of().parseHex(parts), Arrays.copyOfRange(gzip, 10, gzip.length));
  }

  private static String sumOf(String head) {
    CRC32 sum = new CRC32();
    sum.update(HexFormat.of().parseHex(head));
    return HexFormat.of()
        .formatHex(new byte[] {(byte) sum.getValue(), (byte) (sum.getValue() >> 8)});
  }

  @Test
  void optionalPartsOfTheHeadAreSkipped() {
    assertEquals(TEXT, decoded(ContentCoding.GZIP, withFlags(1, "")));
    assertEquals(TEXT, decoded(ContentCoding.GZIP, withFlags(4, "0300" + "616263")));
    assertEquals(TEXT, decoded(ContentCoding.GZIP, withFlags(4, "0000")));
    assertEquals(TEXT, decoded(ContentCoding.GZIP, withFlags(8, "6100")));
    assertEquals(TEXT, decoded(ContentCoding.GZIP, withFlags(16, "00")));
    assertEquals(TEXT, decoded(ContentCoding.GZIP, withFlags(24, "6100" + "6200")));
    String head = "1f8b081e000000000003" + "0100ff" + "6100" + "6200";
    assertEquals(
        TEXT, decoded(ContentCoding.GZIP, withFlags(30, "0100ff" + "6100" + "6200" + sumOf(head))));
    assertEquals(
        "the gzip content is broken: the sum of its head is wrong",
        refused(ContentCoding.GZIP, withFlags(2, "0000")));
  }

  @ParameterizedTest
  @ValueSource(ints = {32, 64, 128})
  void reservedFlagIsRefused(int flag) {
    assertEquals(
        "the gzip content is broken: a reserved flag is set",
        refused(ContentCoding.GZIP, withFlags(flag, "")));
  }

  @Test
  void contentOfAnotherFormatIsRefused() {
    assertTrue(refused(ContentCoding.GZIP, Coded.deflate(TEXT)).contains("no gzip header"));
    assertTrue(refused(ContentCoding.DEFLATE, Coded.gzip(TEXT)).contains("header"));
    byte[] zlib = Coded.deflate(TEXT);
    byte[] withoutHeader = Arrays.copyOfRange(zlib, 2, zlib.length - 4);
    assertTrue(refused(ContentCoding.DEFLATE, withoutHeader).contains("is broken"));
    byte[] method = Coded.gzip(TEXT);
    method[2] = 7;
    assertTrue(refused(ContentCoding.GZIP, method).contains("method"));
  }

  @Test
  void dictionaryIsRefused() {
    assertTrue(
        refused(ContentCoding.DEFLATE, HexFormat.of().parseHex("78bb0000000100"))
            .contains("dictionary"));
  }

  @Test
  void bytesAfterTheEndAreRefused() {
    assertEquals(
        "the deflate content is broken: bytes follow its end",
        refused(ContentCoding.DEFLATE, Coded.join(Coded.deflate(TEXT), new byte[1])));
    assertEquals(
        "the gzip content is broken: it has no gzip header",
        refused(ContentCoding.GZIP, Coded.join(Coded.gzip(TEXT), new byte[1])));
  }

  @ParameterizedTest
  @EnumSource(names = {"GZIP", "DEFLATE"})
  void everyChangedBitOfTheContentIsNoticed(ContentCoding coding) {
    byte[] good = coding == ContentCoding.GZIP ? Coded.gzip("abcabc") : Coded.deflate("abcabc");
    // The head of gzip has bytes without effect: the time, the system, FTEXT.
    for (int i = coding == ContentCoding.GZIP ? 10 : 0; i < good.length; i++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] changed = good.clone();
        changed[i] ^= (byte) (1 << bit);
        assertFalse(isAccepted(coding, changed), "byte " + i + ", bit " + bit);
      }
    }
  }

  private static boolean isAccepted(ContentCoding coding, byte[] bytes) {
    ByteBuf in = ByteBuf.wrap(bytes);
    try (ContentDecoder decoder = new ContentDecoder(coding, 200)) {
      byte[] out = new byte[1000];
      StringBuilder text = new StringBuilder();
      for (int count; (count = decoder.decode(in, out)) > 0; ) {
        text.append(new String(out, 0, count, StandardCharsets.ISO_8859_1));
      }
      return decoder.isComplete() && !text.toString().equals("abcabc");
    } catch (ZipException _) {
      return false;
    } finally {
      in.release();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"GZIP", "DEFLATE"})
  void contentIsCompleteOnlyAtItsEnd(ContentCoding coding) throws ZipException {
    byte[] good = coding == ContentCoding.GZIP ? Coded.gzip(TEXT) : Coded.deflate(TEXT);
    List<Integer> complete = new ArrayList<>();
    for (int length = 0; length <= good.length; length++) {
      ByteBuf in = ByteBuf.wrap(Arrays.copyOf(good, length));
      try (ContentDecoder decoder = new ContentDecoder(coding, 200)) {
        byte[] out = new byte[1000];
        while (decoder.decode(in, out) > 0) {
          // until all is decoded
        }
        if (decoder.isComplete()) {
          complete.add(length);
        }
      } finally {
        in.release();
      }
    }
    assertEquals(List.of(0, good.length), complete);
  }

  @Test
  void contentThatExpandsTooMuchIsRefused() {
    byte[] bomb = Coded.gzip(new byte[20 << 20]);
    ByteBuf in = ByteBuf.wrap(bomb);
    try (ContentDecoder decoder = new ContentDecoder(ContentCoding.GZIP, 100)) {
      byte[] out = new byte[16 << 10];
      ZipException refusal =
          assertThrows(
              ZipException.class,
              () -> {
                while (decoder.decode(in, out) > 0) {
                  // until it is refused
                }
              });
      assertEquals(
          "the content expands to more than 100 times its compressed size", refusal.getMessage());
    } finally {
      in.release();
    }
  }

  @Test
  void shortContentMayRepeatALot() {
    String text = "a".repeat(ContentDecoder.RATIO_FROM);
    ByteBuf in = ByteBuf.wrap(Coded.gzip(text));
    try (ContentDecoder decoder = new ContentDecoder(ContentCoding.GZIP, 2)) {
      byte[] out = new byte[16 << 10];
      int total = 0;
      for (int count; (count = decoder.decode(in, out)) > 0; ) {
        total += count;
      }
      assertEquals(text.length(), total);
    } catch (ZipException e) {
      throw new AssertionError(e);
    } finally {
      in.release();
    }
  }

  @Test
  void workIsLinear() {
    Random random = new Random(1);
    Coded.verifier(ContentCoding.GZIP)
        .verifyLinear(
            length -> {
              byte[] bytes = new byte[length];
              random.nextBytes(bytes);
              return Coded.gzip(bytes);
            },
            20_000);
  }
}

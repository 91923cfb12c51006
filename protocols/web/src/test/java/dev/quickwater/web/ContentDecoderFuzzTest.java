package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.quickwater.codec.verify.CodecVerifier;
import dev.quickwater.codec.verify.Outcome;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/// Any input has the same outcome at every split, throws only [ZipException], and takes a number of
/// steps that is linear in the sum of compressed and decoded bytes. The streams of the JDK decode
/// accepted content to the same bytes.
///
/// The test runs its seeds in every build, and for 60 s with `-Dfull`. The first two bytes of an
/// input select the split, and the lowest bit of the third byte selects the coding.
final class ContentDecoderFuzzTest {

  @FuzzTest(maxDuration = "60s")
  void oneReadingHoweverCut(byte[] data) {
    if (data.length < 4) {
      return;
    }
    ContentCoding coding = (data[2] & 1) == 0 ? ContentCoding.GZIP : ContentCoding.DEFLATE;
    byte[] input = Arrays.copyOfRange(data, 3, data.length);
    boolean[] complete = new boolean[1];
    Outcome whole = decode(coding, input, List.of(), complete);
    if (whole.failure() != null) {
      assertInstanceOf(ZipException.class, whole.failure(), whole::toString);
    } else if (complete[0]) {
      assertEquals(decodedByTheJdk(coding, input), text(whole));
    }
    boolean[] unused = new boolean[1];
    List<Integer> cuts = cuts(data[0] << 8 | data[1], input.length);
    assertLike(whole, decode(coding, input, cuts, unused));
    List<Integer> all = IntStream.range(1, input.length).boxed().toList();
    assertLike(whole, decode(coding, input, all, unused));
  }

  private static String text(Outcome outcome) {
    return outcome.events().isEmpty() ? "" : (String) outcome.events().getFirst();
  }

  private static String decodedByTheJdk(ContentCoding coding, byte[] input) {
    ByteArrayInputStream bytes = new ByteArrayInputStream(input);
    try (InputStream in =
        coding == ContentCoding.GZIP
            ? new GZIPInputStream(bytes)
            : new InflaterInputStream(bytes)) {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new AssertionError("the JDK refuses what was accepted", e);
    }
  }

  private static Outcome decode(
      ContentCoding coding, byte[] input, List<Integer> cuts, boolean[] complete) {
    Coded.Decoder[] last = new Coded.Decoder[1];
    Outcome outcome =
        CodecVerifier.of(() ->
                last[0] =
                    new Coded.Decoder(coding) {
                      @Override
                      public void close() {
                        complete[0] = isComplete();
                        super.close();
                      }
                    })
            .decode(input, cuts);
    int max = 2 * (cuts.size() + 1) + text(outcome).length() + input.length;
    assertTrue(last[0].steps <= max, last[0].steps + " steps for " + input.length + " bytes");
    return outcome;
  }

  private static List<Integer> cuts(int seed, int length) {
    Random random = new Random(seed);
    TreeSet<Integer> cuts = new TreeSet<>();
    for (int i = random.nextInt(6); i >= 0 && length > 1; i--) {
      cuts.add(1 + random.nextInt(length - 1));
    }
    return List.copyOf(cuts);
  }

  private static void assertLike(Outcome whole, Outcome cut) {
    assertTrue(cut.isLike(whole), () -> "whole: " + whole + "\ncut: " + cut);
  }
}

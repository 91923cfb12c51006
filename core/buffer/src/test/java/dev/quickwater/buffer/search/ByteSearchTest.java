package dev.quickwater.buffer.search;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.Buffers;
import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.EachStorage;
import dev.quickwater.buffer.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteSearchTest extends Buffers {

  private static final long SEED = 11;

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static List<Needle> single(String needle) {
    byte[] bytes = bytes(needle);
    List<Needle> all = new ArrayList<>();
    all.add(Needle.knuthMorrisPratt(bytes));
    all.add(Needle.ahoCorasick(bytes));
    if (bytes.length <= 64) {
      all.add(Needle.shiftOr(bytes));
    }
    return all;
  }

  private static List<Integer> ends(ByteSearch search, ByteBuf buffer) {
    List<Integer> ends = new ArrayList<>();
    int at = buffer.readerIndex();
    while ((at = search.find(buffer, at, buffer.writerIndex())) >= 0) {
      ends.add(at);
    }
    return ends;
  }

  /// By definition: wherever the text up to there ends with the needle.
  private static List<Integer> expected(String text, String needle) {
    List<Integer> ends = new ArrayList<>();
    for (int end = 1; end <= text.length(); end++) {
      if (text.substring(0, end).endsWith(needle)) {
        ends.add(end);
      }
    }
    return ends;
  }

  private static String random(Random random, int length, int letters) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append((char) ("ab\u0000\u00ff".charAt(random.nextInt(letters))));
    }
    return text.toString();
  }

  @EachStorage
  void everyAlgorithmFindsEveryPlaceOverlapsIncluded(Storage storage) {
    Random random = new Random(SEED);
    ByteBuf buffer = buffer(storage, 128);
    for (int round = 0; round < 2_000; round++) {
      int letters = 1 + random.nextInt(4);
      String text = random(random, random.nextInt(100), letters);
      String needle = random(random, 1 + random.nextInt(6), letters);
      buffer.clear().writeBytes(bytes(text));
      for (Needle compiled : single(needle)) {
        assertEquals(
            expected(text, needle),
            ends(compiled.search(), buffer),
            () -> "seed " + SEED + ": " + compiled + " of " + needle + " in " + text);
      }
    }
    buffer.release();
  }

  @EachStorage
  void longestOfSeveralNeedlesIsFoundAtEachEnd(Storage storage) {
    Random random = new Random(SEED);
    ByteBuf buffer = buffer(storage, 128);
    for (int round = 0; round < 2_000; round++) {
      int letters = 1 + random.nextInt(4);
      String text = random(random, random.nextInt(60), letters);
      String[] needles = new String[1 + random.nextInt(5)];
      byte[][] each = new byte[needles.length][];
      for (int i = 0; i < needles.length; i++) {
        needles[i] = random(random, 1 + random.nextInt(5), letters);
        each[i] = bytes(needles[i]);
      }
      List<String> expected = new ArrayList<>();
      for (int end = 1; end <= text.length(); end++) {
        String longest = "";
        for (String needle : needles) {
          boolean longer = needle.length() > longest.length();
          longest = longer && text.substring(0, end).endsWith(needle) ? needle : longest;
        }
        if (!longest.isEmpty()) {
          expected.add(end + longest);
        }
      }
      buffer.clear().writeBytes(bytes(text));
      ByteSearch search = Needle.of(each).search();
      List<String> found = new ArrayList<>();
      int at = 0;
      while ((at = search.find(buffer, at, buffer.writerIndex())) >= 0) {
        found.add(at + needles[search.needle()]);
        assertEquals(needles[search.needle()].length(), search.length());
      }
      assertEquals(expected, found, "seed " + SEED);
    }
    buffer.release();
  }

  @EachStorage
  void matchMaySpanBuffersHoweverTheInputIsCut(Storage storage) {
    String text = "x-boundary--boundarboundaryboundary-";
    ByteBuf whole = buffer(storage, 64).writeBytes(bytes(text));
    for (Needle needle : single("boundary")) {
      for (int cut = 0; cut <= text.length(); cut++) {
        for (int next = cut; next <= text.length(); next += 3) {
          ByteSearch search = needle.search();
          List<Integer> ends = new ArrayList<>();
          int[] bounds = {0, cut, next, text.length()};
          for (int part = 0; part < 3; part++) {
            ByteBuf slice = whole.slice(bounds[part], bounds[part + 1] - bounds[part]);
            int from = bounds[part];
            ends(search, slice).forEach(end -> ends.add(from + end));
            slice.release();
          }
          assertEquals(expected(text, "boundary"), ends);
        }
      }
    }
    whole.release();
  }

  @EachStorage
  void resetForgetsTheBeginningOfAMatch(Storage storage) {
    ByteBuf buffer = buffer(storage, 16).writeBytes(bytes("aaaab"));
    for (Needle needle : single("aa")) {
      ByteSearch search = needle.search();
      assertEquals(2, search.find(buffer, 0, 5));
      search.reset();
      assertEquals(4, search.find(buffer, 2, 5));
      search.reset();
      assertEquals(-1, search.find(buffer, 4, 5));
    }
    buffer.release();
  }

  @EachStorage
  void longNeedlesAreFound(Storage storage) {
    String needle = "0123456789".repeat(10) + "end";
    String text = "0123456789".repeat(30) + "end0";
    ByteBuf buffer = buffer(storage, 512).writeBytes(bytes(text));
    for (Needle each : single(needle)) {
      assertEquals(List.of(303), ends(each.search(), buffer));
    }
    String longest = needle.substring(39);
    assertEquals(64, longest.length());
    assertEquals(List.of(303), ends(Needle.shiftOr(bytes(longest)).search(), buffer));
    assertEquals(List.of(303), ends(Needle.of(bytes(needle)).search(), buffer));
    buffer.release();
  }

  /// Lengths around those up to which several steps are joined, with matches that end at each place
  /// of a word, overlap and follow one another.
  @EachStorage
  void needlesOfEveryLengthAreFoundAtEveryPlace(Storage storage) {
    ByteBuf buffer = buffer(storage, 512);
    for (int length = 1; length <= 66; length++) {
      String needle = "ab".repeat(length).substring(length - 1, 2 * length - 1);
      for (int before = 0; before < 9; before++) {
        String text = "b".repeat(before) + needle + "ab" + needle + needle + "ba";
        buffer.clear().writeBytes(bytes(text));
        for (Needle each : single(needle)) {
          assertEquals(expected(text, needle), ends(each.search(), buffer), each + " " + length);
        }
      }
    }
    buffer.release();
  }

  /// What is passed over depends on rare bytes, whose places in the needles differ.
  @EachStorage
  void needlesCutFromTheTextAreFoundInEveryPart(Storage storage) {
    Random random = new Random(SEED);
    for (int round = 0; round < 300; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < 300; i++) {
        text.append(random.nextInt(12) == 0 ? (char) ('a' + random.nextInt(26)) : 'e');
      }
      byte[][] needles = new byte[1 + random.nextInt(6)][];
      for (int i = 0; i < needles.length; i++) {
        int from = random.nextInt(280);
        needles[i] = bytes(text.substring(from, from + 1 + random.nextInt(20)));
      }
      List<Integer> expected = new ArrayList<>();
      for (int end = 1; end <= text.length(); end++) {
        boolean isEnd = false;
        for (byte[] needle : needles) {
          isEnd |= text.substring(0, end).endsWith(new String(needle, ISO_8859_1));
        }
        if (isEnd) {
          expected.add(end);
        }
      }
      List<Needle> all = new ArrayList<>(List.of(Needle.ahoCorasick(needles)));
      if (needles.length == 1) {
        all.addAll(single(new String(needles[0], ISO_8859_1)));
      }
      int cut = random.nextInt(301);
      for (Needle each : all) {
        ByteSearch search = each.search();
        List<Integer> found = new ArrayList<>();
        for (int part = 0; part < 2; part++) {
          int offset = part * cut;
          String piece = part == 0 ? text.substring(0, cut) : text.substring(cut);
          ByteBuf buffer = buffer(storage, 300).writeBytes(bytes(piece));
          ends(search, buffer).forEach(end -> found.add(offset + end));
          buffer.release();
        }
        assertEquals(expected, found, "seed " + SEED + ", cut at " + cut);
      }
    }
  }

  /// The inputs make a search that starts anew after each mismatch take the product of the lengths.
  @EachStorage
  void workIsLinearInTheWorstInput(Storage storage) {
    int length = 10_000;
    ByteBuf buffer = buffer(storage, length);
    buffer.writeBytes(bytes("a".repeat(length)));
    List<Needle> all = new ArrayList<>(single("a".repeat(1_000) + "b"));
    all.addAll(single("a".repeat(60) + "b"));
    all.addAll(single("b" + "a".repeat(60) + "b"));
    all.addAll(single("ab".repeat(30)));
    all.add(Needle.ahoCorasick(bytes("aaab"), bytes("aab"), bytes("ab"), bytes("aac")));
    for (Needle needle : all) {
      ByteSearch search = needle.search();
      assertEquals(-1, search.find(buffer, 0, length));
      assertTrue(search.work >= length && search.work <= 2 * length, needle + ": " + search.work);
    }
    ByteSearch everywhere = Needle.knuthMorrisPratt(bytes("a".repeat(50))).search();
    assertEquals(length - 49, ends(everywhere, buffer).size());
    assertTrue(everywhere.work <= 2 * length, "work " + everywhere.work);
    buffer.release();
  }

  @Test
  void needlesAreChecked() {
    assertEquals(
        "the needle is empty",
        assertThrows(IllegalArgumentException.class, () -> Needle.of(new byte[0])).getMessage());
    assertEquals(
        "the needle has 65 bytes, shift-or takes at most 64",
        assertThrows(IllegalArgumentException.class, () -> Needle.shiftOr(new byte[65]))
            .getMessage());
    assertEquals(
        "expected at least one needle",
        assertThrows(IllegalArgumentException.class, () -> Needle.of()).getMessage());
    assertThrows(IllegalArgumentException.class, () -> Needle.ahoCorasick(bytes("a"), new byte[0]));
    assertEquals(
        "the needles have together more than 1048575 bytes",
        assertThrows(IllegalArgumentException.class, () -> AhoCorasick.requireRoom(1 << 20))
            .getMessage());
  }

  @EachStorage
  void rangeOutsideTheBufferIsRefused(Storage storage) {
    ByteBuf buffer = buffer(storage, 8);
    ByteSearch search = Needle.of(bytes("x")).search();
    assertThrows(IndexOutOfBoundsException.class, () -> search.find(buffer, 0, 9));
    assertThrows(IndexOutOfBoundsException.class, () -> search.find(buffer, -1, 4));
    assertThrows(IndexOutOfBoundsException.class, () -> search.find(buffer, 4, 3));
    buffer.release();
    assertThrows(IllegalStateException.class, () -> search.find(buffer, 0, 1));
  }
}

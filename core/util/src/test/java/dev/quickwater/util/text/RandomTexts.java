package dev.quickwater.util.text;

import java.util.Random;

/// Random ASCII, of few different characters so that texts have much in common.
final class RandomTexts {

  private RandomTexts() {}

  static String draw(Random random, int length, String alphabet) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }

  /// The text in the middle of an array that has other bytes around it.
  static AsciiString within(String text, int before, int behind) {
    byte[] array = new byte[before + text.length() + behind];
    java.util.Arrays.fill(array, (byte) 'A');
    for (int i = 0; i < text.length(); i++) {
      array[before + i] = (byte) text.charAt(i);
    }
    return AsciiString.wrap(array, before, before + text.length());
  }

  /// 0 to 127.
  static String allAscii() {
    StringBuilder text = new StringBuilder();
    for (char c = 0; c < 128; c++) {
      text.append(c);
    }
    return text.toString();
  }
}

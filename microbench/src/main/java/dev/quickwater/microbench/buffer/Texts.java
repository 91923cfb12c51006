package dev.quickwater.microbench.buffer;

import java.util.SplittableRandom;

/// Texts as servers meet them, by the share of characters that are not ASCII.
public enum Texts {
  /// A head or an English page.
  ASCII("abcdefghij klmnopq rstuvwxyz"),
  /// A European language: mostly ASCII.
  LATIN("abcdefghij klmnopq rstuvwxyzé"),
  /// Three bytes a character, and some pairs of surrogates.
  WIDE("你好世界网络框架缓冲区字节搜索 😀");

  private final String alphabet;

  Texts(String alphabet) {
    this.alphabet = alphabet;
  }

  /// `count` different texts of about `length` characters, the same in every run.
  public String[] draw(int count, int length) {
    SplittableRandom random = new SplittableRandom(42);
    int[] points = alphabet.codePoints().toArray();
    String[] texts = new String[count];
    for (int i = 0; i < count; i++) {
      StringBuilder text = new StringBuilder();
      int end = length + random.nextInt(-length / 4, length / 4 + 1);
      while (text.length() < end) {
        text.appendCodePoint(points[random.nextInt(points.length)]);
      }
      texts[i] = text.toString();
    }
    return texts;
  }
}

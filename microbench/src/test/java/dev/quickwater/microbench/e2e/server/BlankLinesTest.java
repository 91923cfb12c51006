package dev.quickwater.microbench.e2e.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.system.Memory;
import dev.quickwater.system.Pages;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlankLinesTest {

  private final BlankLines lines = new BlankLines();
  private final long address = Pages.map(4096);

  @Test
  void countsTheSameWhereverTheStreamIsCut() {
    Random random = new Random(1);
    for (int trial = 0; trial < 5_000; trial++) {
      String text = text(random);
      int cut = random.nextInt(text.length() + 1);
      int state = scan(text.substring(0, cut), 0);
      int count = lines.count();
      scan(text.substring(cut), state);
      assertEquals(naive(text), count + lines.count(), () -> "in '" + text + "' cut at " + cut);
    }
  }

  @Test
  void countsByteByByte() {
    String text = "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n\r\n\r\n\r\n";
    int state = 0;
    int count = 0;
    for (int i = 0; i < text.length(); i++) {
      state = scan(text.substring(i, i + 1), state);
      count += lines.count();
    }
    assertEquals(naive(text), count);
  }

  private int scan(String text, int state) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    Memory.copy(bytes, 0, address, bytes.length);
    return lines.scan(address, bytes.length, state);
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(40);
    for (int i = 0; i < length; i++) {
      text.append("\r\n\r\nab\u00ff".charAt(random.nextInt(7)));
    }
    return text.toString();
  }

  private static int naive(String text) {
    int count = 0;
    for (int i = text.indexOf("\r\n\r\n"); i >= 0; i = text.indexOf("\r\n\r\n", i + 4)) {
      count++;
    }
    return count;
  }
}

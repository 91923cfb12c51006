package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PriorityTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''             | 3 | false",
        "'u=0'          | 0 | false",
        "'u=7, i'       | 7 | true",
        "'i, u=1'       | 1 | true",
        "' \ti ,\tu=2 ' | 2 | true",
        "'u=5,i=?0'     | 5 | false",
        "'i=?1'         | 3 | true",
        "'i, i=?0'      | 3 | false",
        "'u=1, u=6'     | 6 | false",
        "'u=4;x=1, i;y' | 4 | true",
        "'u=8'          | 3 | false",
        "'u=-1'         | 3 | false",
        "'u=1.5'        | 3 | false",
        "'u=1, u=9'     | 1 | false",
        "'u=\"1\"'      | 3 | false",
        "'U=1'          | 3 | false",
        "'i=1'          | 3 | false",
        "'i=?2'         | 3 | false",
        "'x=\"u=1, i\"' | 3 | false",
        "'x=\"\\\", i\", u=2' | 2 | false",
        "'x=(a, i), u=2' | 2 | false",
        "',,,'          | 3 | false",
        "'uu=1 ii'      | 3 | false",
      })
  void membersOfTheDictionary(String text, int urgency, boolean incremental) {
    int priority = Priority.parse(text);
    assertEquals(urgency, Priority.urgency(priority));
    assertEquals(incremental, Priority.isIncremental(priority));
  }

  @Test
  void anyTextIsAPriority() {
    Random random = new Random(1);
    String letters = "ui=?01789,;\"\\() \tx";
    for (int i = 0; i < 200_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(20); n > 0; n--) {
        text.append(letters.charAt(random.nextInt(letters.length())));
      }
      int priority = Priority.parse(text.toString());
      assertTrue(priority >= 0 && priority < 16, text::toString);
    }
  }
}

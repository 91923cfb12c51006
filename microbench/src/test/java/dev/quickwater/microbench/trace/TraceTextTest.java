package dev.quickwater.microbench.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceTextTest {

  @Test
  void everyTraceSurvivesItsText() {
    for (Trace trace : Traces.all()) {
      assertEquals(trace, TraceText.parse(trace.name(), TraceText.format(trace)));
    }
  }

  @Test
  void linesForPeopleAreSkipped() {
    Trace trace = TraceText.parse("small", "# two threads\n\na 5 0 0 100\nf 7 1 0\n");
    assertEquals(2, trace.events().size());
    assertEquals(2, trace.threads());
    assertEquals(1, trace.blocks());
  }

  @ParameterizedTest
  @CsvSource({
    "x 1 0 0, expected 'a MICROS",
    "a 1 0 0, expected 'a MICROS",
    "f 1 0 0 16, expected 'a MICROS",
    "a 1 0 0 -1, -1 is not in 0 to 1073741824",
    "a 1 0 0 1073741825, 1073741825 is not in 0 to 1073741824",
    "a 1 128 0 16, 128 is not in 0 to 127",
    "a one 0 0 16, For input string",
  })
  void badLineIsNamed(String line, String why) {
    var failure =
        assertThrows(
            IllegalArgumentException.class, () -> TraceText.parse("bad", "# head\n" + line));
    assertTrue(
        failure.getMessage().startsWith("line 2 of bad is '" + line + "': " + why),
        failure.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "a 1 0 0 16|a 2 0 0 16, event 2 of bad allocates block 0 again",
    "a 1 0 0 16|f 2 0 1, 'event 2 of bad frees block 1, which is not live'",
    "a 1 0 0 16|f 2 0 0|f 3 0 0, 'event 3 of bad frees block 0, which is not live'",
    "a 1 0 0 16|f 2 0 0|a 3 0 0 16, event 3 of bad allocates block 0 again",
    "a 2 0 0 16|f 1 0 0, event 2 of bad is earlier than the one before it",
  })
  void whatCannotHaveHappenedIsRefused(String lines, String message) {
    var failure =
        assertThrows(
            IllegalArgumentException.class, () -> TraceText.parse("bad", lines.replace('|', '\n')));
    assertEquals(message, failure.getMessage());
  }
}

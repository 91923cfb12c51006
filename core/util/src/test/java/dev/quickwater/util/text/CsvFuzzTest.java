package dev.quickwater.util.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;

/// Every field survives being written, and every line that is read is written back to one that says
/// the same.
///
/// On its seeds in every build; for 60 s with `-Dfull`.
final class CsvFuzzTest {

  @FuzzTest(maxDuration = "60s")
  void whatIsWrittenIsRead(byte[] data) {
    String text = new String(data, UTF_8);
    String written = Csv.escape(text);
    assertEquals(text, Csv.unescape(written).toString());
    assertEquals(written, Csv.escape(new StringBuilder(text)).toString());
    assertEquals(List.of("", text, ""), Csv.split("," + written + ","));
    List<String> fields;
    try {
      fields = Csv.split(text);
    } catch (IllegalArgumentException _) {
      return;
    }
    assertEquals(fields, Csv.split(String.join(",", fields.stream().map(Csv::escape).toList())));
  }
}

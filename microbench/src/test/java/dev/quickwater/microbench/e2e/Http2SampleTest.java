package dev.quickwater.microbench.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.microbench.command.UsageException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class Http2SampleTest {

  private static final String OUTPUT =
      """
      finished in 2.00s, 98047.00 req/s, 4.02MB/s
      requests: 200000 total, 200016 started, 200000 done, 200000 succeeded, 0 failed, 0 errored, 0 timeout
      status codes: 200000 2xx, 0 3xx, 0 4xx, 0 5xx
      traffic: 8.04MB (8400000) total, 2.25MB (2355256) headers (space savings 93.54%), 2.43MB (2600000) data
                           min         max         mean         sd        +/- sd
      time for request:       24us      2.73ms       101us        44us    89.25%
      time for connect:       68us       227us       152us        49us    62.50%
      """;

  private static void assertRefused(String what, String output) {
    IOException e = assertThrows(IOException.class, () -> Http2Sample.parse(output, 13, 1_000_000));
    assertTrue(e.getMessage().contains(what), e.getMessage());
  }

  @Test
  void figuresAreThoseThatH2loadPrinted() throws IOException {
    Http2Sample sample = Http2Sample.parse(OUTPUT, 13, 1_000_000);
    assertEquals(200_000, sample.requests());
    assertEquals(100_000, sample.perSecond());
    assertEquals(101, sample.mean());
    assertEquals(42, sample.wire());
    assertEquals(5, sample.cpu());
  }

  @Test
  void unitOfTimesIsRead() throws IOException {
    String slow = OUTPUT.replace(" 101us ", " 1.50ms ");
    assertEquals(1500, Http2Sample.parse(slow, 13, 1).mean());
    assertEquals(2e6, Http2Sample.parse(OUTPUT.replace(" 101us ", " 2.00s "), 13, 1).mean());
  }

  @Test
  void runWithAnyErrorIsRefused() {
    assertRefused("failed", OUTPUT.replace("0 failed", "1 failed"));
    assertRefused("failed", OUTPUT.replace("0 errored", "1 errored"));
    assertRefused("failed", OUTPUT.replace("0 timeout", "1 timeout"));
    assertRefused("status", OUTPUT.replace("0 3xx", "1 3xx"));
    assertRefused("status", OUTPUT.replace("0 5xx", "1 5xx"));
    assertRefused("status", OUTPUT.replace("200000 2xx", "199999 2xx"));
    assertRefused("success", OUTPUT.replace("200000 succeeded", "199999 succeeded"));
    assertRefused("too short", OUTPUT.replace("(2600000) data", "(2599999) data"));
    assertRefused("no line", "connection refused");
  }

  @Test
  void loadIsNamedByConnectionsAndStreams() {
    for (Http2Load load : Http2Load.DEFAULT) {
      assertEquals(load, Http2Load.of(load.label()));
    }
    assertEquals(new Http2Load(16, 32, true), Http2Load.of("16x32/16k"));
    for (String wrong : new String[] {"16", "0x1", "1x0", "1x1/8k", "ax1", "12345x1"}) {
      assertThrows(UsageException.class, () -> Http2Load.of(wrong));
    }
  }
}

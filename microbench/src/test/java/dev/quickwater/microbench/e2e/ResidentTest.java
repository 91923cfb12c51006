package dev.quickwater.microbench.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class ResidentTest {

  private static final String HISTOGRAM =
      """
      1234:
       num     #instances         #bytes  class name (module)
      -------------------------------------------------------
         1:          5000         480000  dev.quickwater.http1.Http1ServerHandler (x@1)
         2:            90          72000  [Ljdk.internal.vm.FillerElement; (java.base@25)
         3:            10            160  jdk.internal.vm.FillerObject (java.base@25)
      Total          5100         552160
      """;

  @Test
  void fillersOfTheGarbageCollectorAreNotLive() throws IOException {
    assertEquals(480_000, Resident.live(HISTOGRAM));
  }

  @Test
  void histogramWithoutTotalIsRefused() {
    assertThrows(IOException.class, () -> Resident.live("1234:\nno such process\n"));
  }
}

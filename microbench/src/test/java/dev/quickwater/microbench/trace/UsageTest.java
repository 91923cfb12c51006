package dev.quickwater.microbench.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class UsageTest {

  @Test
  void steadyIsTheMeanOverTheSecondHalfOfTheTime() {
    Usage.Meter meter = new Usage.Meter(100);
    meter.note(0, 1_000, 8_000);
    meter.note(60, -600, 4_000);
    meter.note(100, -400, 2_000);
    // 10 of the last 50 microseconds at the first level, 40 at the second.
    assertEquals(new Usage(1_000, 8_000, 520, 4_800), meter.usage());
  }

  @Test
  void peaksNeedNotCoincide() {
    Usage.Meter meter = new Usage.Meter(10);
    meter.note(0, 100, 200);
    meter.note(5, -100, 900);
    Usage usage = meter.usage();
    assertEquals(100, usage.peakLive());
    assertEquals(900, usage.peakReserved());
    assertEquals(9, usage.peakRatio());
  }

  @Test
  void lineOfAProcessIsReadBack() {
    Usage usage = new Usage(1, 1L << 40, 3, 4);
    assertEquals(usage, Usage.parse(usage.toString()));
  }
}

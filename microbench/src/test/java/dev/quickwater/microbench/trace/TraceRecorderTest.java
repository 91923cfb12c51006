package dev.quickwater.microbench.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TraceRecorderTest {

  @Test
  void everyBlockOfARealRunIsSeenToDie() throws ReflectiveOperationException {
    Trace trace = TraceRecorder.record();
    assertTrue(trace.blocks() > 500, trace.blocks() + " blocks");
    assertEquals(2 * trace.blocks(), trace.events().size());
    assertTrue(trace.events().stream().anyMatch(event -> event.size() > 64 << 10));
  }
}

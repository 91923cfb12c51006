package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SendFlowTest {

  private static final int INITIAL = 1_000;
  private static final int MAX = Integer.MAX_VALUE;

  private final SendFlow flow = new SendFlow(new UniformDistributor(), INITIAL);
  private final FlowStream a = open(1);
  private final FlowStream b = open(3);

  private FlowStream open(int id) {
    FlowStream s = new FlowStream(id);
    flow.open(s);
    return s;
  }

  private static void assertOverflow(int stream, Http2Exception e) {
    assertEquals(ErrorCode.FLOW_CONTROL_ERROR, e.code());
    assertEquals(stream, e.stream());
  }

  @Test
  void directWriteTakesFromBothWindows() {
    assertTrue(flow.take(a, 600));
    assertFalse(flow.take(a, 401));
    assertTrue(flow.take(a, 400));
    assertEquals(0, flow.window(a));
    assertEquals(65_535 - INITIAL, flow.window());
    assertTrue(flow.take(a, 0));
  }

  @Test
  void directWriteDoesNotOvertakeQueuedBytes() {
    flow.queued(a, 1, false);
    assertFalse(flow.take(a, 0));
    assertFalse(flow.take(b, 1), "another stream waits for its turn");
    assertTrue(flow.take(b, 0));
    flow.distribute(10);
    assertTrue(flow.take(a, 1));
    assertTrue(flow.take(b, 1));
  }

  @Test
  void queuedBytesLeaveAsWindowsAllow() throws Http2Exception {
    flow.queued(a, 1_500, false);
    assertEquals(1_500, flow.queued());
    assertEquals(1_000, flow.distribute(MAX));
    assertEquals(500, flow.queued(a));
    assertTrue(flow.isBlocked());
    assertEquals(0, flow.distribute(MAX));
    flow.increased(a, 200);
    assertEquals(200, flow.distribute(MAX));
    flow.increased(a, 2_000);
    assertFalse(flow.isBlocked());
    assertEquals(300, flow.distribute(MAX));
    assertEquals(1_700, flow.window(a));
    assertEquals(65_535 - 1_500, flow.window());
    assertEquals(0, flow.queued());
  }

  @Test
  void connectionWindowLimitsAllStreams() throws Http2Exception {
    flow.increased(a, 100_000);
    flow.increased(b, 100_000);
    flow.queued(a, 100_000, false);
    flow.queued(b, 100_000, false);
    assertEquals(65_535, flow.distribute(MAX));
    assertTrue(flow.isBlocked());
    assertEquals(0, flow.window());
    assertEquals(65_535, a.sent + b.sent);
    flow.increased(1);
    assertEquals(1, flow.distribute(MAX));
  }

  @Test
  void emptyEndIsSentWithoutWindow() {
    assertTrue(flow.take(a, INITIAL));
    flow.queued(a, 0, true);
    assertFalse(flow.isBlocked());
    assertEquals(0, flow.distribute(0));
    assertEquals(1, a.emptyFrames);
  }

  @Test
  void endLeavesWithTheLastBytes() {
    flow.queued(a, 10, false);
    flow.queued(a, 0, true);
    assertEquals(10, flow.distribute(MAX));
    assertEquals(0, a.emptyFrames);
    assertThrows(IllegalStateException.class, this::queueTwice);
  }

  private void queueTwice() {
    flow.queued(b, 0, true);
    flow.queued(b, 1, false);
  }

  @Test
  void endQueuedInsideSendLeavesWithAnEmptyFrame() {
    a.inside =
        count -> {
          if (count > 0) {
            flow.queued(a, 0, true);
          }
        };
    flow.queued(a, 10, false);
    assertEquals(10, flow.distribute(MAX));
    assertEquals(1, a.emptyFrames);
  }

  @Test
  void bytesQueuedInsideSendFollow() {
    int[] more = {3};
    a.inside =
        _ -> {
          if (more[0]-- > 0) {
            flow.queued(a, 100, false);
            flow.queued(b, 50, false);
          }
        };
    flow.queued(a, 100, false);
    assertEquals(400 + 150, flow.distribute(MAX));
    assertEquals(0, flow.queued());
    assertEquals(INITIAL - 400, flow.window(a));
  }

  @Test
  void streamDroppedInsideSendStillUsesTheConnectionWindow() {
    a.inside = _ -> flow.dropped(a);
    flow.queued(a, 500, false);
    flow.queued(b, 500, false);
    assertEquals(1_000, flow.distribute(MAX));
    assertEquals(0, flow.queued());
    assertEquals(65_535 - 1_000, flow.window());
    assertFalse(flow.isBlocked());
  }

  @Test
  void directWriteInsideSendSpendsNoByteTwice() {
    FlowStream[] streams = FlowStream.many(64);
    for (FlowStream s : streams) {
      flow.open(s);
      flow.queued(s, 1_000, false);
    }
    streams[63].inside =
        _ -> {
          flow.dropped(streams[63]);
          if (flow.take(a, 900)) {
            flow.queued(b, 1_000, false);
          }
        };
    flow.distribute(MAX);
    assertTrue(flow.window() >= 0, () -> "window " + flow.window());
  }

  @Test
  void droppedStreamHasNothingQueued() {
    flow.queued(a, 5_000, true);
    flow.dropped(a);
    assertEquals(0, flow.queued());
    assertFalse(flow.isBlocked());
    assertEquals(0, flow.distribute(MAX));
    assertFalse(flow.take(a, 1));
    assertThrows(IllegalStateException.class, () -> flow.queued(a, 1, false));
  }

  /// RFC 9113 section 6.9.1.
  @Test
  void windowAboveTheMaximumIsAnError() throws Http2Exception {
    flow.increased(a, MAX - INITIAL);
    assertOverflow(1, assertThrows(Http2Exception.class, () -> flow.increased(a, 1)));
    assertEquals(MAX, flow.window(a));
    flow.increased(MAX - 65_535);
    assertOverflow(0, assertThrows(Http2Exception.class, () -> flow.increased(1)));
    assertOverflow(3, assertThrows(Http2Exception.class, () -> flow.increased(b, MAX)));
  }

  /// RFC 9113 section 6.9.2.
  @Test
  void smallerInitialWindowMakesWindowsNegative() throws Http2Exception {
    flow.queued(a, 1_500, false);
    flow.distribute(MAX);
    flow.initialWindow(0, List.of(a, b));
    assertEquals(-1_000, flow.window(a));
    assertEquals(0, flow.window(b));
    flow.increased(a, 1_000);
    assertEquals(0, flow.distribute(MAX));
    flow.increased(a, 10);
    assertEquals(10, flow.distribute(MAX));
    flow.initialWindow(400, List.of(a, b));
    assertEquals(400, flow.distribute(MAX));
    assertEquals(400, flow.window(open(5)));
  }

  @Test
  void initialWindowThatOverflowsAStreamIsAnErrorOfTheConnection() throws Http2Exception {
    flow.increased(a, MAX - INITIAL);
    assertOverflow(
        0,
        assertThrows(Http2Exception.class, () -> flow.initialWindow(INITIAL + 1, List.of(b, a))));
  }

  @Test
  void extremeInitialWindows() throws Http2Exception {
    flow.initialWindow(MAX, List.of(a));
    flow.queued(a, 60_000, false);
    flow.distribute(MAX);
    flow.initialWindow(0, List.of(a));
    assertEquals(-60_000, flow.window(a));
    flow.initialWindow(MAX, List.of(a));
    assertEquals(MAX - 60_000, flow.window(a));
  }

  @Test
  void streamThatSendsMoreThanAllowedIsAFault() {
    FlowStream wrong =
        new FlowStream(7) {
          @Override
          int send(int allowed) {
            return allowed + 1;
          }
        };
    flow.open(wrong);
    flow.queued(wrong, 1, false);
    assertThrows(IllegalStateException.class, () -> flow.distribute(10));
  }

  /// RFC 9218: the first priority changes the distribution of all streams.
  @Test
  void firstPriorityOrdersWaitingStreams() throws Http2Exception {
    FlowStream c = open(5);
    for (FlowStream s : List.of(a, b, c)) {
      flow.queued(s, 900, s == c);
    }
    FlowStream ends = open(7);
    flow.queued(ends, 0, true);
    flow.distribute(90);
    flow.prioritize(b, 0, false);
    flow.prioritize(a, 7, true);
    long before = a.sent;
    assertEquals(900, flow.distribute(900));
    assertEquals(900, b.sent);
    assertEquals(900, flow.distribute(900));
    assertEquals(900, c.sent);
    assertEquals(before, a.sent);
    flow.distribute(MAX);
    assertEquals(900, a.sent);
    assertEquals(1, ends.emptyFrames);
    assertEquals(0, flow.queued());
  }
}

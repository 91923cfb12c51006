package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ReceiveFlowTest {

  private static final int INITIAL = Windows.PROTOCOL_INITIAL;
  private static final int MIB = 1 << 20;

  private final ReceiveFlow flow = new ReceiveFlow(INITIAL, WindowSettings.DEFAULT);
  private final FlowStream a = open(flow, 1);
  private final FlowStream b = open(flow, 3);

  private static FlowStream open(ReceiveFlow flow, int id) {
    FlowStream s = new FlowStream(id);
    flow.open(s);
    return s;
  }

  @Test
  void connectionWindowIsRaisedAtTheStart() throws Http2Exception {
    assertEquals(MIB - INITIAL, flow.connectionStart());
    assertEquals(MIB, flow.window());
    assertEquals(0, flow.connectionIncrement());
    ReceiveFlow little =
        new ReceiveFlow(INITIAL, new WindowSettings(INITIAL, INITIAL, INITIAL + 1, 4 * INITIAL));
    assertEquals(1, little.connectionStart());
    assertEquals(0, little.connectionStart());
  }

  @Test
  void creditIsAnnouncedWhenHalfOfTheWindowIsFree() throws Http2Exception {
    flow.connectionStart();
    flow.received(a, 40_000);
    assertEquals(0, flow.consumed(a, 30_000));
    assertEquals(32_767, flow.consumed(a, 2_767));
    assertEquals(0, flow.consumed(a, 7_233));
    flow.received(a, 50_000);
    assertEquals(57_233, flow.consumed(a, 50_000));
  }

  @Test
  void peerThatExceedsTheWindowOfAStreamIsInError() throws Http2Exception {
    flow.connectionStart();
    flow.received(a, INITIAL);
    Http2Exception e = assertThrows(Http2Exception.class, () -> flow.received(a, 1));
    assertEquals(1, e.stream());
    assertEquals(ErrorCode.FLOW_CONTROL_ERROR, e.code());
    assertEquals(INITIAL, flow.unread());
    flow.received(b, INITIAL);
  }

  @Test
  void peerThatExceedsTheWindowOfTheConnectionIsInError() throws Http2Exception {
    flow.received(a, 65_000);
    Http2Exception e = assertThrows(Http2Exception.class, () -> flow.received(b, 536));
    assertEquals(0, e.stream());
    assertEquals(ErrorCode.FLOW_CONTROL_ERROR, e.code());
    assertThrows(Http2Exception.class, () -> flow.receivedUnknown(536));
    flow.receivedUnknown(535);
  }

  @Test
  void closedStreamsReturnTheirCreditToTheConnection() throws Http2Exception {
    flow.connectionStart();
    flow.receivedUnknown(600_000);
    assertEquals(600_000, flow.connectionIncrement());
    flow.received(a, 1_000);
    flow.closed(a);
    flow.discarded(a, 1_000);
    assertEquals(0, flow.unread());
  }

  @Test
  void readerCannotConsumeMoreThanArrived() throws Http2Exception {
    flow.received(a, 10);
    assertThrows(IllegalArgumentException.class, () -> flow.consumed(a, 11));
    assertThrows(IllegalArgumentException.class, () -> flow.discarded(b, 1));
    assertThrows(IllegalArgumentException.class, () -> flow.consumed(a, -1));
  }

  /// The maximum number of stalled streams: each keeps its window full, and another stream still
  /// receives without a limit.
  @Test
  void stalledStreamsStopNoOtherAndMemoryIsBounded() throws Http2Exception {
    WindowSettings settings = WindowSettings.DEFAULT;
    flow.connectionStart();
    for (int i = 0; i < settings.maxStreams() - 1; i++) {
      FlowStream stalled = open(flow, 2 * i + 5);
      for (int left = INITIAL; left > 0; left -= 13_107) {
        flow.received(stalled, 13_107);
        flow.connectionIncrement();
      }
    }
    long unread = flow.unread();
    for (int i = 0; i < 10_000; i++) {
      flow.received(a, 16_384);
      assertTrue(flow.unread() <= settings.maxUnread());
      flow.consumed(a, 16_384);
      flow.connectionIncrement();
    }
    assertEquals(unread, flow.unread());
  }

  /// More stalled streams: the connection stops instead of storing more.
  @Test
  void unreadBytesOfAllStreamsAreBounded() throws Http2Exception {
    flow.connectionStart();
    long received = 0;
    for (int i = 0; i < 1_000; i++) {
      FlowStream stalled = open(flow, 2 * i + 5);
      int bytes = Math.min(flow.window(), INITIAL);
      flow.received(stalled, bytes);
      received += bytes;
      flow.connectionIncrement();
    }
    assertEquals(WindowSettings.DEFAULT.maxUnread(), received);
    assertEquals(0, flow.window());
    assertEquals(received, flow.unread());
    flow.received(a, 0);
  }

  @Test
  void acknowledgedSettingsChangeOpenStreams() throws Http2Exception {
    WindowSettings settings = new WindowSettings(4 * INITIAL, MIB, MIB, 16 * MIB);
    ReceiveFlow large = new ReceiveFlow(INITIAL, settings);
    large.connectionStart();
    FlowStream early = open(large, 1);
    large.received(early, INITIAL);
    assertThrows(Http2Exception.class, () -> large.received(early, 1));
    FlowStream other = open(large, 3);
    assertEquals(INITIAL, large.target());
    large.acknowledged(List.of(early, other));
    large.received(early, 3 * INITIAL);
    large.received(other, 4 * INITIAL);
    assertThrows(Http2Exception.class, () -> large.received(early, 1));
    large.received(open(large, 5), 4 * INITIAL);
    assertEquals(4 * INITIAL, large.target());
  }

  // ---- probe ----

  /// A sender that always fills the window.
  private long roundTrip(FlowStream s, long bytes, long now) throws Http2Exception {
    long left = bytes;
    while (left > 0) {
      int part = (int) Math.min(16_384, Math.min(left, s.receiveWindow));
      flow.received(s, part);
      flow.consumed(s, part);
      flow.connectionIncrement();
      left -= part;
      if (flow.wantsProbe(now)) {
        flow.probeSent(now);
      }
    }
    return now + 50_000_000;
  }

  @Test
  void windowGrowsToTheProductOfBandwidthAndDelay() throws Http2Exception {
    flow.connectionStart();
    long now = 0;
    for (int i = 0; i < 40; i++) {
      now = roundTrip(a, Math.min(4L * flow.target(), 300_000), now);
      flow.probeAcknowledged(now);
    }
    // 300,000 bytes a round trip: 2/3 of 262,140 arrive, 2/3 of 524,280 do not.
    assertEquals(8 * INITIAL, flow.target());
    assertEquals(8 * INITIAL, a.receiveLimit);
  }

  @Test
  void windowGrowsToTheMaximumOnly() throws Http2Exception {
    flow.connectionStart();
    long now = 0;
    int probes = 0;
    for (int i = 0; i < 100; i++) {
      now = roundTrip(a, 4 * MIB, now);
      int before = flow.target();
      flow.probeAcknowledged(now);
      probes += flow.target() > before ? 1 : 0;
    }
    assertEquals(MIB, flow.target());
    assertEquals(5, probes);
    assertFalse(flow.wantsProbe(now));
  }

  @Test
  void smallUploadsAreNotProbed() throws Http2Exception {
    flow.received(a, 32_000);
    assertFalse(flow.wantsProbe(0));
    flow.received(a, 1_000);
    assertTrue(flow.wantsProbe(0));
    flow.probeSent(0);
    assertFalse(flow.wantsProbe(0));
  }

  /// A steady slow upload for a day: 1 MiB a second at 10 ms.
  @Test
  void probesWithoutGrowthBecomeRare() throws Http2Exception {
    flow.connectionStart();
    int probes = 0;
    boolean pending = false;
    for (long ms = 0; ms < 86_400_000L / 10; ms += 10) {
      flow.received(a, 10_486);
      flow.consumed(a, 10_486);
      flow.connectionIncrement();
      if (pending) {
        flow.probeAcknowledged(ms * 1_000_000);
        pending = false;
      } else if (flow.wantsProbe(ms * 1_000_000)) {
        flow.probeSent(ms * 1_000_000);
        pending = true;
        probes++;
      }
    }
    assertEquals(INITIAL, flow.target());
    assertEquals(0, Math.max(0, probes - 100), "probes above a hundred");
  }

  @Test
  void growthOfAllStreamsIsBounded() throws Http2Exception {
    flow.connectionStart();
    long now = 0;
    for (int i = 0; i < 10; i++) {
      now = roundTrip(a, 4 * MIB, now);
      flow.probeAcknowledged(now);
    }
    FlowStream[] many = FlowStream.many(40);
    long sum = 0;
    for (FlowStream s : many) {
      flow.open(s);
      roundTrip(s, 2L * INITIAL, now);
      sum += s.receiveLimit - INITIAL;
    }
    assertTrue(sum <= WindowSettings.DEFAULT.maxGrowth());
    assertEquals(INITIAL, many[39].receiveLimit);
    for (FlowStream s : many) {
      flow.closed(s);
    }
    FlowStream last = open(flow, 1001);
    roundTrip(last, 2L * INITIAL, now);
    assertEquals(MIB, last.receiveLimit);
  }

  @Test
  void settingsAreChecked() {
    WindowSettings d = WindowSettings.DEFAULT;
    assertTrue(d.maxStreams() >= 100);
    assertThrows(
        IllegalArgumentException.class, () -> new WindowSettings(INITIAL - 1, MIB, MIB, 16 * MIB));
    assertThrows(
        IllegalArgumentException.class, () -> new WindowSettings(MIB, INITIAL, MIB, 16 * MIB));
    assertThrows(
        IllegalArgumentException.class, () -> new WindowSettings(INITIAL, MIB, MIB - 1, 16 * MIB));
    assertThrows(
        IllegalArgumentException.class, () -> new WindowSettings(INITIAL, MIB, MIB, MIB - 1));
    assertThrows(
        IllegalArgumentException.class, () -> new WindowSettings(MIB, MIB, MIB, 2 * MIB - 1));
  }
}

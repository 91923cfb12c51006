package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// CVE-2019-9512: a peer sends PING frames and does not read the acknowledgements.
final class PingFloodTest {

  private static final Attack PINGS = Attack.constant(Frame.ping(1), 5000);

  @Test
  void peerThatDoesNotReadIsDisconnected() throws Exception {
    try (Target target = new Target()) {
      Flood.Result result = new Flood(target, PINGS, Flood.Reading.NO).once(200);
      assertEquals("goaway 11", result.end());
    }
  }

  /// gRPC measures the bandwidth by a PING with each piece of a body.
  @Test
  void pingsAmongDataAreAnswered() throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      peer.send(Frame.headers(1, Fields.post("/length")));
      for (int i = 0; i < 2000; i++) {
        peer.send(Frame.data(1, 10), Frame.ping(i));
        Frame frame;
        while ((frame = peer.next()) != null && frame.type() != Frame.PING) {}
        assertEquals(i, frame == null ? -1 : frame.int32(4));
      }
      peer.send(Frame.data(1, 0).last());
      assertEquals("200", peer.outcome(1));
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("flood")
  void neighboursAreServedDuringTenSeconds(Flood.Reading reading) throws Exception {
    try (Target target = new Target()) {
      new Flood(target, PINGS, reading).sustained();
    }
  }
}

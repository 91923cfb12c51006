package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// CVE-2023-44487: a peer opens streams and resets them at once.
final class RapidResetTest {

  private static final int PER_BATCH = 500;
  private static final int CANCEL = 8;

  private static byte[] pairs(int batch) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < PER_BATCH; i++) {
      int stream = Attack.stream(batch, PER_BATCH, i);
      out.writeBytes(Frame.headers(stream, Fields.get("/hang")).last().bytes());
      out.writeBytes(Frame.reset(stream, CANCEL).bytes());
    }
    return out.toByteArray();
  }

  @Test
  void connectionIsClosedAndHandlersAreHardlyCalled() throws Exception {
    try (Target target = new Target()) {
      Flood.Result result = new Flood(target, RapidResetTest::pairs, Flood.Reading.YES).once(100);
      assertEquals("goaway 11", result.end());
      // Usually one read has both frames of a pair, so the stream never reaches the handler.
      assertTrue(target.calls() < 100, target.calls() + " calls");
      Target.eventually("no open exchange", () -> target.open() == 0);
    }
  }

  /// The peer waits until each request has reached its handler.
  @Test
  void resetsOfRunningRequestsAreBounded() throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      int requests = 0;
      boolean open = true;
      for (int stream = 1; open && requests < 5000; stream += 2) {
        peer.send(Frame.headers(stream, Fields.get("/hang")).last());
        open = peer.roundTrip();
        requests++;
        if (open) {
          open = peer.trySend(Frame.reset(stream, CANCEL).bytes());
        }
      }
      assertEquals("goaway 11", peer.end());
      assertTrue(requests <= 1000, requests + " requests");
      Target.eventually("no open exchange", () -> target.open() == 0);
      target.assertAnswers();
    }
  }

  @Test
  @Tag("flood")
  void neighboursAreServedDuringTenSeconds() throws Exception {
    try (Target target = new Target()) {
      new Flood(target, RapidResetTest::pairs, Flood.Reading.YES).sustained();
    }
  }
}

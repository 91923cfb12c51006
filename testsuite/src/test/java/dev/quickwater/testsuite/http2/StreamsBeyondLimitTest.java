package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// CVE-2026-47244: a peer opens more streams than it may, before it acknowledges the setting.
final class StreamsBeyondLimitTest {

  private static final int MAX = 100;
  private static final int PER_BATCH = 500;
  private static final String REFUSED = "reset 7";

  private static byte[] requests(int batch, int count) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      out.writeBytes(
          Frame.headers(Attack.stream(batch, count, i), Fields.get("/hang")).last().bytes());
    }
    return out.toByteArray();
  }

  /// Nothing is read before all streams are open, so no setting has been acknowledged.
  @Test
  void streamBeyondTheLimitIsRefused() throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      peer.send(requests(0, MAX + 1));
      assertEquals(REFUSED, peer.outcome(2 * MAX + 1));
      Target.eventually("all others", () -> target.calls() == MAX);
      assertEquals(MAX, target.open());
      peer.send(Frame.reset(1, 8));
      assertEquals("200", peer.get(2 * MAX + 3, "/plaintext"));
    }
  }

  /// A peer that does not read leaves as many refusals to write.
  @ParameterizedTest
  @EnumSource
  void thousandsBeyondTheLimitNeverReachTheHandler(Flood.Reading reading) throws Exception {
    try (Target target = new Target()) {
      Flood.Result result =
          new Flood(target, number -> requests(number, PER_BATCH), reading).once(100);
      assertTrue(result.end().equals("closed") || result.end().equals("goaway 11"), result.end());
      assertTrue(target.calls() <= MAX + 3, target.calls() + " calls"); // 3 of the neighbour
      Target.eventually("no open exchange", () -> target.open() == 0);
    }
  }

  /// RFC 9113 section 5.1.1.
  @Test
  void streamsNeverGoBack() throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      assertEquals("200", peer.get(5, "/plaintext"));
      peer.send(Frame.headers(3, Fields.get("/plaintext")).last());
      String end = peer.end();
      assertTrue(end.equals("goaway 1") || end.equals("goaway 5"), end);
      assertEquals(1, target.calls());
    }
  }

  @Test
  @Tag("flood")
  void neighboursAreServedDuringTenSeconds() throws Exception {
    try (Target target = new Target()) {
      new Flood(target, number -> requests(number, PER_BATCH), Flood.Reading.YES).sustained();
    }
  }
}

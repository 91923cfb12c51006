package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http2.BudgetSettings;
import dev.quickwater.http2.WindowSettings;
import org.junit.jupiter.api.Test;

/// What a server reads after GOAWAY. An uploading client that reads late receives the frame. A peer
/// that floods is disconnected after a small part of its bytes.
final class LastFrameTest {

  private static final int WINDOW = WindowSettings.DEFAULT.connection();
  private static final int PIECE = 16_384;

  @Test
  void clientThatUploadsItsWholeWindowBeforeItReadsReceivesGoAway() throws Exception {
    for (int round = 0; round < 20; round++) {
      try (Target target = new Target();
          RawPeer peer = target.connect()) {
        peer.send(Frame.headers(1, Fields.post("/pending")));
        peer.send(Frame.repeated(Frame.settings(), 200)); // exceeds the budget
        for (int sent = 0; sent < WINDOW; sent += PIECE) {
          peer.send(Frame.data(1, PIECE));
        }
        peer.finish();
        assertEquals("goaway 11", peer.end());
        Target.eventually("the close", () -> target.connections() == 0);
        assertEquals(null, target.trips().get("linger.bytes"));
      }
    }
  }

  @Test
  void floodIsDisconnectedAfterASmallPartOfItsBytes() throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      byte[] batch = Frame.repeated(Frame.ping(1), 5000);
      long sent = 0;
      while (sent < 64 << 20 && peer.trySend(batch)) {
        sent += batch.length;
      }
      Target.eventually("the close", () -> target.connections() == 0);
      // The buffers of the two sockets hold some megabytes more than the server reads.
      long max = WINDOW + BudgetSettings.Linger.DEFAULT.bytes() + (16 << 20);
      assertTrue(sent < max, "sent " + sent);
      assertEquals(1L, target.trips().get("linger.bytes"));
    }
  }
}

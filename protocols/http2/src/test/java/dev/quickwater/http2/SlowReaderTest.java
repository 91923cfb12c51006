package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A peer that accepts a response slowly, but makes progress within the idle timeout.
final class SlowReaderTest {

  private static final String[] HEAD = {
    ":method: GET", ":scheme: http", ":path: /", ":authority: server.test"
  };

  private static final HttpResponse LARGE =
      HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, new byte[1 << 20]);

  @Test
  void isResetBelowMinSendRate() throws Exception {
    try (TunnelPeer peer = new TunnelPeer(x -> x.respond(LARGE))) {
      peer.initialWindow(0);
      peer.request(1, HEAD).end(1);
      peer.answers();
      boolean reset = false;
      for (int i = 0; i < 60 && !reset; i++) {
        peer.window(1, 1);
        peer.advance(Duration.ofSeconds(10));
        reset = peer.answers(1).contains("reset 1 CANCEL");
      }
      assertEquals(true, reset, "one byte in 10 s");
    }
  }

  @Test
  void continuesAtMinSendRate() throws Exception {
    try (TunnelPeer peer = new TunnelPeer(x -> x.respond(LARGE))) {
      peer.initialWindow(0);
      peer.request(1, HEAD).end(1);
      peer.answers();
      for (int i = 0; i < 100; i++) {
        peer.window(1, 300);
        peer.advance(Duration.ofSeconds(1));
        List<String> answers = peer.answers(1);
        assertFalse(answers.contains("reset 1 CANCEL"), answers.toString());
      }
    }
  }
}

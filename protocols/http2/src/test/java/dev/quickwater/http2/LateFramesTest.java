package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.ResetCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Frames of streams that the server has refused or reset, which the client sent before it was
/// notified.
final class LateFramesTest {

  private static final String[] HEAD = {
    ":method: POST", ":scheme: http", ":path: /", ":authority: server.test"
  };

  private final List<HttpExchange> exchanges = new ArrayList<>();

  /// RFC 9113 section 6.8.
  @Test
  void requestWithABodyAboveTheLastStreamDoesNotEndOthers() throws Exception {
    try (TunnelPeer peer = new TunnelPeer(exchanges::add)) {
      peer.request(1, HEAD);
      exchanges.getFirst().connection().drain();
      assertTrue(peer.answers().stream().anyMatch(line -> line.startsWith("goaway ")));
      peer.advance(java.time.Duration.ofSeconds(2)); // the final GOAWAY, which names stream 1
      peer.request(3, HEAD).data(3, "abc").end(3);
      peer.request(5, HEAD).reset(5, ErrorCode.CANCEL).window(5, 10);
      List<String> answers = peer.answers();
      assertTrue(
          answers.stream().noneMatch(line -> line.contains("PROTOCOL_ERROR")), answers.toString());
      exchanges.getFirst().respond(HttpResponse.text("done"));
      assertTrue(peer.answers(1).contains("data 1 done end padding 0"));
      assertEquals(1, exchanges.size());
    }
  }

  /// As many streams as a busy connection closes within a round trip.
  @Test
  void bodyOfAResetStreamIsDroppedAlthoughManyStreamsHaveClosedSince() throws Exception {
    try (TunnelPeer peer =
        new TunnelPeer(x -> {
          if (exchanges.isEmpty()) {
            exchanges.add(x);
          } else {
            x.respond(HttpResponse.text("a"));
          }
        })) {
      peer.request(1, HEAD);
      exchanges.getFirst().reset(ResetCode.CANCEL);
      for (int stream = 3; stream < 1000; stream += 2) {
        peer.request(stream, HEAD).end(stream);
      }
      peer.answers();
      peer.data(1, "abc").end(1);
      assertEquals(List.of(), peer.answers());
      assertTrue(peer.isConnected());
    }
  }

  /// The same header block twice: first with END_STREAM, which CONNECT does not allow.
  @Test
  void faultOfARefusedRequestIsNotThatOfItsRepetition() throws Exception {
    try (TunnelPeer peer = new TunnelPeer(exchanges::add)) {
      String[] connect = {":method: CONNECT", ":authority: origin.test:443"};
      byte[] block = Blocks.encode(new HpackEncoder(0), List.of(connect));
      peer.send(Frame.of(Frames.HEADERS, Frames.END_HEADERS | Frames.END_STREAM, 1, block));
      peer.send(Frame.of(Frames.HEADERS, Frames.END_HEADERS, 3, block));
      assertTrue(peer.answers(1).contains("reset 1 PROTOCOL_ERROR"));
      assertEquals(1, exchanges.size());
    }
  }
}

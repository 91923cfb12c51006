package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Responses that wait for the window of the connection leave in the order of their priorities (RFC
/// 9218).
final class ServerPriorityTest {

  private static final int SIZE = Windows.PROTOCOL_INITIAL;
  private static final HttpResponse RESPONSE =
      HttpResponse.of(HttpStatus.OK, HttpHeaders.EMPTY, new byte[SIZE]);

  private final TunnelPeer peer = new TunnelPeer(x -> x.respond(RESPONSE));

  @AfterEach
  void close() {
    peer.close();
  }

  private void request(int stream, String priority) {
    String[] head = {":method: GET", ":scheme: http", ":path: /", ":authority: server.test"};
    if (priority.isEmpty()) {
      peer.request(stream, head);
    } else {
      peer.request(stream, head[0], head[1], head[2], head[3], "priority: " + priority);
    }
  }

  private void update(int stream, String priority) {
    byte[] text = Blocks.bytes(priority);
    byte[] payload = new byte[4 + text.length];
    payload[3] = (byte) stream;
    System.arraycopy(text, 0, payload, 4, text.length);
    peer.send(Frame.of(Frames.PRIORITY_UPDATE, 0, 0, payload));
  }

  /// Opens the window for one more response, and returns the streams of the DATA frames that
  /// follow.
  private List<Integer> next() throws Http2Exception {
    peer.answers();
    peer.window(0, SIZE);
    return peer.answers().stream()
        .filter(line -> line.startsWith("data "))
        .map(line -> Integer.valueOf(line.split(" ", 3)[1]))
        .distinct()
        .sorted()
        .toList();
  }

  @Test
  void fieldsOfRequestsOrderTheResponses() throws Http2Exception {
    request(1, ""); // uses up the window
    request(3, "u=7");
    request(5, "u=0");
    request(7, "u=3");
    request(9, "u=0");
    assertEquals(List.of(5), next());
    assertEquals(List.of(9), next());
    assertEquals(List.of(7), next());
    assertEquals(List.of(3), next());
  }

  @Test
  void updatesChangeTheOrder() throws Http2Exception {
    request(1, "");
    request(3, "u=5");
    request(5, "u=4");
    update(3, "u=1");
    assertEquals(List.of(3), next());
    assertEquals(List.of(5), next());
  }

  @Test
  void incrementalResponsesShare() throws Http2Exception {
    request(1, "");
    request(3, "i");
    request(5, "i");
    assertEquals(List.of(3, 5), next());
    assertEquals(List.of(3, 5), next());
  }

  @Test
  void withoutPrioritiesAllShare() throws Http2Exception {
    request(1, "");
    request(3, "");
    request(5, "");
    assertEquals(List.of(3, 5), next());
    assertEquals(List.of(3, 5), next());
  }
}

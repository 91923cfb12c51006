package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.allocation.Heaps;
import dev.quickwater.common.Future;
import dev.quickwater.http.ClientConnection;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.RequestHead;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The n-th allocation of a client's connection fails, for every n: the server receives whole
/// frames, and no frame of a stream before its head.
final class ClientAllocationFaultTest {

  private static final RequestHead GET = RequestHead.get("http://a/");
  private static final RequestHead UPLOAD =
      RequestHead.builder(HttpMethod.POST, "http://a/")
          .contentLength(RequestHead.UNKNOWN_LENGTH)
          .build();
  private static final RequestHead LONG =
      RequestHead.builder(HttpMethod.GET, "http://a/").add("x-long", "{".repeat(40_000)).build();

  private static void use(ClientConnection connection, RequestHead head) {
    Future<ClientExchange> opened = connection.open(head);
    if (opened.isSuccess() && head == UPLOAD) {
      try {
        opened.value().requestBody().write(ByteBuf.wrap(new byte[100]));
        opened.value().requestBody().end();
      } catch (OutOfMemoryError _) {
        // the caller of the write receives the fault
      }
    }
  }

  private static boolean run(RequestHead head, int at) throws Exception {
    int[] left = {at};
    try (ServerPeer server = new ServerPeer(Http2Settings.DEFAULT)) {
      List<String> begin = server.received();
      assertTrue(!begin.isEmpty());
      Heaps.probe(() -> {
        if (--left[0] == 0) {
          throw new OutOfMemoryError("the fault of this test");
        }
      });
      use(server.client.connection(), head);
      Heaps.probe(null);
      List<String> frames = server.received(1);
      if (!frames.isEmpty()) {
        assertTrue(frames.getFirst().startsWith("headers 1"), "allocation " + at + ": " + frames);
      }
      if (server.isConnected()) {
        use(server.client.connection(), GET);
        List<String> all = server.received();
        assertEquals(
            1,
            all.stream().filter(line -> line.startsWith("headers ")).count(),
            "allocation " + at + ": " + all);
      }
    }
    return left[0] <= 0;
  }

  @Test
  void everyFailedAllocationLeavesWholeFrames() throws Exception {
    for (RequestHead head : List.of(GET, UPLOAD, LONG)) {
      int at = 1;
      while (run(head, at)) {
        at++;
      }
      assertTrue(at > 1, "the script allocates " + (at - 1) + " times");
    }
  }
}

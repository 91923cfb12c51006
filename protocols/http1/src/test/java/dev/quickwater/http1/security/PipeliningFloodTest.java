package dev.quickwater.http1.security;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http1.Parsing;
import dev.quickwater.http1.TestServer;
import org.junit.jupiter.api.Test;

/// A million pipelined requests from a peer that never reads: the memory of the connection stays
/// flat (CVE-2026-93491, -59899).
final class PipeliningFloodTest {

  private static final int REQUESTS = 1_000_000;
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final int IN_ONE_READ = 2000;

  private static long flood(TestServer server) {
    byte[] batch = Parsing.bytes(GET.repeat(IN_ONE_READ));
    long most = 0;
    server.peer.setWindow(0);
    for (int sent = 0; sent < REQUESTS && server.peer.isReading(); sent += IN_ONE_READ) {
      server.peer.send(ByteBuf.wrap(batch));
      most = Math.max(most, held(server));
    }
    assertFalse(server.peer.isReading(), "the flood is still being read");
    return most;
  }

  private static long held(TestServer server) {
    return server.peer.loop().allocator().metrics().used();
  }

  @Test
  void answersThatNobodyReadsStopTheReading() {
    try (TestServer server = TestServer.paths()) {
      long held = flood(server);
      assertTrue(held < 512 << 10, held + " bytes held");
      assertTrue(server.exchanges.size() < 10_000, server.exchanges.size() + " requests begun");
    }
  }

  @Test
  void exchangeThatIsNeverAnsweredStopsTheReading() {
    try (TestServer server = TestServer.manual()) {
      long held = flood(server);
      assertTrue(held < 512 << 10, held + " bytes held");
      assertTrue(server.exchanges.size() == 1);
    }
  }

  @Test
  void millionRequestsThatAreReadAreAllAnswered() {
    int[] answered = {0};
    try (TestServer server =
        new TestServer(x -> {
          answered[0]++;
          x.respond(HttpResponse.text("x"));
        })) {
      byte[] batch = Parsing.bytes(GET.repeat(IN_ONE_READ));
      long most = 0;
      for (int sent = 0; sent < REQUESTS; sent += IN_ONE_READ) {
        server.peer.send(ByteBuf.wrap(batch));
        server.peer.takeSent();
        server.exchanges.clear();
        most = Math.max(most, held(server));
      }
      assertTrue(answered[0] == REQUESTS, answered[0] + " answered");
      assertTrue(most < 512 << 10, most + " bytes held");
    }
  }
}

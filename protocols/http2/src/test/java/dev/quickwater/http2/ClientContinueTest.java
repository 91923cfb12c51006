package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.common.Future;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.RequestHead;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The body of a request that expects 100 (Continue), RFC 9110 section 10.1.1.
final class ClientContinueTest {

  private final ServerPeer server = new ServerPeer(Http2Settings.DEFAULT);

  @AfterEach
  void close() {
    server.close();
  }

  private ClientExchange expecting() throws Exception {
    ClientExchange x =
        server.open(
            RequestHead.builder(HttpMethod.POST, "http://a/")
                .add("expect", "100-continue")
                .contentLength(3)
                .build());
    x.requestBody().write(ByteBuf.wrap(Blocks.bytes("abc")));
    x.requestBody().end();
    assertEquals(List.of("headers 1"), server.received(1));
    return x;
  }

  @Test
  void requestWithoutContentHasNoExpectation() throws Exception {
    RequestHead plain = RequestHead.builder(HttpMethod.PUT, "http://a/").build();
    RequestHead expecting = plain.toBuilder().add("expect", "100-continue").build();
    RequestHead streamed = expecting.toBuilder().contentLength(RequestHead.UNKNOWN_LENGTH).build();
    for (RequestHead head : List.of(expecting, streamed)) {
      assertEquals(first(plain), first(head));
    }
  }

  /// The frames of a request whose body is empty, the first one of a connection.
  private static List<String> first(RequestHead head) throws Exception {
    try (ServerPeer peer = new ServerPeer(Http2Settings.DEFAULT)) {
      peer.open(head).requestBody().end();
      return peer.received();
    }
  }

  @Test
  void bodyIsSentAfter100() throws Exception {
    expecting();
    server.headers(1, ":status: 100");
    assertEquals(List.of("data 1 abc end padding 0"), server.received(1));
  }

  /// The server reads the body while it responds.
  @Test
  void bodyIsSentAfterTheHeadOfASuccessfulResponse() throws Exception {
    ClientExchange x = expecting();
    Future<byte[]> all = x.readAll(10);
    server.headers(1, ":status: 200");
    assertEquals(List.of("data 1 abc end padding 0"), server.received(1));
    server.lastData(1, "xyz");
    assertEquals("xyz", Blocks.latin(all.value()));
    assertEquals(List.of(), server.received(1));
    assertEquals(0, server.client.engine().streamCount());
  }

  @Test
  void bodyIsWritableAfterTheHeadOfASuccessfulResponse() throws Exception {
    ClientExchange x =
        server.open(
            RequestHead.builder(HttpMethod.POST, "http://a/")
                .add("expect", "100-continue")
                .contentLength(RequestHead.UNKNOWN_LENGTH)
                .build());
    x.requestBody().flush();
    assertFalse(x.requestBody().isWritable());
    server.headers(1, ":status: 200");
    assertTrue(x.requestBody().isWritable());
  }

  @Test
  void refusalDropsTheBodyAndItsEndResetsTheStream() throws Exception {
    ClientExchange x = expecting();
    Future<byte[]> all = x.readAll(10);
    server.headers(1, ":status: 403");
    assertEquals(List.of(), server.received(1));
    server.lastData(1, "no");
    assertEquals("no", Blocks.latin(all.value()));
    assertEquals(List.of("reset 1 CANCEL"), server.received(1));
  }

  @Test
  void successfulResponseThatHasEndedDropsTheBody() throws Exception {
    ClientExchange x = expecting();
    Future<byte[]> all = x.readAll(10);
    server.lastHeaders(1, ":status: 200");
    assertEquals(0, all.value().length);
    assertEquals(List.of("reset 1 CANCEL"), server.received(1));
  }
}

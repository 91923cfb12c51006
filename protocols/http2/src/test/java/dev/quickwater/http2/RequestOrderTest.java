package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.common.Future;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The head of a request leaves with the first bytes of its body. The ids of streams increase in
/// the order in which heads are sent, not in which exchanges are opened (RFC 9113 section 5.1.1).
final class RequestOrderTest {

  private static final RequestHead UPLOAD =
      RequestHead.builder(HttpMethod.POST, "http://a/upload")
          .contentLength(RequestHead.UNKNOWN_LENGTH)
          .build();

  private final List<Outcome> outcomes = new ArrayList<>();

  private ClientExchange open(TunnelPair pair, RequestHead head) {
    Future<ClientExchange> opened = pair.client.connection().open(head);
    pair.run();
    ClientExchange exchange = opened.value();
    exchange.onEnd(outcomes::add);
    return exchange;
  }

  private static ClientExchange open(TunnelPair pair, RequestHead head, List<Outcome> to) {
    Future<ClientExchange> opened = pair.client.connection().open(head);
    pair.run();
    opened.value().onEnd(to::add);
    return opened.value();
  }

  @Test
  void laterExchangeMaySendItsHeadFirst() throws Exception {
    try (TunnelPair pair =
        new TunnelPair(x ->
            x.readAll(100).onComplete(_ -> x.respond(HttpResponse.text(x.request().path()))))) {
      ClientExchange upload = open(pair, UPLOAD);
      Future<byte[]> later = open(pair, RequestHead.get("http://a/later")).readAll(100);
      pair.run();
      assertEquals("/later", Blocks.latin(later.value()));
      Future<byte[]> first = upload.readAll(100);
      upload.requestBody().write(ByteBuf.wrap(new byte[10]));
      upload.requestBody().end();
      pair.run();
      assertTrue(first.isSuccess(), () -> "upload " + first.cause());
      assertEquals("/upload", Blocks.latin(first.value()));
      assertTrue(pair.client.canOpen());
    }
  }

  /// Neither request was sent, so both can be repeated.
  @Test
  void exchangesWithoutASentHeadAreUnprocessedAtAGoAway() throws Exception {
    try (TunnelPair pair = new TunnelPair(x -> x.connection().drain())) {
      List<Outcome> unsent = new ArrayList<>();
      open(pair, UPLOAD, unsent);
      ClientExchange running = open(pair, RequestHead.get("http://a/drain"));
      pair.run();
      pair.advance(java.time.Duration.ofSeconds(2));
      assertEquals(1, unsent.size());
      assertTrue(unsent.getFirst().isUnprocessed(), unsent.toString());
      assertEquals(List.of(), outcomes);
      running.reset(ResetCode.CANCEL);
      pair.run();
    }
  }
}

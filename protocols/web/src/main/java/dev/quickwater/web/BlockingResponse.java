package dev.quickwater.web;

import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http.engine.BodyInputStream;
import java.io.InputStream;

/// A response whose body one thread reads while it arrives. The caller must close the response.
public final class BlockingResponse implements AutoCloseable {

  private final ClientExchange exchange;
  private final ResponseHead head;
  private final BodyInputStream body;

  BlockingResponse(ClientExchange exchange, ResponseHead head, BodyInputStream body) {
    this.exchange = exchange;
    this.head = head;
    this.body = body;
  }

  /// The head.
  public ResponseHead head() {
    return head;
  }

  /// The body. Reading it to the end returns the connection to the pool. A read throws an
  /// [java.io.IOException] if the body is incomplete.
  public InputStream body() {
    return body;
  }

  /// The trailers; empty before the end of the body was read.
  public HttpHeaders trailers() {
    return body.trailers();
  }

  /// Releases all resources. If the body was not read to its end, the exchange is reset.
  @Override
  public void close() {
    BlockingClient.reset(exchange); // no effect after the end
    body.handlerReturned(false);
  }
}

package dev.quickwater.cli;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;

/// Sends a request's body back as it comes in. What the peer does not read is not read from it
/// either, so that any length passes through a few buffers.
final class Echo implements BodyReader {

  private final HttpExchange exchange;

  Echo(HttpExchange exchange) {
    this.exchange = exchange;
    exchange.onWritable(exchange::resume);
  }

  @Override
  public void data(ByteBuf bytes) {
    exchange.write(bytes);
    if (!exchange.isWritable()) {
      exchange.flush();
      if (!exchange.isWritable()) {
        exchange.pause();
      }
    }
  }

  @Override
  public void end(HttpHeaders trailers) {
    exchange.end();
  }
}

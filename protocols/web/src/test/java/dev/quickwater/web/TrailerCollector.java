package dev.quickwater.web;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpHeaders;
import java.util.List;

/// Reads the body of a response to its end and adds its trailers to a list.
final class TrailerCollector implements BodyReader {

  private final ClientExchange exchange;
  private final List<HttpHeaders> trailers;

  TrailerCollector(ClientExchange exchange, List<HttpHeaders> trailers) {
    this.exchange = exchange;
    this.trailers = trailers;
  }

  @Override
  public void data(ByteBuf piece) {
    piece.release();
    exchange.responseBody().read(this);
  }

  @Override
  public void end(HttpHeaders fields) {
    trailers.add(fields);
  }
}

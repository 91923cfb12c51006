package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Records the events of a client's exchange, in order.
final class ClientLog implements BodyReader {

  final ClientExchange exchange;
  final List<String> events = new ArrayList<>();
  @Nullable Outcome outcome;
  private final StringBuilder body = new StringBuilder();
  private boolean readsAll;

  ClientLog(ClientExchange exchange) {
    this.exchange = exchange;
    exchange.onInform((status, headers) -> events.add(status.code() + " " + headers));
    exchange.onResponse(head -> events.add("head " + head.status().code()));
    exchange.onEnd(end -> {
      outcome = end;
      events.add(end.kind() + (end.code().ordinal() == 0 ? "" : " " + end.code()));
    });
  }

  ClientLog readAll() {
    readsAll = true;
    exchange.responseBody().read(this);
    return this;
  }

  ClientLog read() {
    exchange.responseBody().read(this);
    return this;
  }

  String body() {
    return body.toString();
  }

  String last() {
    return events.isEmpty() ? "" : events.getLast();
  }

  Outcome outcome() {
    if (outcome == null) {
      throw new AssertionError("the exchange has not ended: " + events);
    }
    return outcome;
  }

  /// All events, without the borders between pieces of the body.
  String summary() {
    return events + " " + body;
  }

  @Override
  public void data(ByteBuf bytes) {
    body.append(bytes.toString(StandardCharsets.ISO_8859_1));
    bytes.release();
    if (readsAll) {
      exchange.responseBody().read(this);
    }
  }

  @Override
  public void end(HttpHeaders trailers) {
    events.add("end" + (trailers.size() == 0 ? "" : " " + trailers));
  }

  @Override
  public void failed(Exception cause) {
    events.add("failed");
  }
}

package dev.quickwater.web;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.ExchangeEndedException;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http.engine.EngineAccess;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Sends a whole request on an exchange, and collects the whole response. Loop only.
final class WholeExchange {

  private final ClientExchange exchange;
  private final Promise<HttpResponse> promise;
  private @Nullable ResponseHead head;

  private WholeExchange(ClientExchange exchange) {
    this.exchange = exchange;
    this.promise = exchange.loop().newPromise();
  }

  /// Sends `request`, whose head is that of `exchange`.
  ///
  /// @return fails with an [ExchangeEndedException] if the exchange ends early
  static Future<HttpResponse> send(ClientExchange exchange, HttpRequest request) {
    WholeExchange whole = new WholeExchange(exchange);
    whole.start(request);
    return whole.promise;
  }

  private void start(HttpRequest request) {
    exchange.onResponse(received -> head = received);
    exchange.onEnd(outcome -> {
      if (!promise.isDone()) {
        promise.tryFailure(new ExchangeEndedException(outcome));
      }
    });
    int max = (int) Math.min(exchange.limits().maxBody(), Integer.MAX_VALUE - 8);
    exchange.readAll(max).onComplete(this::collected);
    byte[] body = request.bytes(EngineAccess.GRANTED);
    if (body.length > 0) {
      exchange.requestBody().write(ByteBuf.wrap(body));
      exchange.requestBody().end();
    }
  }

  private void collected(Future<byte[]> body) {
    if (body.isSuccess()) {
      promise.trySuccess(
          HttpResponse.received(EngineAccess.GRANTED, Objects.requireNonNull(head), body.value()));
    }
  }
}

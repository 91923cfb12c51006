package dev.quickwater.web;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.common.Timer;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.ExchangeEndedException;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.engine.EngineAccess;
import java.io.IOException;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;

/// One whole request with its redirects and repetitions.
///
/// A request is repeated if its connection ended and either the server cannot have processed it, or
/// its method is idempotent (RFC 9110 section 9.2.2). A request that expects 100 (Continue), and
/// whose expectation the server does not support, is repeated without it. All exchanges of one call
/// use one loop. Loop only.
final class Sending {

  /// A request that the server has not processed is repeated up to `maxRepeats` times this number.
  /// A server that closes each connection after a few requests refuses the requests in flight,
  /// possibly many times in a row.
  private static final int UNPROCESSED = 20;

  private final LoopPool pool;
  private final HttpClientSettings.RequestRules rules;
  private final Promise<HttpResponse> promise;
  private HttpRequest request;
  private int redirects;
  private int repeats;

  /// The number of repetitions after the server had not processed the request.
  private int refusals;

  private @Nullable Future<ClientExchange> opening;
  private @Nullable ClientExchange exchange;
  private @Nullable Timer timer;

  Sending(
      LoopPool pool,
      HttpClientSettings.RequestRules rules,
      HttpRequest request,
      Promise<HttpResponse> promise) {
    this.pool = pool;
    this.rules = rules;
    this.request = request;
    this.promise = promise;
  }

  void start() {
    if (promise.isDone()) {
      return;
    }
    EventLoop loop = pool.loop();
    if (!rules.timeout().isZero()) {
      timer = loop.schedule(this::timedOut, rules.timeout());
    }
    promise.onComplete(this::done);
    attempt();
  }

  private void timedOut() {
    promise.tryFailure(
        new SocketTimeoutException(request + " took longer than timeout, " + rules.timeout()));
  }

  private void done(Future<HttpResponse> result) {
    if (timer != null) {
      timer.cancel();
    }
    if (!result.isSuccess()) {
      if (opening != null) {
        opening.cancel();
      }
      if (exchange != null) {
        exchange.reset(ResetCode.CANCEL);
      }
    }
  }

  private void attempt() {
    Promise<ClientExchange> next = pool.loop().newPromise();
    opening = next;
    exchange = null;
    next.onComplete(this::opened);
    pool.acquire(request.head(), next);
  }

  private void opened(Future<ClientExchange> result) {
    opening = null;
    if (!result.isSuccess()) {
      if (!result.isCancelled() && result.cause() != null) {
        failed(result.cause());
      }
      return;
    }
    ClientExchange opened = result.value();
    if (promise.isDone()) {
      opened.reset(ResetCode.CANCEL);
      return;
    }
    exchange = opened;
    WholeExchange.send(opened, request)
        .onComplete(response -> {
          if (response.isSuccess()) {
            answered(response.value());
          } else if (response.cause() != null) {
            failed(response.cause());
          }
        });
  }

  private void answered(HttpResponse response) {
    if (refusesExpectation(response)) {
      request = withoutExpectation();
      if (!promise.isDone()) {
        attempt();
      }
      return;
    }
    @Nullable HttpRequest next;
    try {
      next = Redirects.next(request, response);
    } catch (IOException e) {
      promise.tryFailure(e);
      return;
    }
    if (next == null || redirects == rules.maxRedirects()) {
      promise.trySuccess(response);
    } else if (!promise.isDone()) {
      redirects++;
      repeats = 0;
      refusals = 0;
      request = next;
      attempt();
    }
  }

  /// RFC 9110 section 10.1.1: the chain of servers does not support expectations.
  private boolean refusesExpectation(HttpResponse response) {
    return response.status().equals(HttpStatus.EXPECTATION_FAILED)
        && request.head().headers().containsToken(HeaderName.EXPECT, "100-continue");
  }

  private HttpRequest withoutExpectation() {
    return HttpRequest.of(
        request.head().toBuilder().remove(HeaderName.EXPECT).build(),
        request.bytes(EngineAccess.GRANTED));
  }

  private void failed(Throwable cause) {
    boolean unprocessed = isUnprocessed(cause);
    int limit = unprocessed ? UNPROCESSED * rules.maxRepeats() : rules.maxRepeats();
    if ((unprocessed ? refusals++ : repeats++) < limit
        && (unprocessed || isRepeatable(cause))
        && !promise.isDone()) {
      attempt();
    } else {
      promise.tryFailure(cause);
    }
  }

  private static boolean isUnprocessed(Throwable cause) {
    return cause instanceof ExchangeEndedException ended && ended.outcome().isUnprocessed();
  }

  private boolean isRepeatable(Throwable cause) {
    return cause instanceof ExchangeEndedException ended
        && ended.outcome().kind() == Outcome.Kind.PEER_GONE
        && request.head().method().isIdempotent();
  }
}

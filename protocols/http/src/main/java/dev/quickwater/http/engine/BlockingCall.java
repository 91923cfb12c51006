package dev.quickwater.http.engine;

import dev.quickwater.common.AttributeKey;
import dev.quickwater.http.BlockingExchange;
import dev.quickwater.http.BlockingHandler;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpConnection;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.PathParams;
import dev.quickwater.http.RequestHead;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// One call of a blocking handler on its virtual thread.
public final class BlockingCall implements BlockingExchange {

  private final HttpExchange exchange;
  private final BodyInputStream body;
  private final @Nullable PathParams params;

  private BlockingCall(HttpExchange exchange) {
    this.exchange = exchange;
    this.body = new BodyInputStream(exchange, exchange.requestBody());
    this.params = exchange.attribute(PathParams.KEY);
  }

  /// Calls `handler` on a virtual thread; `done` runs when it has returned.
  public static void start(HttpExchange exchange, BlockingHandler handler, Runnable done) {
    Thread thread;
    try {
      BlockingCall call = new BlockingCall(exchange);
      thread = Thread.ofVirtual().unstarted(() -> call.run(handler, done));
      exchange.onEnd(outcome -> call.ended(outcome, thread));
    } catch (Throwable t) {
      done.run();
      throw t;
    }
    thread.start();
  }

  private void run(BlockingHandler handler, Runnable done) {
    boolean streams = false;
    try {
      HttpResponse response =
          Objects.requireNonNull(handler.handle(this), "the handler returned no response");
      streams = response.body() instanceof ResponseBody.Stream;
      onLoop(() -> exchange.respond(response));
    } catch (Throwable t) {
      Throwable cause = t instanceof IOException && t.getCause() instanceof HttpException h ? h : t;
      onLoop(() -> exchange.fail(cause));
    } finally {
      done.run();
      body.handlerReturned(streams);
    }
  }

  private void ended(Outcome outcome, Thread thread) {
    body.exchangeEnded(outcome);
    if (!outcome.isCompleted()) {
      thread.interrupt();
    }
  }

  private void onLoop(Runnable task) {
    try {
      exchange.execute(task);
    } catch (RejectedExecutionException e) {
      AbstractExchange.LOG.log(System.Logger.Level.DEBUG, "the loop of an exchange has ended", e);
    }
  }

  @Override
  public RequestHead request() {
    return exchange.request();
  }

  @Override
  public HttpConnection connection() {
    return exchange.connection();
  }

  @Override
  public <T> @Nullable T attribute(AttributeKey<T> key) {
    return exchange.attribute(key);
  }

  @Override
  public String param(String name) {
    if (params == null) {
      throw new IllegalArgumentException(
          "no route with parameters matched, but the parameter " + name + " was requested");
    }
    return params.get(name);
  }

  @Override
  public InputStream body() {
    return body;
  }

  @Override
  public HttpHeaders trailers() {
    return body.trailers();
  }

  @Override
  public void limits(ExchangeLimits limits) {
    onLoop(() -> exchange.limits(limits));
  }

  @Override
  public void inform(HttpStatus status, HttpHeaders headers) {
    onLoop(() -> exchange.inform(status, headers));
  }
}

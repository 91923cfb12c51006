package dev.quickwater.web;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.http.BlockingHandler;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Runs a blocking handler on a virtual thread for each request and brings its answer back to the
/// loop.
final class BlockingAdapter implements HttpHandler {

  private static final System.Logger LOG = System.getLogger(BlockingAdapter.class.getName());

  private final BlockingHandler handler;
  private final int most;
  private final AtomicInteger running = new AtomicInteger();

  BlockingAdapter(BlockingHandler handler, int most) {
    this.handler = handler;
    this.most = most;
  }

  @Override
  public void handle(HttpExchange exchange) {
    if (running.incrementAndGet() > most) {
      running.decrementAndGet();
      exchange.respond(
          HttpResponse.text(
              HttpStatus.SERVICE_UNAVAILABLE,
              "more requests than maxBlocking, which is " + most + "\n"));
      return;
    }
    BodyStream body = new BodyStream(exchange);
    exchange.onAbort(body::abort);
    try {
      Thread.startVirtualThread(() -> run(exchange, body));
    } catch (Throwable t) {
      running.decrementAndGet();
      throw t;
    }
  }

  private void run(HttpExchange exchange, BodyStream body) {
    HttpResponse response;
    try {
      response =
          Objects.requireNonNull(
              handler.handle(exchange.request(), body), "the handler returned no response");
    } catch (Throwable t) {
      LOG.log(System.Logger.Level.WARNING, "a handler threw for " + exchange.request(), t);
      response = HttpResponse.text(HttpStatus.INTERNAL_SERVER_ERROR, "internal error\n");
    } finally {
      running.decrementAndGet();
    }
    answer(exchange, body, response);
  }

  private static void answer(HttpExchange exchange, BodyStream body, HttpResponse response) {
    EventLoop loop = exchange.channel().loop();
    try {
      loop.execute(() -> {
        body.finish();
        try {
          exchange.respond(response);
        } catch (RuntimeException e) {
          LOG.log(System.Logger.Level.WARNING, "the response of a handler was refused", e);
          exchange.reset();
        }
      });
    } catch (RejectedExecutionException _) {
      body.finish();
      @Nullable ByteBuf content = response.content();
      if (content != null) {
        content.release();
      }
    }
  }
}

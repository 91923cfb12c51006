package dev.quickwater.web;

import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.http.BodyWriter;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.ExchangeEndedException;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http.engine.BodyInputStream;
import dev.quickwater.http.engine.EngineAccess;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// An [HttpClient] for threads that may block, preferably virtual threads. On the thread of a loop
/// every method throws [IllegalStateException]. An interrupt cancels the request.
public final class BlockingClient {

  private static final byte[] NO_BODY = {};

  /// The maximum number of bytes of a redirect's body that are read to keep the connection.
  private static final int MAX_DISCARD = 64 << 10;

  private final HttpClient client;

  BlockingClient(HttpClient client) {
    this.client = client;
  }

  /// Sends a GET; see [HttpClient#get].
  ///
  /// @throws IOException if there is no whole response
  public HttpResponse get(String uri) throws IOException {
    return await(client.get(uri));
  }

  /// Sends a request; see [HttpClient#send].
  ///
  /// @throws IOException if there is no whole response
  public HttpResponse send(HttpRequest request) throws IOException {
    return await(client.send(request));
  }

  /// Opens an exchange without a request body and waits for the head of the response. Redirects are
  /// followed, and the request is repeated if the connection ended before the server processed it.
  ///
  /// @throws IOException if there is no response
  /// @throws IllegalArgumentException if `head` announces a body
  public BlockingResponse open(RequestHead head) throws IOException {
    if (head.contentLength() != 0) {
      throw new IllegalArgumentException(head + " announces a body, which needs a writer");
    }
    HttpRequest request = HttpRequest.of(head, NO_BODY);
    for (int redirects = 0; ; redirects++) {
      BlockingResponse response = openRepeatedly(request.head());
      @Nullable HttpRequest next = null;
      try {
        next =
            redirects == client.settings().requests().maxRedirects()
                ? null
                : Redirects.next(
                    request, HttpResponse.received(EngineAccess.GRANTED, response.head(), NO_BODY));
      } catch (IOException e) {
        response.close();
        throw e;
      }
      if (next == null) {
        return response;
      }
      discard(response);
      request = next;
    }
  }

  private BlockingResponse openRepeatedly(RequestHead head) throws IOException {
    for (int repeats = 0; ; repeats++) {
      try {
        return open(head, _ -> {});
      } catch (IOException e) {
        boolean unprocessed =
            e.getCause() instanceof ExchangeEndedException ended && ended.outcome().isUnprocessed();
        if (!unprocessed || repeats == client.settings().requests().maxRepeats()) {
          throw e;
        }
      }
    }
  }

  /// Reads a short body to its end and returns the connection to the pool.
  private static void discard(BlockingResponse response) throws IOException {
    try (response) {
      response.body().readNBytes(MAX_DISCARD);
    }
  }

  /// Opens an exchange, runs `writer` for the request body on another virtual thread, and waits for
  /// the head of the response. Redirects are not followed, and the request is not repeated.
  ///
  /// @param writer writes the body; not called if `head` announces no body
  /// @throws IOException if there is no response
  public BlockingResponse open(RequestHead head, BodyWriter writer) throws IOException {
    ClientExchange exchange = await(client.open(head));
    BodyInputStream body = new BodyInputStream(exchange, exchange.responseBody());
    Promise<ResponseHead> answer = exchange.loop().newPromise();
    try {
      exchange.execute(() -> {
        exchange.onEnd(outcome -> {
          body.exchangeEnded(outcome);
          if (!answer.isDone()) {
            answer.tryFailure(new ExchangeEndedException(outcome));
          }
        });
        exchange.onResponse(answer::trySuccess);
        DecodedExchange.onWire(exchange).stream(writer);
      });
    } catch (RejectedExecutionException e) {
      throw new IOException("the event loop has ended", e);
    }
    try {
      return new BlockingResponse(exchange, await(answer), body);
    } catch (IOException | RuntimeException e) {
      reset(exchange);
      throw e;
    }
  }

  static void reset(ClientExchange exchange) {
    try {
      exchange.execute(() -> exchange.reset(ResetCode.CANCEL));
    } catch (RejectedExecutionException _) {
      // the loop has ended, and the connection with it
    }
  }

  private static <T> T await(Future<T> future) throws IOException {
    try {
      return future.await();
    } catch (InterruptedException e) {
      future.cancel();
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted");
      interrupted.initCause(e);
      throw interrupted;
    } catch (ExecutionException e) {
      @Nullable Throwable cause = e.getCause();
      if (cause instanceof IllegalArgumentException misuse) {
        throw misuse;
      }
      throw cause instanceof IOException io
          ? new IOException(io.getMessage(), io)
          : new IOException(cause);
    }
  }
}

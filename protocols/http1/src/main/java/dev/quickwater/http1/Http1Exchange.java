package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.Payload;
import dev.quickwater.channel.Channel;
import dev.quickwater.common.Promise;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpVersion;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One request and response on a connection of HTTP/1.1.
///
/// ```
/// WAITING --respond(head)--> STREAMING --end--> ENDED
///    '-----respond(whole)-----------------------> ENDED
/// (WAITING, STREAMING) --abort or reset--> ABORTED
/// ```
///
/// In ABORTED what is written is released and ignored; every other call out of its state throws.
final class Http1Exchange implements HttpExchange {

  private enum State {
    WAITING,
    STREAMING,
    ENDED,
    ABORTED
  }

  private final Http1ServerHandler connection;
  private final HttpRequest request;
  private State state = State.WAITING;
  private boolean paused;

  /// The end of the body was delivered, or nobody wants it any more.
  private boolean bodyOver;

  private @Nullable BodyReader reader;
  private @Nullable Runnable writableAction;
  private @Nullable Consumer<Throwable> abortAction;

  /// Bytes of the response's body that are still to come, or [ResponseEncoder#CHUNKED] or
  /// [ResponseEncoder#UNTIL_CLOSE].
  private long left;

  Http1Exchange(Http1ServerHandler connection, HttpRequest request) {
    this.connection = connection;
    this.request = request;
  }

  @Override
  public HttpRequest request() {
    return request;
  }

  @Override
  public Channel channel() {
    return connection.channel();
  }

  // ---- the request's body ----

  @Override
  public void read(BodyReader bodyReader) {
    connection.requireLoop();
    if (reader != null) {
      throw new IllegalStateException("the body of " + request + " is being read already");
    }
    reader = bodyReader;
    wantBody();
  }

  @Override
  public void pause() {
    connection.requireLoop();
    paused = true;
  }

  @Override
  public void resume() {
    connection.requireLoop();
    if (paused) {
      paused = false;
      wantBody();
    }
  }

  private void wantBody() {
    if (state != State.ABORTED) {
      try {
        connection.bodyWanted(this);
      } catch (Throwable t) {
        broken(null, t);
        throw t;
      }
    }
  }

  /// True when data can be delivered now.
  boolean takesBody() {
    return reader != null && !paused && !bodyOver;
  }

  boolean hasReader() {
    return reader != null;
  }

  /// The reader hears nothing more.
  void giveUpBody() {
    bodyOver = true;
  }

  void deliver(ByteBuf bytes) throws Exception {
    if (reader == null || bodyOver || state == State.ABORTED) {
      bytes.release();
    } else {
      reader.data(bytes);
    }
  }

  void deliverEnd(HttpHeaders trailers) throws Exception {
    if (reader != null && !bodyOver && state != State.ABORTED) {
      bodyOver = true;
      reader.end(trailers);
    }
  }

  // ---- the response ----

  boolean hasEnded() {
    return state == State.ENDED;
  }

  boolean isAborted() {
    return state == State.ABORTED;
  }

  boolean isWaiting() {
    return state == State.WAITING;
  }

  @Override
  public void inform(HttpResponse informational) {
    connection.requireLoop();
    HttpStatus status = informational.status();
    if (!status.isInformational() || status.code() == 101) {
      throw new IllegalArgumentException(status + " is no informational response");
    }
    if (informational.headers().mayHaveFraming()) {
      requireNoFraming(informational.headers());
    }
    if (state == State.ABORTED) {
      return;
    }
    require(State.WAITING, "inform");
    if (request.version() == HttpVersion.HTTP_1_1) {
      try {
        connection.inform(status, informational.headers());
      } catch (Throwable t) {
        broken(null, t);
        throw t;
      }
    }
  }

  @Override
  public void respond(HttpResponse response, @Nullable Promise<Void> promise) {
    connection.requireLoop();
    @Nullable ByteBuf content = response.content();
    if (state != State.WAITING || response.headers().mayHaveFraming() || !isSendable(response)) {
      refuse(response, content, promise);
      if (state == State.ABORTED) {
        return;
      }
    }
    try {
      if (response.end()) {
        state = State.ENDED;
        connection.respondWhole(this, response, content, promise);
      } else {
        state = State.STREAMING;
        left = connection.respondHead(this, response, promise);
      }
    } catch (Throwable t) {
      broken(promise, t);
      throw t;
    }
  }

  /// A response that could not be written as it was meant to be, say for want of memory, would
  /// leave the peer and us with different ideas of what comes next; and nobody else would end the
  /// exchange if the application was in a task of its own.
  private void broken(@Nullable Promise<Void> promise, Throwable cause) {
    connection.broken(this, cause);
    if (promise != null) {
      promise.tryFailure(cause);
    }
  }

  /// False for what would break the framing: a final response of an informational status, content
  /// that was released or read from since its length was noted.
  private static boolean isSendable(HttpResponse response) {
    @Nullable ByteBuf content = response.content();
    return !response.status().isInformational()
        && (content == null
            || content.isLive() && content.readableBytes() == response.contentLength());
  }

  /// Throws for a response that cannot be sent, or returns when it can after all.
  private void refuse(
      HttpResponse response, @Nullable ByteBuf content, @Nullable Promise<Void> promise) {
    if (state == State.ABORTED) {
      release(content, promise);
      return;
    }
    try {
      require(State.WAITING, "respond");
      requireNoFraming(response.headers());
      response.headers().wireForm(); // a parsed block is checked for size here
      requireSendable(response, content);
    } catch (RuntimeException e) {
      release(content, promise);
      throw e;
    }
  }

  private static void requireSendable(HttpResponse response, @Nullable ByteBuf content) {
    if (response.status().isInformational()) {
      throw new IllegalArgumentException(
          response.status() + " does not end an exchange; send it with inform");
    }
    if (!isSendable(response)) {
      throw new IllegalStateException(
          "the content of " + response + " was used or released before it was sent: " + content);
    }
  }

  private static void release(@Nullable Payload content, @Nullable Promise<Void> promise) {
    if (content != null && !(content instanceof ByteBuf bytes && !bytes.isLive())) {
      content.release();
    }
    if (promise != null) {
      promise.tryFailure(new java.nio.channels.ClosedChannelException());
    }
  }

  private static void requireNoFraming(HttpHeaders headers) {
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.name(i);
      for (String own : OWN) {
        if (name.equalsIgnoreCase(own)) {
          throw new IllegalArgumentException(
              "the field " + name + " is written by the engine, from the response itself");
        }
      }
    }
  }

  private static final String[] OWN = {
    "content-length", "transfer-encoding", "connection", "date", "keep-alive", "upgrade"
  };

  @Override
  public void write(Payload body, @Nullable Promise<Void> promise) {
    connection.requireLoop();
    if (state == State.ABORTED) {
      release(body, promise);
      return;
    }
    if (state != State.STREAMING) {
      release(body, promise);
      require(State.STREAMING, "write");
    }
    long size = body.size();
    if (left >= 0) {
      if (size > left) {
        release(body, promise);
        long most = left;
        reset();
        throw new IllegalStateException(
            size + " bytes were written where the announced length leaves " + most);
      }
      left -= size;
    }
    if (!hasBody(request, HttpStatus.OK) || size == 0) {
      body.release();
      if (promise != null) {
        promise.trySuccess(null);
      }
      return;
    }
    try {
      connection.writeBody(body, left == ResponseEncoder.CHUNKED, promise);
    } catch (Throwable t) {
      broken(promise, t);
      throw t;
    }
  }

  /// False when a response to this request has no body on the wire.
  static boolean hasBody(HttpRequest request, HttpStatus status) {
    return request.method() != HttpMethod.HEAD && !status.isBodiless();
  }

  @Override
  public void end(HttpHeaders trailers) {
    connection.requireLoop();
    if (state == State.ABORTED) {
      return;
    }
    require(State.STREAMING, "end");
    if (left > 0 && request.method() != HttpMethod.HEAD) {
      long missing = left;
      reset();
      throw new IllegalStateException(
          "the body ended " + missing + " bytes short of the announced length");
    }
    if (trailers.size() > 0) {
      requireNoFraming(trailers);
      if (left != ResponseEncoder.CHUNKED) {
        trailers = HttpHeaders.EMPTY; // only a chunked body can carry them
      }
    }
    state = State.ENDED;
    try {
      connection.endBody(
          left == ResponseEncoder.CHUNKED && hasBody(request, HttpStatus.OK), trailers);
    } catch (Throwable t) {
      broken(null, t);
      throw t;
    }
  }

  @Override
  public void flush() {
    connection.requireLoop();
    connection.flush();
  }

  @Override
  public boolean isWritable() {
    return connection.channel().isWritable();
  }

  @Override
  public void onWritable(Runnable action) {
    connection.requireLoop();
    writableAction = action;
  }

  boolean awaitsWritability() {
    return writableAction != null && state == State.STREAMING;
  }

  void becameWritable() {
    if (writableAction != null && state == State.STREAMING && isWritable()) {
      writableAction.run();
    }
  }

  // ---- breaking off ----

  @Override
  public void reset() {
    connection.requireLoop();
    if (state == State.WAITING || state == State.STREAMING) {
      state = State.ABORTED;
      connection.breakOff();
    }
  }

  @Override
  public void onAbort(Consumer<Throwable> action) {
    connection.requireLoop();
    abortAction = action;
  }

  void abort(Throwable cause) {
    boolean bodyMissing = reader != null && !bodyOver && connection.isInsideBody();
    if (state == State.WAITING || state == State.STREAMING || bodyMissing) {
      state = State.ABORTED;
      if (abortAction != null) {
        Consumer<Throwable> action = abortAction;
        abortAction = null;
        action.accept(cause);
      }
    }
  }

  private void require(State wanted, String call) {
    if (state != wanted) {
      throw new IllegalStateException(
          call + " is illegal while the response to " + request + " is " + state);
    }
  }
}

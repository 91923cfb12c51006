package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.Payload;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.PauseReason;
import dev.quickwater.common.Promise;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpVersion;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Joins the HTTP/1.1 engine to a channel: one exchange at a time.
///
/// - No further head is parsed before the response of the open exchange has ended and its request
///   is complete. Bytes of later requests wait; when they are more than
///   [Http1Settings#maxBuffered], the channel is not read.
/// - No further head is parsed either while more waits to be sent than the channel's high water
///   mark, so that a peer which sends and never reads costs a bounded amount.
/// - Responses are flushed when a batch of reads is through, or at once when they are made outside
///   of one.
/// - After a violation nothing more is interpreted: the answer says `connection: close`, and the
///   connection lingers until the peer has read it.
///
/// One handler serves one channel, which has to keep half-closed connections open.
public final class Http1ServerHandler implements ChannelHandler {

  private static final System.Logger LOG = System.getLogger(Http1ServerHandler.class.getName());
  private static final long RATE_WINDOW_SECONDS = 5;

  private enum Phase {
    /// No byte of a request.
    IDLE,
    HEAD,
    BODY,
    /// The deadline of the application, if it sets one.
    ANSWERING,
    DISCARDING,
    CLOSING
  }

  private final Http1Settings settings;
  private final HttpHandler handler;
  private final RequestParser parser;

  private @Nullable Channel channel;
  private @Nullable ResponseWriter writer;
  private @Nullable Deadlines deadlines;

  /// Bytes that were received and not consumed.
  private @Nullable ByteBuf pending;

  private @Nullable Http1Exchange exchange;
  private Phase phase = Phase.IDLE;
  private long requests;
  private long phaseRequest = -1;
  private long bodyBytes;
  private int discarded;

  private boolean processing;
  private boolean reading;
  private boolean bufferPaused;
  private boolean backlogPaused;

  /// The connection closes after the current response.
  private boolean closeAfter;

  private boolean draining;
  private boolean continueOwed;

  /// For one channel, whose requests go to `handler`.
  public Http1ServerHandler(Http1Settings settings, HttpHandler handler) {
    this.settings = settings;
    this.handler = handler;
    this.parser = new RequestParser(settings);
  }

  // ---- channel events ----

  @Override
  public void handlerAdded(HandlerContext context) {
    channel = context.channel();
    writer = new ResponseWriter(context.channel());
    deadlines = new Deadlines(context.channel().loop(), this::deadlineReached);
  }

  @Override
  public void channelActive(HandlerContext context) {
    updatePhase();
    context.fireChannelActive();
  }

  @Override
  public void channelRead(HandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    if (phase == Phase.CLOSING) {
      in.release();
      return;
    }
    reading = true;
    @Nullable ByteBuf waiting = pending;
    if (waiting == null) {
      pending = in;
    } else {
      try {
        if (waiting.readerIndex() > waiting.capacity() / 2) {
          waiting.discardRead();
        }
        waiting.writeBytes(in);
      } finally {
        in.release();
      }
    }
    process();
  }

  @Override
  public void channelReadComplete(HandlerContext context) {
    reading = false;
    flush();
    updatePhase();
  }

  @Override
  public void channelInputClosed(HandlerContext context) {
    if (phase == Phase.CLOSING) {
      return;
    }
    if (exchange == null || exchange.hasEnded() || parser.isInsideBody()) {
      abort(new IOException("the peer has ended the connection"));
      channel().close();
    } else {
      closeAfter = true;
    }
  }

  @Override
  public void channelWritabilityChanged(HandlerContext context) {
    if (!channel().isWritable()) {
      if (!backlogPaused) {
        backlogPaused = true;
        channel().pauseReading(PauseReason.BACKLOG);
      }
      return;
    }
    if (backlogPaused) {
      backlogPaused = false;
      channel().resumeReading(PauseReason.BACKLOG);
    }
    if (exchange != null) {
      exchange.becameWritable();
    }
    if (!processing) {
      process();
      afterOutsideCall();
    }
  }

  @Override
  public void channelInactive(HandlerContext context) {
    abort(new ClosedChannelException());
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(HandlerContext context, Throwable cause) {
    abort(cause);
    if (cause instanceof IOException) {
      channel().close();
    } else {
      context.fireExceptionCaught(cause);
    }
  }

  @Override
  public void handlerRemoved(HandlerContext context) {
    phase = Phase.CLOSING;
    deadlines().cancel();
    writer().release();
    releasePending();
  }

  private void releasePending() {
    if (pending != null) {
      pending.release();
      pending = null;
    }
  }

  // ---- parsing ----

  /// Consumes what is pending as far as the state allows.
  private void process() {
    if (processing || phase == Phase.CLOSING) {
      return;
    }
    processing = true;
    try {
      while (step()) {
        // each step consumes an event of the parser
      }
    } catch (Http1Exception e) {
      answerViolation(e);
    } catch (Throwable t) {
      handlerFailed(t);
    } finally {
      processing = false;
    }
    settlePending();
  }

  private boolean step() throws Exception {
    @Nullable Http1Exchange current = exchange;
    if (current != null && finished(current)) {
      current = null;
    }
    if (phase == Phase.CLOSING) {
      return false;
    }
    @Nullable ByteBuf in = pending;
    if (current == null) {
      if (in == null || !in.isReadable() || !mayBegin()) {
        return false;
      }
    } else if (!parser.isInsideBody() || withholdsBody(current)) {
      return false;
    }
    return consume(in == null ? ByteBuf.empty() : in);
  }

  private boolean consume(ByteBuf in) throws Exception {
    return switch (parser.parse(in)) {
      case MORE -> false;
      case HEAD -> {
        begin();
        yield true;
      }
      case DATA -> {
        data(in, parser.dataLength());
        yield true;
      }
      case END -> {
        if (exchange != null) {
          exchange.deliverEnd(parser.trailers());
        }
        yield true;
      }
    };
  }

  /// True when another request may be begun; sends first when too much waits to be sent.
  private boolean mayBegin() {
    if (!channel().isWritable()) {
      writer().flush();
    }
    return channel().isWritable();
  }

  private void begin() throws Exception {
    requests++;
    discarded = 0;
    bodyBytes = 0;
    continueOwed = parser.expectsContinue() && !parser.request().end();
    if (!parser.isPersistent() || draining) {
      closeAfter = true;
    }
    Http1Exchange opened = new Http1Exchange(this, parser.request());
    exchange = opened;
    handler.handle(opened);
  }

  private void data(ByteBuf in, int length) throws Exception {
    Http1Exchange current = Objects.requireNonNull(exchange);
    bodyBytes += length;
    if (current.hasEnded() && !current.takesBody()) {
      in.skip(length);
      discarded += length;
      if (discarded > settings.maxDiscard()) {
        closeGracefully();
      }
      return;
    }
    current.deliver(in.readSlice(length));
  }

  /// Ends an exchange whose response and request are both through; true when there is none any
  /// more.
  private boolean finished(Http1Exchange current) {
    if (current.isAborted()) {
      return false;
    }
    if (!current.hasEnded()) {
      return false;
    }
    if (closeAfter) {
      closeGracefully();
      return false;
    }
    if (parser.isInsideBody()) {
      return false;
    }
    exchange = null;
    parser.next();
    return true;
  }

  /// Keeps what is left for later, or gives the buffer up, and decides whether to go on reading.
  private void settlePending() {
    @Nullable ByteBuf in = pending;
    boolean full = false;
    if (in != null) {
      if (phase == Phase.CLOSING || !in.isReadable()) {
        releasePending();
      } else {
        full = exchange != null && in.readableBytes() >= settings.maxBuffered();
      }
    }
    boolean held = full || (pending != null && exchange != null && withholdsBody(exchange));
    if (held != bufferPaused && phase != Phase.CLOSING) {
      bufferPaused = held;
      if (held) {
        channel().pauseReading(PauseReason.EXCHANGE);
      } else {
        channel().resumeReading(PauseReason.EXCHANGE);
      }
    }
  }

  /// True while the body of the open request is neither wanted nor to be discarded.
  private boolean withholdsBody(Http1Exchange current) {
    return parser.isInsideBody() && !current.takesBody() && !current.hasEnded();
  }

  private void answerViolation(Http1Exception e) {
    LOG.log(
        System.Logger.Level.DEBUG,
        "{0} broke a rule of HTTP/1.1: {1}",
        channel().remoteAddress(),
        e.getMessage());
    if (exchange != null && exchange.hasBegunResponse()) {
      abort(e);
      channel().close();
      return;
    }
    abort(e);
    answerAndClose(e.status(), e.getMessage());
  }

  private void answerAndClose(HttpStatus status, @Nullable String text) {
    exchange = null;
    byte[] body =
        (text == null ? status.toString() : text)
            .concat("\n")
            .getBytes(java.nio.charset.StandardCharsets.UTF_8);
    ByteBuf out = writer().buffer(body.length);
    ResponseEncoder.head(
        out,
        status,
        ErrorHeaders.TEXT,
        body.length,
        ResponseEncoder.Persistence.CLOSE,
        DateCache.line(channel().loop().now()));
    out.writeBytes(body);
    closeGracefully();
  }

  private static final class ErrorHeaders {
    static final HttpHeaders TEXT = HttpHeaders.of("content-type", "text/plain; charset=utf-8");
  }

  private void handlerFailed(Throwable t) {
    @Nullable Http1Exchange current = exchange;
    LOG.log(System.Logger.Level.WARNING, "a handler threw for " + current(), t);
    if (current == null || current.hasBegunResponse()) {
      abort(t);
      channel().close();
      return;
    }
    current.respond(HttpResponse.text(HttpStatus.INTERNAL_SERVER_ERROR, "internal error\n"));
    if (phase != Phase.CLOSING) {
      processing = false;
      process();
    }
  }

  private String current() {
    return exchange == null ? "no request" : exchange.request().toString();
  }

  private void closeGracefully() {
    if (phase != Phase.CLOSING) {
      phase = Phase.CLOSING;
      deadlines().cancel();
      writer().flush();
      releasePending();
      channel().closeGracefully(settings.discardTimeout(), settings.maxDiscard());
    }
  }

  private void abort(Throwable cause) {
    @Nullable Http1Exchange current = exchange;
    if (current != null) {
      try {
        current.abort(cause);
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.WARNING, "an abort action threw", e);
      }
    }
  }

  // ---- what the exchange asks for ----

  Channel channel() {
    return Objects.requireNonNull(channel, "the handler is in no pipeline");
  }

  private ResponseWriter writer() {
    return Objects.requireNonNull(writer, "the handler is in no pipeline");
  }

  private Deadlines deadlines() {
    return Objects.requireNonNull(deadlines, "the handler is in no pipeline");
  }

  void requireLoop() {
    if (!channel().loop().inLoop()) {
      throw new IllegalStateException(
          "an exchange is for its channel's loop, " + channel().loop().name());
    }
  }

  boolean isInsideBody() {
    return parser.isInsideBody();
  }

  void bodyWanted(Http1Exchange asking) {
    if (asking != exchange || phase == Phase.CLOSING) {
      return;
    }
    if (continueOwed && asking.hasReader() && !asking.hasBegunResponse()) {
      continueOwed = false;
      inform(HttpStatus.CONTINUE, HttpHeaders.EMPTY);
    }
    if (asking.request().end()) {
      channel().loop().dispatch(() -> endOfNoBody(asking));
    } else if (!processing) {
      process();
      afterOutsideCall();
    }
  }

  private void endOfNoBody(Http1Exchange asking) {
    try {
      asking.deliverEnd(HttpHeaders.EMPTY);
    } catch (Throwable t) {
      handlerFailed(t);
    }
    afterOutsideCall();
  }

  void inform(HttpStatus status, HttpHeaders headers) {
    ResponseEncoder.informational(writer().buffer(headers.wireForm().length), status, headers);
    flush();
  }

  void respondWhole(
      Http1Exchange responding,
      HttpResponse response,
      @Nullable ByteBuf content,
      @Nullable Promise<Void> promise) {
    HttpStatus status = response.status();
    long length = response.contentLength();
    head(responding, response, status.isBodiless() ? ResponseEncoder.NONE : length);
    if (content != null) {
      if (length > 0 && Http1Exchange.hasBody(responding.request(), status)) {
        writer().write(content, null);
      } else {
        content.release();
      }
    }
    if (promise != null) {
      writer().emit(promise);
    }
    responseEnded();
  }

  /// Writes the head of a response whose body follows.
  ///
  /// @return how the body is delimited
  long respondHead(
      Http1Exchange responding, HttpResponse response, @Nullable Promise<Void> promise) {
    long framing = response.contentLength();
    if (response.status().isBodiless()) {
      head(responding, response, ResponseEncoder.NONE);
      framing = 0;
    } else {
      if (framing == HttpResponse.UNKNOWN_LENGTH) {
        boolean chunks = responding.request().version() == HttpVersion.HTTP_1_1;
        framing = chunks ? ResponseEncoder.CHUNKED : ResponseEncoder.UNTIL_CLOSE;
        closeAfter |= !chunks;
      }
      head(responding, response, framing);
    }
    if (promise != null) {
      writer().emit(promise);
    }
    afterOutsideCall();
    return framing;
  }

  private void head(Http1Exchange responding, HttpResponse response, long framing) {
    if (continueOwed) {
      // The client may send the body or not; only closing leaves no doubt (RFC 9110 section
      // 10.1.1).
      closeAfter = true;
    }
    ResponseEncoder.Persistence persistence =
        closeAfter
            ? ResponseEncoder.Persistence.CLOSE
            : responding.request().version() == HttpVersion.HTTP_1_0
                ? ResponseEncoder.Persistence.KEEP_ALIVE
                : ResponseEncoder.Persistence.IMPLIED;
    HttpHeaders headers = response.headers();
    @Nullable ByteBuf content = response.content();
    int behind = content == null ? 0 : Math.min(content.readableBytes(), ResponseWriter.COPY_LIMIT);
    ResponseEncoder.head(
        writer().buffer(headers.wireForm().length + behind),
        response.status(),
        headers,
        framing,
        persistence,
        DateCache.line(channel().loop().now()));
  }

  void writeBody(Payload body, boolean chunked, @Nullable Promise<Void> promise) {
    ResponseWriter out = writer();
    if (chunked) {
      ResponseEncoder.chunkStart(out.buffer(32), body.size());
    }
    out.write(body, promise);
    if (chunked) {
      ResponseEncoder.chunkEnd(out.buffer(2));
    }
    afterOutsideCall();
  }

  void endBody(Http1Exchange responding, boolean chunked, HttpHeaders trailers) {
    if (chunked) {
      ResponseEncoder.lastChunk(writer().buffer(trailers.wireForm().length), trailers);
    }
    responseEnded();
  }

  private void responseEnded() {
    if (!processing) {
      process();
      afterOutsideCall();
    }
  }

  /// Sends at once what was written outside of a batch of reads.
  private void afterOutsideCall() {
    if (!reading && !processing) {
      flush();
      updatePhase();
    }
  }

  void flush() {
    if (phase != Phase.CLOSING) {
      writer().flush();
    }
  }

  void breakOff() {
    channel().close();
  }

  // ---- draining ----

  /// Ends the connection as soon as no request is being answered. Loop only.
  public void drain() {
    requireLoop();
    draining = true;
    if (exchange != null) {
      closeAfter = true;
    } else if (phase != Phase.CLOSING) {
      closeGracefully();
    }
  }

  // ---- deadlines ----

  /// Sets the deadline of what the connection waits for now.
  private void updatePhase() {
    if (phase == Phase.CLOSING) {
      return;
    }
    Phase now = currentPhase();
    if (now == phase && requests == phaseRequest && now != Phase.IDLE) {
      return;
    }
    phase = now;
    phaseRequest = requests;
    switch (now) {
      case IDLE -> deadlines().set(settings.keepAliveTimeout().toNanos());
      case HEAD -> deadlines().set(settings.headTimeout().toNanos());
      case BODY -> watchRate();
      case DISCARDING -> deadlines().set(settings.discardTimeout().toNanos());
      case ANSWERING, CLOSING -> deadlines().clear();
    }
  }

  private Phase currentPhase() {
    @Nullable Http1Exchange current = exchange;
    if (current == null) {
      return parser.isInsideHead() || pending != null ? Phase.HEAD : Phase.IDLE;
    }
    if (!parser.isInsideBody()) {
      return Phase.ANSWERING;
    }
    if (current.takesBody()) {
      return Phase.BODY;
    }
    return current.hasEnded() ? Phase.DISCARDING : Phase.ANSWERING;
  }

  private void watchRate() {
    if (settings.minBodyRate() == 0) {
      deadlines().clear();
    } else {
      bodyBytes = 0;
      deadlines().set(TimeUnit.SECONDS.toNanos(RATE_WINDOW_SECONDS));
    }
  }

  private void deadlineReached() {
    switch (phase) {
      case IDLE -> closeGracefully();
      case HEAD ->
          timeOut("the head took longer than headTimeout, which is " + settings.headTimeout());
      case BODY -> {
        if (channel().isReadingPaused()
            || bodyBytes >= settings.minBodyRate() * RATE_WINDOW_SECONDS) {
          watchRate();
        } else {
          timeOut(
              "the body came slower than minBodyRate, which is "
                  + settings.minBodyRate()
                  + " bytes a second");
        }
      }
      case DISCARDING -> closeGracefully();
      case ANSWERING, CLOSING -> {}
    }
  }

  private void timeOut(String text) {
    @Nullable Http1Exchange current = exchange;
    boolean begun = current != null && current.hasBegunResponse();
    abort(new IOException(text));
    if (begun) {
      channel().close();
    } else {
      answerAndClose(HttpStatus.REQUEST_TIMEOUT, text);
    }
  }
}

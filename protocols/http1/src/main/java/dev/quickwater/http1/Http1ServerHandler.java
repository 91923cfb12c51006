package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.Payload;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelState;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.Pause;
import dev.quickwater.common.Promise;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Joins the HTTP/1.1 engine to a channel: one exchange at a time.
///
/// - No further head is parsed before the response of the open exchange has ended and its request
///   is complete. Bytes of later requests wait; when they are more than
///   [Http1Settings#maxBuffered], the channel is not read.
/// - No further head is parsed while more bytes wait to be sent than the high water mark of the
///   channel, or while a file is being sent: a peer that sends and never reads costs a bounded
///   amount of memory and one open file.
/// - Pipelined exchanges are divided among turns of the loop, see [EventLoop#takeUnit].
/// - Responses are flushed at the end of a batch of reads, or at once when they are written outside
///   of a batch.
/// - After a violation no further input is interpreted: the response contains `connection: close`,
///   and the connection lingers until the peer has read it.
/// - A peer that closes its direction receives the responses to all requests that it sent
///   completely.
/// - Closing waits until everything is sent; a peer that takes the data too slowly is disconnected.
///
/// One handler serves one channel, which must keep half-closed connections open.
public final class Http1ServerHandler implements ChannelHandler {

  private static final System.Logger LOG = System.getLogger(Http1ServerHandler.class.getName());

  private enum Phase {
    /// No byte of a request.
    IDLE,
    HEAD,
    BODY,
    /// It is the application's turn.
    ANSWERING,
    DISCARDING,
    /// No request, and the last response is not sent yet.
    SENDING,
    /// Nothing is interpreted any more.
    CLOSING
  }

  private final Http1Settings settings;
  private final HttpHandler handler;
  private @Nullable Channel channel;
  private @Nullable RequestParser parser;
  private @Nullable ResponseWriter writer;
  private @Nullable Responder responder;
  private @Nullable Deadlines deadlines;

  /// Null unless flushed data is being sent.
  private @Nullable SendRate sendRate;

  /// Null until a request has a body.
  private @Nullable BodyRate bodyRate;

  private final Received received = new Received();

  private @Nullable Http1Exchange exchange;
  private Phase phase = Phase.IDLE;
  private long requests;
  private long phaseRequest = -1;
  private long discarded;

  private boolean processing;
  private boolean reading;
  private @Nullable Pause bufferPause;
  private @Nullable Pause backlogPause;

  /// The parser has seen all bytes there are and needs more.
  private boolean starved;

  /// The peer has ended its direction.
  private boolean inputEnded;

  private boolean draining;

  /// Further requests wait for the loop's next turn.
  private boolean yielded;

  /// For one channel, whose requests go to `handler`.
  public Http1ServerHandler(Http1Settings settings, HttpHandler handler) {
    this.settings = settings;
    this.handler = handler;
  }

  // ---- channel events ----

  @Override
  public void handlerAdded(HandlerContext context) {
    channel = context.channel();
    EventLoop loop = context.channel().loop();
    parser = new RequestParser(settings, SharedParsers.of(loop));
    ResponseWriter out = new ResponseWriter(context.channel(), this);
    writer = out;
    responder = new Responder(loop, out);
    deadlines = new Deadlines(loop, this);
  }

  @Override
  public void channelActive(HandlerContext context) {
    updatePhase();
    context.fireChannelActive();
  }

  @Override
  public void channelRead(HandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    if (isClosing()) {
      drop(in);
      return;
    }
    reading = true;
    starved = false;
    if (!received.begin(in)) {
      received.append(in, context.allocator());
    }
    process();
  }

  /// While our last words are being sent the peer may still send some, which lets one that writes
  /// first and reads then come to read.
  private void drop(ByteBuf in) {
    discarded += in.readableBytes();
    in.release();
    if (discarded > settings.maxDiscard() && bufferPause == null) {
      bufferPause = channel().pauseReading("closing");
    }
  }

  @Override
  public void channelReadComplete(HandlerContext context) {
    reading = false;
    settleTurn();
  }

  @Override
  public void channelInputClosed(HandlerContext context) {
    inputEnded = true;
    settleEndOfInput();
  }

  /// After the end of the input a request that is not complete never will be; otherwise the
  /// connection ends when nothing is left to answer.
  private void settleEndOfInput() {
    if (!inputEnded || isClosing() || !(received.isEmpty() || starved)) {
      return;
    }
    if (parser().needsBytes()) {
      @Nullable Http1Exchange current = exchange;
      boolean answered = current != null && current.hasEnded();
      abort(new IOException("the peer has ended the connection inside of a body"));
      if (answered) {
        closeGracefully();
      } else {
        breakOff();
      }
    } else if (exchange == null) {
      closeGracefully();
    }
  }

  @Override
  public void channelWritabilityChanged(HandlerContext context) {
    if (!channel().isWritable()) {
      if (backlogPause == null) {
        backlogPause = channel().pauseReading("backlog");
      }
      return;
    }
    if (backlogPause != null) {
      backlogPause.close();
      backlogPause = null;
    }
    @Nullable Http1Exchange current = exchange;
    if (current != null && current.awaitsWritability()) {
      // As a task: the flush of a write may have brought us here, and the action writes again.
      channel().loop().execute(() -> tellWritable(current));
    }
    resume();
  }

  private void tellWritable(Http1Exchange waiting) {
    try {
      waiting.becameWritable();
    } catch (Throwable t) {
      failed(waiting, t);
    }
  }

  /// Begins what had to wait until enough was sent.
  void resume() {
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
    if (sendRate != null) {
      sendRate.cancel();
    }
    writer().release();
    received.release();
  }

  /// True when nothing more is interpreted: the connection is being closed, or is closed and this
  /// handler will be removed.
  private boolean isClosing() {
    return phase == Phase.CLOSING || channel().state() == ChannelState.CLOSED;
  }

  // ---- parsing ----

  /// Consumes what was received as far as the state allows.
  private void process() {
    if (processing || isClosing()) {
      return;
    }
    processing = true;
    try {
      while (!consumeAll()) {
        // a handler failed and the rest goes on
      }
    } finally {
      processing = false;
    }
    if (isClosing()) {
      writer().release(); // a close from inside may have come while something was being written
    }
    settleReceived();
    settleEndOfInput();
  }

  /// Steps as far as it goes.
  ///
  /// @return false if a handler failed, which may have let something go on
  private boolean consumeAll() {
    try {
      while (step()) {
        // each step consumes an event of the parser
      }
    } catch (Http1Exception e) {
      answerViolation(e);
    } catch (Throwable t) {
      handlerFailed(t);
      return false;
    }
    return true;
  }

  private boolean step() throws Exception {
    @Nullable Http1Exchange current = exchange;
    if (current != null && finished(current)) {
      current = null;
    }
    if (isClosing()) {
      return false;
    }
    if (current == null) {
      if (received.isEmpty() || !mayBegin() || isOverBudget()) {
        return false;
      }
    } else if (!parser().isInsideBody() || withholdsBody(current)) {
      return false;
    }
    return consume(received.bytes());
  }

  private boolean consume(ByteBuf in) throws Exception {
    return switch (parse(in)) {
      case MORE -> {
        starved = true;
        yield false;
      }
      case HEAD -> {
        begin();
        yield true;
      }
      case DATA -> {
        data(in, parser().dataLength());
        yield true;
      }
      case END -> {
        if (exchange != null) {
          exchange.deliverEnd(parser().trailers());
        }
        yield true;
      }
    };
  }

  /// A fault of the engine itself, say no memory, leaves parser and bytes out of step: nothing
  /// behind it can be trusted, so the connection ends with the current response.
  private RequestParser.Result parse(ByteBuf in) throws Http1Exception {
    try {
      return parser().parse(in);
    } catch (RuntimeException | Error e) {
      closeAfterResponse();
      throw e;
    }
  }

  private ByteBuf takeBody(int length) {
    try {
      return received.take(length);
    } catch (RuntimeException | Error e) {
      closeAfterResponse();
      throw e;
    }
  }

  /// True when another request may be begun; sends first when too much waits to be sent.
  private boolean mayBegin() {
    if (!channel().isWritable() || writer().hasFiles()) {
      flush();
    }
    return channel().isWritable() && !writer().hasFiles();
  }

  /// Lets the other channels of the loop go first when this one has begun its share of requests.
  private boolean isOverBudget() {
    if (parser().isInsideHead()) {
      return false; // its unit is taken
    }
    EventLoop loop = channel().loop();
    if (yielded || !loop.takeUnit(this)) {
      if (!yielded) {
        yielded = true;
        loop.defer(this::continueTurn);
      }
      return true;
    }
    return false;
  }

  private void continueTurn() {
    yielded = false;
    resume();
  }

  private void begin() throws Exception {
    requests++;
    HttpRequest request = parser().request();
    if (!request.end()) {
      discarded = 0;
      bodyRate().begin();
    }
    responder().begin(parser().expectsContinue() && !request.end());
    if (!parser().isPersistent() || draining) {
      closeAfterResponse();
    }
    Http1Exchange opened = new Http1Exchange(this, request);
    exchange = opened;
    handler.handle(opened);
    if (opened.hasReader() && request.end() && opened.takesBody()) {
      opened.deliverEnd(HttpHeaders.EMPTY);
    }
  }

  private void data(ByteBuf in, int length) throws Exception {
    Http1Exchange current = Objects.requireNonNull(exchange);
    bodyRate().received(length);
    if (current.hasEnded() && !current.takesBody()) {
      current.giveUpBody();
      in.skip(length);
      discarded += length;
      if (discarded > settings.maxDiscard()) {
        closeGracefully();
      }
      return;
    }
    current.deliver(takeBody(length));
  }

  /// Ends an exchange whose response and request are both through; true when there is none any
  /// more.
  private boolean finished(Http1Exchange current) {
    if (!current.hasEnded()) {
      return false;
    }
    if (parser().isInsideBody()) {
      if (responder().closesAfter() && !current.takesBody()) {
        closeGracefully();
      }
      return false;
    }
    if (responder().closesAfter()) {
      closeGracefully();
      return false;
    }
    exchange = null;
    parser().next();
    return true;
  }

  /// Gives the buffer up when it is empty, and decides whether to go on reading.
  private void settleReceived() {
    if (isClosing()) {
      received.release();
      return;
    }
    received.trim();
    boolean held = false;
    if (!received.isEmpty()) {
      boolean waits = exchange != null || !starved;
      held =
          waits && received.size() >= settings.maxBuffered()
              || exchange != null && parser().isInsideBody() && !starved;
    }
    @Nullable Pause pause = bufferPause;
    if (held && pause == null) {
      bufferPause = channel().pauseReading("exchange");
    } else if (!held && pause != null) {
      bufferPause = null;
      pause.close();
    }
  }

  /// True while the body of the open request is neither wanted nor to be discarded.
  private boolean withholdsBody(Http1Exchange current) {
    return parser().isInsideBody() && !current.takesBody() && !current.hasEnded();
  }

  private void answerViolation(Http1Exception e) {
    LOG.log(
        System.Logger.Level.DEBUG,
        "{0} broke a rule of HTTP/1.1: {1}",
        channel().remoteAddress(),
        e.getMessage());
    refuse(e, e.status(), e.getMessage());
  }

  /// Ends the connection for a fault of the peer: with an answer if none was begun.
  private void refuse(Exception cause, HttpStatus status, @Nullable String text) {
    @Nullable Http1Exchange current = exchange;
    boolean waiting = current == null || current.isWaiting();
    boolean answered = current != null && current.hasEnded();
    abort(cause);
    if (isClosing()) {
      return; // the abort action has closed the channel
    }
    if (waiting) {
      answerAndClose(status, text, current);
    } else if (answered) {
      closeGracefully();
    } else {
      breakOff();
    }
  }

  private void answerAndClose(
      HttpStatus status, @Nullable String text, @Nullable Http1Exchange answered) {
    exchange = null;
    try {
      responder().answer(status, text, answered == null ? null : answered.request());
    } catch (Throwable t) {
      breakOff(); // a deadline that brought us here does not come again
      throw t;
    }
    closeGracefully();
  }

  /// The handler threw, or its reader, while the engine was working on the current exchange.
  private void handlerFailed(Throwable t) {
    @Nullable Http1Exchange current = exchange;
    LOG.log(
        System.Logger.Level.WARNING,
        "a handler threw for " + (current == null ? "no request" : current.request()),
        t);
    if (current != null && current.isWaiting()) {
      current.giveUpBody();
      current.respond(HttpResponse.text(HttpStatus.INTERNAL_SERVER_ERROR, "internal error\n"));
      return;
    }
    boolean answered = current != null && current.hasEnded();
    abort(t);
    if (answered) {
      closeGracefully();
    } else {
      breakOff();
    }
  }

  /// Something of an exchange threw outside of the engine; it may be an old one by now.
  private void failed(Http1Exchange at, Throwable t) {
    if (at == exchange) {
      handlerFailed(t);
    } else {
      LOG.log(System.Logger.Level.WARNING, "a handler threw after " + at.request(), t);
    }
  }

  /// Interprets nothing more, sends what was written, and lets the peer read it before the
  /// connection goes.
  private void closeGracefully() {
    if (isClosing()) {
      return;
    }
    phase = Phase.CLOSING;
    deadlines().cancel();
    received.release();
    writer().flush();
    if (writer().unsent() == 0) {
      linger();
      return;
    }
    Promise<Void> sent = channel().loop().newPromise();
    sent.onComplete(f -> {
      if (f.isSuccess()) {
        channel().loop().execute(this::linger);
      }
    });
    writer().emit(sent);
    writer().flush();
    watchSending();
  }

  private void watchSending() {
    if (sendRate == null && settings.minResponseRate() > 0) {
      SendRate rate = new SendRate(channel(), writer(), settings.minResponseRate(), this);
      sendRate = rate;
      rate.beginWindow();
    }
  }

  /// Called by the send rate when nothing waits to be sent.
  void everythingSent() {
    sendRate = null;
  }

  /// Called by the send rate when the peer is too slow.
  void responseTooSlow() {
    disconnect(
        "the peer read a response slower than minResponseRate, which is "
            + settings.minResponseRate()
            + " bytes a second");
  }

  private void linger() {
    channel().closeGracefully(settings.discardTimeout(), settings.maxDiscard());
  }

  /// The peer is too slow to be waited for.
  private void disconnect(String reason) {
    LOG.log(
        System.Logger.Level.DEBUG, "{0} is disconnected: {1}", channel().remoteAddress(), reason);
    abort(new IOException(reason));
    channel().close();
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

  private RequestParser parser() {
    return Objects.requireNonNull(parser, "the handler is in no pipeline");
  }

  /// Created with the first body and kept, because a client that sends one body usually sends more.
  private BodyRate bodyRate() {
    @Nullable BodyRate current = bodyRate;
    if (current == null) {
      current = new BodyRate(settings.minBodyRate());
      bodyRate = current;
    }
    return current;
  }

  private ResponseWriter writer() {
    return Objects.requireNonNull(writer, "the handler is in no pipeline");
  }

  private Responder responder() {
    return Objects.requireNonNull(responder, "the handler is in no pipeline");
  }

  private void closeAfterResponse() {
    responder().closeAfter();
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
    return parser().isInsideBody();
  }

  void bodyWanted(Http1Exchange asking) {
    if (asking != exchange || isClosing()) {
      return;
    }
    if (responder().owesContinue() && asking.hasReader() && asking.isWaiting()) {
      inform(HttpStatus.CONTINUE, HttpHeaders.EMPTY);
    }
    if (processing) {
      return; // the engine goes on by itself
    }
    if (asking.request().end()) {
      endOfNoBody(asking);
    } else {
      process();
    }
    afterOutsideCall();
  }

  private void endOfNoBody(Http1Exchange asking) {
    if (asking.takesBody()) {
      try {
        asking.deliverEnd(HttpHeaders.EMPTY);
      } catch (Throwable t) {
        failed(asking, t);
      }
    }
  }

  void inform(HttpStatus status, HttpHeaders headers) {
    responder().inform(status, headers);
    flush();
  }

  void respondWhole(
      Http1Exchange responding,
      HttpResponse response,
      @Nullable ByteBuf content,
      @Nullable Promise<Void> promise) {
    responder().whole(responding.request(), response, content, promise);
    responseEnded();
  }

  /// Writes the head of a response whose body follows.
  ///
  /// @return how the body is delimited
  long respondHead(
      Http1Exchange responding, HttpResponse response, @Nullable Promise<Void> promise) {
    if (responder().owesContinue()) {
      // The final head would take the client's wait away without an answer, while the body may
      // still be read.
      inform(HttpStatus.CONTINUE, HttpHeaders.EMPTY);
    }
    long framing = responder().head(responding.request(), response, promise);
    afterOutsideCall();
    return framing;
  }

  void writeBody(Payload body, boolean chunked, @Nullable Promise<Void> promise) {
    responder().body(body, chunked, promise);
    afterOutsideCall();
  }

  void endBody(boolean chunked, HttpHeaders trailers) {
    if (chunked) {
      responder().lastChunk(trailers);
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
      settleTurn();
    }
  }

  /// Sends what was written and sets the deadlines of what is waited for now.
  private void settleTurn() {
    flush();
    updatePhase();
  }

  void flush() {
    if (isClosing()) {
      writer().release(); // what a close from inside came before
    } else {
      writer().flush();
    }
  }

  private boolean isSending() {
    return writer().unsent() > 0;
  }

  /// Ends the connection with the response incomplete; those before it are sent if the kernel takes
  /// them.
  void breakOff() {
    if (!isClosing()) {
      writer().flush();
    }
    channel().close();
  }

  /// Something of the exchange's response could not be written.
  void broken(Http1Exchange at, Throwable cause) {
    if (at == exchange) {
      abort(cause);
      breakOff();
    }
  }

  // ---- draining ----

  /// Ends the connection as soon as no request is being answered. Loop only.
  public void drain() {
    requireLoop();
    draining = true;
    if (exchange != null) {
      closeAfterResponse();
      resume();
    } else {
      closeGracefully();
    }
  }

  // ---- deadlines ----

  /// Sets the deadline of what the connection waits for now.
  private void updatePhase() {
    if (isClosing()) {
      return;
    }
    boolean sending = isSending();
    if (sending) {
      watchSending();
    }
    Phase now = currentPhase(sending);
    if (now == phase && requests == phaseRequest && now != Phase.IDLE) {
      return;
    }
    if (phase == Phase.BODY && requests == phaseRequest) {
      bodyRate().stopped(channel().loop().now());
    }
    phase = now;
    phaseRequest = requests;
    switch (now) {
      case IDLE, SENDING -> deadlines().set(settings.keepAliveTimeout().toNanos());
      case HEAD -> deadlines().set(settings.headTimeout().toNanos());
      case BODY -> watchBody();
      case DISCARDING -> deadlines().set(settings.discardTimeout().toNanos());
      case ANSWERING, CLOSING -> deadlines().clear();
    }
  }

  private Phase currentPhase(boolean sending) {
    @Nullable Http1Exchange current = exchange;
    if (current == null) {
      if (sending) {
        return Phase.SENDING;
      }
      return parser().isInsideHead() || !received.isEmpty() ? Phase.HEAD : Phase.IDLE;
    }
    if (!parser().isInsideBody() || backlogPause != null) {
      return Phase.ANSWERING;
    }
    if (current.takesBody()) {
      return Phase.BODY;
    }
    return current.hasEnded() ? Phase.DISCARDING : Phase.ANSWERING;
  }

  /// Waits for the end of the window of the body's rate, or of what is left of it.
  private void watchBody() {
    if (bodyRate().isWatched()) {
      deadlines().set(bodyRate().resume(channel().loop().now()));
    } else {
      deadlines().clear();
    }
  }

  void deadlineReached() {
    switch (phase) {
      case IDLE -> closeGracefully();
      case HEAD ->
          timeOut("the head took longer than headTimeout, which is " + settings.headTimeout());
      case BODY -> {
        if (!channel().isReadingPaused() && bodyRate().isTooSlow()) {
          timeOut(
              "the body came slower than minBodyRate, which is "
                  + settings.minBodyRate()
                  + " bytes a second");
        } else {
          bodyRate().begin();
          watchBody();
        }
      }
      case DISCARDING -> closeGracefully();
      case SENDING -> {
        phase = Phase.ANSWERING; // so that the phase of now gets a deadline of its own
        updatePhase();
      }
      case ANSWERING, CLOSING -> {}
    }
  }

  private void timeOut(String text) {
    refuse(new IOException(text), HttpStatus.REQUEST_TIMEOUT, text);
  }
}

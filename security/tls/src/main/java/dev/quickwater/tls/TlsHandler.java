package dev.quickwater.tls;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.Payload;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.spi.Messages;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Encrypts a channel: the handlers behind it read and write plaintext.
///
/// - **Place:** first in the pipeline. Added to an active channel (STARTTLS), it begins at once;
///   the program adds it before the peer's first TLS byte can arrive. An instance serves one
///   channel, on the loop of that channel.
/// - **Order:** handlers see the channel active only once the handshake is complete and the peer
///   was verified. Directly before that, they receive the [TlsSession] as a user event. Messages
///   written earlier wait.
/// - **A failed handshake** fails [#handshake], sends the alert, if there is one, and closes the
///   channel. Handlers that did not see the channel active do not see it inactive either.
/// - **Later failures** are exception events with a [TlsException]. A transport that ends without
///   close_notify is one ([TlsException#isTruncation]): data may be missing.
/// - **The peer's close_notify** is reported as the end of the input. The channel then closes after
///   its pending writes, unless its settings permit half-closed channels.
/// - **Closing gracefully** and ending the output send close_notify.
/// - **Writes:** only a [Payload] can be encrypted. Other messages, and payloads that are written
///   after our direction has ended, fail.
/// - **Pauses** of reading do not stop the handshake.
/// - **Counting:** messages that wait for encryption count for
///   [dev.quickwater.channel.Channel#isWritable] and the hard limit.
public final class TlsHandler implements ChannelHandler {

  private static final System.Logger LOG = System.getLogger(TlsHandler.class.getName());

  /// The plaintext that is encrypted before the pending bytes of the transport are checked again.
  private static final int BATCH = 64 << 10;

  /// The pending bytes of the transport above which no more is encrypted. What a slow peer does not
  /// read stays plaintext or a file, and costs no memory for ciphertext.
  private static final int MIN_WINDOW = 128 << 10;

  /// The window of a peer that takes all bytes at once. Each call to the kernel wakes the peer, so
  /// few large writes are cheaper.
  private static final int MAX_WINDOW = 512 << 10;

  /// How long a peer may take to read the alert of a failed handshake, and how much it may send
  /// meanwhile.
  private static final Duration ALERT_TIME = Duration.ofSeconds(1);

  private static final long ALERT_BYTES = 64 << 10;

  private enum Phase {
    /// Not in a pipeline of an active channel.
    NEW,
    HANDSHAKE,
    OPEN,
    /// The handshake failed; the alert is being sent.
    REFUSED,
    /// A failure was reported, or the channel has closed.
    ENDED
  }

  private final TlsContext tls;
  private final @Nullable String host;
  private final int port;
  private final HandshakeWatch watch;

  private Phase phase = Phase.NEW;
  private @Nullable HandlerContext context;
  private @Nullable TlsEngine engine;
  private @Nullable PlaintextQueue queue;
  private @Nullable Promise<TlsSession> handshake;
  private volatile @Nullable TlsSession session;

  /// What ends our direction once everything is encrypted, or the connection fails before.
  private @Nullable Runnable end;

  /// Plaintext that arrived with the end of the handshake.
  private @Nullable ByteBuf early;

  /// The bytes in the transport above which no more is encrypted, between the two limits.
  private int window = MIN_WINDOW;

  private boolean activeWasSeen;
  private boolean activeReported;
  private boolean paused;

  /// A part of the handshake runs on a virtual thread, and the transport does not read.
  private boolean blocked;

  private boolean processing;
  private boolean delivered;
  private boolean encrypting;
  private boolean awaitingTransport;
  private boolean inputEnded;
  private boolean inputEndReported;

  /// Bytes that may be received while a graceful close waits for messages to be encrypted.
  private long receivable = Long.MAX_VALUE;

  private TlsHandler(TlsContext tls, @Nullable String host, int port) {
    this.tls = tls;
    this.watch = new HandshakeWatch(tls);
    this.host = host;
    this.port = port;
  }

  /// The handler of a connection that a client opened.
  public static TlsHandler server(TlsContext context) {
    return new TlsHandler(context, null, 0);
  }

  /// The handler of a connection to a server.
  ///
  /// @param host the host name or IP address of the server. A name is sent (SNI). Name or address
  ///   is compared with the certificate
  /// @param port the port of the server; sessions are resumed only with the same host and port
  /// @throws IllegalArgumentException if the host is not a valid name or address, or the library
  ///   cannot request it
  public static TlsHandler client(TlsContext context, String host, int port) {
    context.checkHost(host);
    return new TlsHandler(context, host, port);
  }

  /// Succeeds with the session when the handshake is complete, and fails with the reason if it does
  /// not complete. Loop only.
  ///
  /// @throws IllegalStateException if the handler was not added to a pipeline
  public Future<TlsSession> handshake() {
    if (handshake == null) {
      throw new IllegalStateException("the handler was not added to a pipeline");
    }
    return handshake;
  }

  /// What the handshake agreed on; null before it is complete. Any thread.
  public @Nullable TlsSession session() {
    return session;
  }

  // ---- beginning ----

  @Override
  public void handlerAdded(HandlerContext added) throws Exception {
    EventLoop loop = added.channel().loop();
    context = added;
    queue = new PlaintextQueue(added.allocator());
    handshake = loop.newPromise();
    engine =
        host == null ? tls.accept(added.allocator()) : tls.connect(host, port, added.allocator());
    paused = added.channel().isReadingPaused();
    if (added.channel().isActive()) {
      begin(added);
    }
  }

  @Override
  public void channelActive(HandlerContext at) {
    activeWasSeen = true;
    if (phase == Phase.NEW) {
      begin(at);
    }
  }

  private void begin(HandlerContext at) {
    if (host == null && !watch.permits(at.channel())) {
      phase = Phase.ENDED;
      at.close();
      return;
    }
    phase = Phase.HANDSHAKE;
    watch.begin(at.channel().loop(), this::timedOut);
    if (paused) {
      at.resumeReading();
    }
    try {
      engine().start();
    } catch (TlsException e) {
      failed(at, e);
      return;
    }
    sendOutput(at);
    at.flush();
  }

  private void timedOut() {
    if (phase == Phase.HANDSHAKE) {
      failed(Objects.requireNonNull(context), watch.tooLong());
    }
  }

  private TlsEngine engine() {
    return Objects.requireNonNull(engine);
  }

  private PlaintextQueue queue() {
    return Objects.requireNonNull(queue);
  }

  // ---- reading ----

  @Override
  public void channelRead(HandlerContext at, Object message) {
    if (!(message instanceof ByteBuf ciphertext)) {
      at.fireChannelRead(message);
      return;
    }
    if (phase == Phase.HANDSHAKE || phase == Phase.OPEN) {
      if (end != null && phase == Phase.OPEN) {
        receivable -= ciphertext.readableBytes();
        if (receivable < 0) {
          at.pauseReading(); // until the channel discards the input
        }
      }
      engine().receive(ciphertext);
      process(at);
    } else {
      ciphertext.release();
    }
  }

  /// Decrypts what was received, until a handler pauses.
  private void process(HandlerContext at) {
    if (processing) {
      return;
    }
    processing = true;
    try {
      while (phase == Phase.HANDSHAKE || (phase == Phase.OPEN && !paused)) {
        @Nullable ByteBuf plaintext = takeEarly();
        if (plaintext == null) {
          plaintext = engine().read();
        }
        if (phase == Phase.HANDSHAKE && engine().isOpen()) {
          early = plaintext;
          opened(at);
        } else if (plaintext != null) {
          delivered = true;
          at.fireChannelRead(plaintext);
        } else {
          break;
        }
      }
      sendOutput(at);
    } catch (TlsException e) {
      failed(at, e);
    } finally {
      processing = false;
    }
    runTask(at);
    inputProcessed(at);
  }

  /// Runs a part of the handshake that may block. What the peer sends meanwhile waits in the
  /// transport.
  private void runTask(HandlerContext at) {
    @Nullable Runnable task = phase == Phase.HANDSHAKE ? engine().takeTask() : null;
    if (task == null) {
      return;
    }
    blocked = true;
    at.pauseReading();
    EventLoop loop = at.channel().loop();
    Thread.ofVirtual()
        .name("quickwater-tls-handshake")
        .start(() -> {
          try {
            task.run();
          } finally {
            taskEnded(loop);
          }
        });
  }

  private void taskEnded(EventLoop loop) {
    try {
      loop.execute(() -> {
        HandlerContext at = Objects.requireNonNull(context);
        if (phase == Phase.HANDSHAKE) {
          unblock(at);
          process(at);
          channelReadComplete(at);
        }
      });
    } catch (RejectedExecutionException _) {
      // The loop has ended, and closed the connection.
    }
  }

  private void unblock(HandlerContext at) {
    if (blocked) {
      blocked = false;
      at.resumeReading();
    }
  }

  private @Nullable ByteBuf takeEarly() {
    @Nullable ByteBuf plaintext = early;
    early = null;
    return plaintext;
  }

  private void opened(HandlerContext at) {
    TlsSession agreed = engine().session();
    phase = Phase.OPEN;
    session = agreed;
    watch.completed(at.channel(), agreed);
    sendOutput(at);
    if (paused) {
      at.pauseReading();
    }
    Objects.requireNonNull(handshake).trySuccess(agreed);
    at.fireUserEvent(agreed);
    if (activeWasSeen && phase == Phase.OPEN) {
      activeReported = true;
      at.fireChannelActive();
    }
    encryptFlushed(at);
  }

  /// Reports the end of the input, once everything before it was delivered.
  private void inputProcessed(HandlerContext at) {
    if ((phase != Phase.HANDSHAKE && phase != Phase.OPEN) || early != null) {
      return;
    }
    if (inputEnded && !(paused && phase == Phase.OPEN)) {
      try {
        engine().endInput();
      } catch (TlsException e) {
        failed(at, e);
        return;
      }
    }
    if (engine().isInputEnded() && !inputEndReported) {
      inputEndReported = true;
      at.fireChannelInputClosed();
      if (!at.channel().settings().halfClose()) {
        at.channel().closeAfterFlush();
      }
    }
  }

  @Override
  public void channelReadComplete(HandlerContext at) {
    at.flush();
    if (delivered) {
      delivered = false;
      at.fireChannelReadComplete();
    }
  }

  @Override
  public void channelInputClosed(HandlerContext at) {
    inputEnded = true;
    process(at);
  }

  @Override
  public void pauseReading(HandlerContext at) {
    paused = true;
    if (phase != Phase.HANDSHAKE) {
      at.pauseReading();
    }
  }

  @Override
  public void resumeReading(HandlerContext at) {
    paused = false;
    if (phase != Phase.HANDSHAKE) {
      at.resumeReading();
    }
    if (phase == Phase.OPEN && !processing) {
      at.channel().loop().ready(this::resume);
    }
  }

  /// Delivers what was received while reading was paused.
  private void resume() {
    if (phase == Phase.OPEN) {
      HandlerContext at = Objects.requireNonNull(context);
      process(at);
      channelReadComplete(at);
    }
  }

  // ---- writing ----

  @Override
  public void write(HandlerContext at, Object message, @Nullable Promise<Void> promise)
      throws Exception {
    if (!(message instanceof Payload payload)) {
      Messages.discard(message);
      throw new IllegalArgumentException(
          "TLS encrypts payloads (ByteBuf, CompositeByteBuf, FileRegion), not "
              + message.getClass().getName());
    }
    if (phase == Phase.REFUSED || phase == Phase.ENDED) {
      payload.release(); // the failure was reported
      if (promise != null) {
        promise.tryFailure(new ClosedChannelException());
      }
      return;
    }
    if (end != null || engine().isOutputEnded()) {
      payload.release();
      refuse(at, promise, new IOException("our direction of the channel has ended"));
      return;
    }
    at.addHeldBytes(queue().add(payload, promise));
  }

  /// Fails one message. The failure is not thrown: [#exceptionCaught] considers a failure during
  /// the handshake a failure of the handshake.
  private static void refuse(
      HandlerContext at, @Nullable Promise<Void> promise, IOException cause) {
    if (promise == null) {
      at.fireExceptionCaught(cause);
    } else {
      promise.tryFailure(cause);
    }
  }

  @Override
  public void flush(HandlerContext at) {
    queue().flush();
    encryptFlushed(at);
    at.flush();
  }

  /// Encrypts flushed messages while the transport takes them.
  private void encryptFlushed(HandlerContext at) {
    if (phase != Phase.OPEN || encrypting || awaitingTransport) {
      return;
    }
    encrypting = true;
    try {
      PlaintextQueue messages = queue();
      while (messages.hasFlushed() && !awaitingTransport) {
        messages.encrypt(engine(), BATCH, at.channel().loop().now());
        removeHeld(at);
        writeBatch(at, messages.takeCompleted());
      }
    } catch (IOException e) {
      failed(at, e);
    } catch (RuntimeException | Error e) { // a message that was begun must not be skipped
      failed(at, new IOException("a message cannot be encrypted: " + e, e));
    } finally {
      encrypting = false;
    }
    if (end != null && phase == Phase.OPEN && queue().isEmpty()) {
      endOutput(at);
    }
  }

  private void writeBatch(HandlerContext at, List<Promise<Void>> completed) {
    @Nullable ByteBuf records = engine().takeOutput();
    if (records == null) {
      records = ByteBuf.wrap();
    }
    boolean full =
        queue().hasFlushed() && at.channel().pendingBytes() + records.readableBytes() >= window;
    if (!full && completed.size() <= 1) {
      at.write(records, completed.isEmpty() ? null : completed.getFirst());
      return;
    }
    Promise<Void> sent = at.channel().loop().newPromise();
    awaitingTransport = full;
    sent.onComplete(done -> {
      for (Promise<Void> promise : completed) {
        if (done.isSuccess()) {
          promise.trySuccess(null);
        } else {
          promise.tryFailure(Objects.requireNonNull(done.cause()));
        }
      }
      if (full) {
        at.channel().loop().defer(() -> continueOutput(at)); // other channels first
      }
    });
    at.write(records, sent);
    if (full) {
      at.flush();
      boolean taken = at.channel().pendingBytes() == 0;
      window = taken ? Math.min(2 * window, MAX_WINDOW) : MIN_WINDOW;
    }
  }

  private void continueOutput(HandlerContext at) {
    awaitingTransport = false;
    encryptFlushed(at);
    at.flush();
  }

  private void removeHeld(HandlerContext at) {
    long done = queue().takeDone();
    if (done > 0) {
      at.removeHeldBytes(done);
    }
  }

  /// Sends handshake messages and alerts.
  private void sendOutput(HandlerContext at) {
    @Nullable ByteBuf records = engine().takeOutput();
    if (records != null) {
      at.write(records);
      if (phase == Phase.HANDSHAKE || !processing) {
        at.flush();
      }
    }
  }

  // ---- ending ----

  @Override
  public void shutdownOutput(HandlerContext at) {
    if (end == null) {
      endAfterOutput(at, at::shutdownOutput);
    }
  }

  /// The channel does not count the input before it closes, which it does after the last message
  /// was encrypted. Until then this handler limits the input: a peer that sends and does not read
  /// would make it decrypt without end.
  @Override
  public void closeGracefully(HandlerContext at, Duration limit, long maxBytes) {
    receivable = Math.min(receivable, maxBytes);
    endAfterOutput(at, () -> at.closeGracefully(limit, maxBytes));
  }

  /// Ends our direction once everything that was written is encrypted. A handshake that no message
  /// waits for is aborted.
  private void endAfterOutput(HandlerContext at, Runnable then) {
    if (phase == Phase.REFUSED) {
      return; // the channel is closing
    }
    boolean aborted = phase == Phase.HANDSHAKE && queue().isEmpty();
    if (phase == Phase.NEW || phase == Phase.ENDED || aborted || engine().isOutputEnded()) {
      then.run();
      return;
    }
    queue().flush();
    end = then;
    encryptFlushed(at);
  }

  private void endOutput(HandlerContext at) {
    try {
      engine().endOutput();
    } catch (TlsException e) {
      failed(at, e);
      return;
    }
    @Nullable ByteBuf records = engine().takeOutput();
    if (records != null) {
      at.write(records);
    }
    at.flush();
    runEnd();
  }

  private void runEnd() {
    @Nullable Runnable then = end;
    end = null;
    if (then != null) {
      then.run();
    }
  }

  @Override
  public void close(HandlerContext at) {
    if (phase != Phase.REFUSED) {
      at.close();
    }
  }

  private void failed(HandlerContext at, IOException cause) {
    boolean refused = phase == Phase.HANDSHAKE;
    unblock(at);
    phase = refused ? Phase.REFUSED : Phase.ENDED;
    if (refused) {
      watch.failed(at.channel(), cause);
    }
    @Nullable ByteBuf alert = engine().takeOutput();
    if (alert != null) {
      at.write(alert);
      at.flush();
    }
    int lost = dropMessages(at, cause);
    if (!refused) {
      at.fireExceptionCaught(cause);
      runEnd();
      return;
    }
    LOG.log(
        System.Logger.Level.DEBUG,
        () ->
            "the TLS handshake with "
                + at.channel().remoteAddress()
                + " failed: "
                + cause.getMessage());
    Objects.requireNonNull(handshake).tryFailure(cause);
    if (lost > 0) {
      at.fireExceptionCaught(cause);
    }
    at.closeGracefully(ALERT_TIME, ALERT_BYTES);
  }

  private int dropMessages(HandlerContext at, Throwable cause) {
    int silent = queue().fail(cause);
    removeHeld(at);
    return silent;
  }

  @Override
  public void channelInactive(HandlerContext at) {
    if (phase == Phase.HANDSHAKE) {
      watch.failed(at.channel(), new ClosedChannelException());
    }
    phase = Phase.ENDED;
    if (activeReported || !activeWasSeen) {
      at.fireChannelInactive();
    }
  }

  @Override
  public void exceptionCaught(HandlerContext at, Throwable cause) {
    if (phase == Phase.HANDSHAKE && cause instanceof IOException broken) {
      failed(at, broken);
    } else {
      at.fireExceptionCaught(cause);
    }
  }

  @Override
  public void handlerRemoved(HandlerContext at) {
    unblock(at);
    if (phase == Phase.HANDSHAKE && paused) {
      at.pauseReading();
    }
    phase = Phase.ENDED;
    watch.cancel();
    ClosedChannelException closed = new ClosedChannelException();
    dropMessages(at, closed);
    if (engine != null) {
      engine.close();
    }
    @Nullable ByteBuf plaintext = takeEarly();
    if (plaintext != null) {
      plaintext.release();
    }
    if (handshake != null) {
      handshake.tryFailure(closed);
    }
    runEnd();
  }
}

package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/// One side of an HTTP/2 connection without a channel, for bytes that another transport carries:
/// received bytes in, exchanges to a handler or a caller, bytes out to an [Output]. It has every
/// limit, deadline and budget of the connections of a server or a client.
///
/// - **Thread and time:** the session belongs to a loop. All methods must be called on it, and its
///   clock is the clock of the deadlines. A loop of
///   [EventLoop#stepped][EventLoop#stepped(dev.quickwater.channel.spi.IoPoller,
///   dev.quickwater.common.Clock)] runs only when its owner steps it, for example in a test with
///   virtual time.
/// - **Input:** each call of [#receive] is a batch. Exchanges begin, and output is flushed, at its
///   end.
/// - **Back-pressure:** while [#wantsInput] is false the owner should not read from its peer. While
///   [Output#pendingBytes] is large, the session sends no content and begins no exchange; the owner
///   calls [#writable] when the number has fallen.
/// - **End:** the session ends once, by [Output#end] or [Output#abort]. The owner reports the end
///   of its transport by [#endInput] or [#close].
public abstract sealed class Http2Session permits Http2ServerSession, Http2ClientSession {

  /// Where a session sends its bytes. The methods are called on the loop, and must not call the
  /// session before they return.
  public interface Output {

    /// Sends bytes after all earlier ones; takes ownership.
    void write(ByteBuf bytes);

    /// The bytes that were written and not sent.
    default long pendingBytes() {
      return 0;
    }

    /// The session has ended in order: closes the transport after the written bytes were sent. A
    /// peer that still sends should be read for a while, because a reset could overtake the last
    /// bytes.
    void end();

    /// The session has failed, or was closed: closes the transport at once.
    void abort();
  }

  final SessionIo io;

  Http2Session(EventLoop loop, Output output) {
    this.io = new SessionIo(loop, output, this);
  }

  abstract Http2Engine engine();

  final void requireLoop() {
    if (!io.loop().inLoop()) {
      throw new IllegalStateException(
          "a session belongs to its loop, "
              + io.loop().name()
              + "; it was called by "
              + Thread.currentThread().getName());
    }
  }

  /// Sends the preface and the settings. Must be called once, before all other methods.
  ///
  /// @throws IllegalStateException on another thread than that of the loop, as for every method
  public final void start() {
    requireLoop();
    engine().start();
  }

  /// Interprets received bytes, however they are split; takes ownership.
  public final void receive(ByteBuf bytes) {
    try {
      requireLoop();
    } catch (IllegalStateException e) {
      bytes.release();
      throw e;
    }
    engine().receive(bytes);
    engine().readComplete();
  }

  /// False while received frames wait for the next turn of the loop.
  public final boolean wantsInput() {
    requireLoop();
    return !io.isHeld();
  }

  /// The peer has ended its direction: open exchanges end.
  public final void endInput() {
    requireLoop();
    engine().endInput();
  }

  /// The number of pending bytes has fallen.
  public final void writable() {
    requireLoop();
    engine().writable();
  }

  /// Announces the end to the peer by GOAWAY, lets open exchanges complete, then ends the session.
  public final void drain() {
    requireLoop();
    engine().drain();
  }

  /// The transport has closed: open exchanges end.
  ///
  /// @param cause the failure of the transport, or null
  public final void close(@Nullable Throwable cause) {
    requireLoop();
    engine().closed(cause);
    io.ended();
  }

  /// The connection that the exchanges of this session have. Its addresses are null.
  public final Http2Connection connection() {
    return io;
  }
}

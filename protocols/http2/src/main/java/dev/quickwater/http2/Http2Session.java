package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.EventLoop;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// One side of an HTTP/2 connection without a channel, for bytes that another transport carries:
/// received bytes in, exchanges to a handler or a caller, bytes out to an [Output]. It has every
/// limit, deadline and budget of the connections of a server or a client.
///
/// - **Thread and time:** the session belongs to a loop. Methods must be called on it unless their
///   doc permits other threads, and its clock is the clock of the deadlines. A loop of
///   [EventLoop#stepped][EventLoop#stepped(dev.quickwater.channel.spi.IoPoller,
///   dev.quickwater.common.Clock)] runs only when its owner steps it, for example in a test with
///   virtual time.
/// - **Input:** each call of [#receive] is a batch. Exchanges begin, and output is flushed, at its
///   end.
/// - **Back-pressure:** while [#wantsInput] is false the owner should not read from its peer. While
///   [Output#pendingBytes] is above 64 KiB, the session sends no content and begins no exchange;
///   the owner calls [#writable] when the number has fallen to 64 KiB or less.
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

    /// The TLS session of the transport, or null in clear text. It decides the scheme of requests.
    default @Nullable SSLSession tlsSession() {
      return null;
    }

    /// Closes the transport after the written bytes were sent, because the session has ended in
    /// order. The implementation should read and drop what the peer still sends for a while: an
    /// immediate close could reset the connection before the peer has read the last bytes.
    void end();

    /// Closes the transport at once, because the session has failed or was closed.
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
  /// @throws IllegalStateException on another thread than that of the loop. This holds for all
  ///   methods that must be called on the loop
  public final void start() {
    requireLoop();
    engine().start();
  }

  /// Interprets received bytes, which may be split at any place; takes ownership, also if it
  /// throws.
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

  /// Reports that the peer has ended its direction: open exchanges end.
  public final void endInput() {
    requireLoop();
    engine().endInput();
  }

  /// Reports that the number of pending bytes has fallen.
  public final void writable() {
    requireLoop();
    engine().writable();
  }

  /// Announces the end to the peer by GOAWAY, lets open exchanges complete, then ends the session.
  public final void drain() {
    requireLoop();
    engine().drain();
  }

  /// Reports that the transport has closed: open exchanges end.
  ///
  /// @param cause the failure of the transport, or null
  public final void close(@Nullable Throwable cause) {
    requireLoop();
    engine().closed(cause);
    io.ended();
  }

  /// The connection that the exchanges of this session return. Its addresses are null. May be
  /// called on any thread.
  public final Http2Connection connection() {
    return io;
  }
}

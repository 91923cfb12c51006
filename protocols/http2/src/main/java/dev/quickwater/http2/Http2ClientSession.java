package dev.quickwater.http2;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Future;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.engine.WaitingCalls;
import org.jspecify.annotations.Nullable;

/// The client's side of an [Http2Session].
public final class Http2ClientSession extends Http2Session {

  private final Http2ClientEngine engine;
  private final WaitingCalls calls;

  /// A session to a server that supports HTTP/2.
  public Http2ClientSession(Http2Settings settings, EventLoop loop, Output output) {
    this(settings, loop, output, null);
  }

  /// A session to a server that supports HTTP/2 and may push responses.
  ///
  /// @param pushes receives the pushed responses; null disables push
  public Http2ClientSession(
      Http2Settings settings, EventLoop loop, Output output, @Nullable PushListener pushes) {
    super(loop, output);
    this.engine = new Http2ClientEngine(settings, io, Http2ClientHandler.USUAL_STREAMS, pushes);
    this.calls = new WaitingCalls(loop, new ExchangeOpener(() -> engine));
    io.onCapacity(this::capacityChanged);
  }

  @Override
  Http2ClientEngine engine() {
    return engine;
  }

  private void capacityChanged() {
    if (engine.isClosed()) {
      calls.fail(null);
    } else {
      calls.openWaiting();
    }
  }

  /// Opens an exchange as soon as the server allows another stream. May be called on any thread.
  ///
  /// @return completes on the loop; fails if the session ends before the exchange is opened
  public Future<ClientExchange> open(RequestHead head) {
    return calls.open(head);
  }
}

package dev.quickwater.http1;

import dev.quickwater.channel.Channel;
import dev.quickwater.common.Future;
import dev.quickwater.http.ClientConnection;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.engine.WaitingCalls;
import org.jspecify.annotations.Nullable;

/// Performs the effects of the client's engine on a channel, and is the connection that callers and
/// exchanges see. Calls of `open` wait while an earlier exchange is open.
final class ClientChannel extends ConnectionChannel implements ClientIo, ClientConnection {

  private final Http1ClientHandler handler;
  private final WaitingCalls calls;
  private @Nullable Runnable onIdle;

  ClientChannel(Channel channel, Http1ClientHandler handler) {
    super(channel);
    this.handler = handler;
    this.calls = new WaitingCalls(channel.loop(), new Opener(handler));
  }

  @Override
  Http1ClientHandler handler() {
    return handler;
  }

  // ---- effects ----

  @Override
  public long hardLimit() {
    return channel.settings().writes().hardLimit();
  }

  @Override
  public void idle() {
    channel.loop().ready(this::becameIdle);
  }

  @Override
  public void closeAnnounced() {
    calls.closeAnnounced();
  }

  // ---- exchanges that wait ----

  @Override
  public Future<ClientExchange> open(RequestHead head) {
    return calls.open(head);
  }

  private static final class Opener implements WaitingCalls.Opener {
    private final Http1ClientHandler handler;

    Opener(Http1ClientHandler handler) {
      this.handler = handler;
    }

    @Override
    public boolean isClosed() {
      return handler.engine().isClosed();
    }

    @Override
    public boolean canOpen(RequestHead head) {
      return handler.engine().isIdle();
    }

    @Override
    public ClientExchange open(RequestHead head) {
      return handler.engine().open(head);
    }

    @Override
    public String peer() {
      return handler.engine().io().peer();
    }
  }

  private void becameIdle() {
    calls.openWaiting();
    if (handler.engine().isIdle() && onIdle != null) {
      onIdle.run();
    }
  }

  void onIdle(Runnable action) {
    onIdle = action;
  }

  /// The channel is closed, or belongs to the handlers of a tunnel.
  void ended(@Nullable Throwable cause) {
    cancelTimer();
    calls.fail(cause);
  }

  // ---- what callers and exchanges see ----

  @Override
  public void onDrain(Runnable action) {
    onLoop(() -> calls.onDrain(action));
  }

  @Override
  public void close() {
    onLoop(channel::close);
  }
}

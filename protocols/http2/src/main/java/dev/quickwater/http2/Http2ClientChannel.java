package dev.quickwater.http2;

import dev.quickwater.channel.Channel;
import dev.quickwater.common.Future;
import dev.quickwater.http.ClientConnection;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.engine.WaitingCalls;
import org.jspecify.annotations.Nullable;

/// Performs the effects of the client's engine on a channel, and is the connection that callers and
/// exchanges see. Calls of `open` wait while the server allows no further stream.
final class Http2ClientChannel extends Http2Channel implements ClientConnection {

  private final Http2ClientHandler handler;
  private final WaitingCalls calls;
  private @Nullable Runnable onCapacity;
  private boolean requested;

  Http2ClientChannel(Channel channel, Http2ClientHandler handler) {
    super(channel);
    this.handler = handler;
    this.calls = new WaitingCalls(channel.loop(), new ExchangeOpener(handler::engine));
  }

  @Override
  Http2ClientEngine engine() {
    return handler.engine();
  }

  // ---- exchanges that wait ----

  @Override
  public Future<ClientExchange> open(RequestHead head) {
    return calls.open(head);
  }

  @Override
  public void capacityChanged() {
    if (!requested) {
      requested = true;
      channel.loop().ready(this::notifyCapacity);
    }
  }

  private void notifyCapacity() {
    requested = false;
    if (engine().isClosed()) {
      calls.fail(null);
      calls.closeAnnounced();
    } else {
      calls.openWaiting();
    }
    if (onCapacity != null) {
      onCapacity.run();
    }
  }

  void onCapacity(Runnable action) {
    onCapacity = action;
  }

  /// The channel is closed.
  void ended() {
    cancelTimer();
    calls.fail(null);
  }

  // ---- what callers see ----

  @Override
  public void onDrain(Runnable action) {
    onLoop(() -> calls.onDrain(action));
  }

  @Override
  public void close() {
    onLoop(channel::close);
  }
}

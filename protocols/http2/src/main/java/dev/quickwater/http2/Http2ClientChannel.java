package dev.quickwater.http2;

import dev.quickwater.channel.Channel;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.http.ClientConnection;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.ExchangeEndedException;
import dev.quickwater.http.Outcome;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Performs the effects of the client's engine on a channel, and is the connection that callers and
/// exchanges see. Calls of `open` wait here while the server allows no further stream.
final class Http2ClientChannel extends Http2Channel implements ClientConnection {

  /// The maximum number of waiting calls; further calls fail. A pool never reaches it, because it
  /// opens exchanges only on an available connection.
  private static final int MAX_WAITING = 1000;

  private final Http2ClientHandler handler;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>(0);
  private final List<Runnable> onDrain = new ArrayList<>(0);
  private @Nullable Runnable onCapacity;
  private boolean requested;
  private boolean closeAnnounced;

  private record Waiting(RequestHead head, Promise<ClientExchange> promise) {}

  Http2ClientChannel(Channel channel, Http2ClientHandler handler) {
    super(channel);
    this.handler = handler;
  }

  @Override
  Http2ClientEngine engine() {
    return handler.engine();
  }

  // ---- exchanges that wait ----

  @Override
  public Future<ClientExchange> open(RequestHead head) {
    Promise<ClientExchange> promise = channel.loop().newPromise();
    if (channel.loop().inLoop()) {
      enqueue(new Waiting(head, promise));
    } else {
      try {
        channel.loop().execute(() -> enqueue(new Waiting(head, promise)));
      } catch (RejectedExecutionException e) {
        promise.tryFailure(e);
      }
    }
    return promise;
  }

  private void enqueue(Waiting next) {
    if (engine().isClosed()) {
      next.promise.tryFailure(unprocessed(null));
    } else if (waiting.size() >= MAX_WAITING) {
      next.promise.tryFailure(
          new IllegalStateException(
              MAX_WAITING + " exchanges wait for the connection to " + peer()));
    } else {
      waiting.add(next);
      openWaiting();
    }
  }

  private void open(Waiting next) {
    ClientExchange opened;
    try {
      opened = engine().open(next.head);
    } catch (Throwable t) { // for example exhausted memory
      next.promise.tryFailure(t);
      return;
    }
    if (!next.promise.trySuccess(opened)) {
      opened.reset(ResetCode.CANCEL);
    }
  }

  private void openWaiting() {
    while (engine().canOpen() && !waiting.isEmpty()) {
      boolean extended = waiting.element().head.protocol() != null;
      if (extended && !engine().hasPeerSettings()) {
        return; // only the settings permit extended CONNECT (RFC 8441 section 3)
      }
      Waiting next = waiting.remove();
      if (extended && !engine().peer.connectProtocol()) {
        next.promise.tryFailure(
            new UnsupportedOperationException(
                peer() + " does not support extended CONNECT (RFC 8441)"));
      } else if (!next.promise.isDone()) {
        open(next);
      }
    }
  }

  private static ExchangeEndedException unprocessed(@Nullable Throwable cause) {
    return new ExchangeEndedException(
        new Outcome(Outcome.Kind.PEER_GONE, ResetCode.REFUSED, null, 0, 0, cause));
  }

  private void failWaiting(@Nullable Throwable cause) {
    for (@Nullable Waiting next; (next = waiting.poll()) != null; ) {
      next.promise.tryFailure(unprocessed(cause));
    }
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
      failWaiting(null);
      announceClose();
    } else {
      openWaiting();
    }
    if (onCapacity != null) {
      onCapacity.run();
    }
  }

  private void announceClose() {
    if (!closeAnnounced) {
      closeAnnounced = true;
      onDrain.forEach(channel.loop()::ready);
      onDrain.clear();
    }
  }

  void onCapacity(Runnable action) {
    onCapacity = action;
  }

  /// The channel is closed.
  void ended() {
    cancelTimer();
    failWaiting(null);
  }

  // ---- what callers see ----

  @Override
  public void onDrain(Runnable action) {
    onLoop(() -> {
      if (closeAnnounced) {
        action.run();
      } else {
        onDrain.add(action);
      }
    });
  }

  @Override
  public void close() {
    onLoop(channel::close);
  }
}

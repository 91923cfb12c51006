package dev.quickwater.http1;

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
/// exchanges see. Calls of `open` wait here while an earlier exchange is open.
final class ClientChannel extends ConnectionChannel implements ClientIo, ClientConnection {

  /// The maximum number of waiting calls; further calls fail. A pool never reaches it, because it
  /// opens exchanges only on an available connection.
  private static final int MAX_WAITING = 1000;

  private final Http1ClientHandler handler;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>(0);
  private final List<Runnable> onDrain = new ArrayList<>(0);
  private @Nullable Runnable onIdle;

  private boolean closeAnnounced;

  private record Waiting(RequestHead head, Promise<ClientExchange> promise) {}

  ClientChannel(Channel channel, Http1ClientHandler handler) {
    super(channel);
    this.handler = handler;
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
    closeAnnounced = true;
    onDrain.forEach(channel.loop()::ready);
    onDrain.clear();
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
    if (handler.engine().isClosed()) {
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

  private void openWaiting() {
    while (handler.engine().isIdle() && !waiting.isEmpty()) {
      Waiting next = waiting.remove();
      if (!next.promise.isDone()) {
        ClientExchange opened = handler.engine().open(next.head);
        if (!next.promise.trySuccess(opened)) {
          opened.reset(ResetCode.CANCEL);
        }
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

  private void becameIdle() {
    openWaiting();
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
    failWaiting(cause);
  }

  // ---- what callers and exchanges see ----

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

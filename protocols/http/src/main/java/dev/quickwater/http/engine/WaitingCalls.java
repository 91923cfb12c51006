package dev.quickwater.http.engine;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
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

/// The calls of `open` that wait until a client's connection can carry another exchange, and the
/// callbacks for the announced close of the connection.
///
/// - Calls are served in their order. A call that must wait also holds those behind it.
/// - A call whose future was cancelled opens no exchange.
/// - Calls that wait when the connection closes fail as unprocessed, so that they can be repeated.
///
/// Loop only, unless a method's doc states otherwise.
public final class WaitingCalls {

  /// The maximum number of waiting calls; further calls fail. A pool never reaches it, because it
  /// opens exchanges only on an available connection.
  private static final int MAX_WAITING = 1000;

  private final EventLoop loop;
  private final Opener opener;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>(0);
  private final List<Runnable> onDrain = new ArrayList<>(0);
  private boolean closeAnnounced;

  private record Waiting(RequestHead head, Promise<ClientExchange> promise) {}

  /// Opens the exchanges of a connection. Loop only.
  public interface Opener {

    /// True if no exchange can be opened any more.
    boolean isClosed();

    /// True if an exchange with this head can be opened now.
    boolean canOpen(RequestHead head);

    /// Opens an exchange. An exception fails the call.
    ClientExchange open(RequestHead head);

    /// The peer, for messages.
    String peer();
  }

  /// The calls of one connection.
  ///
  /// @param loop the loop of the connection
  public WaitingCalls(EventLoop loop, Opener opener) {
    this.loop = loop;
    this.opener = opener;
  }

  /// Opens an exchange, now or later; on any thread.
  public Future<ClientExchange> open(RequestHead head) {
    Promise<ClientExchange> promise = loop.newPromise();
    if (loop.inLoop()) {
      if (waiting.isEmpty() && !opener.isClosed() && opener.canOpen(head)) {
        open(head, promise);
      } else {
        enqueue(new Waiting(head, promise));
      }
    } else {
      try {
        loop.execute(() -> enqueue(new Waiting(head, promise)));
      } catch (RejectedExecutionException e) {
        promise.tryFailure(e);
      }
    }
    return promise;
  }

  private void enqueue(Waiting next) {
    if (opener.isClosed()) {
      next.promise.tryFailure(unprocessed(null));
    } else if (waiting.size() >= MAX_WAITING) {
      next.promise.tryFailure(
          new IllegalStateException(
              MAX_WAITING + " exchanges wait for the connection to " + opener.peer()));
    } else {
      waiting.add(next);
      openWaiting();
    }
  }

  /// Opens exchanges as far as the connection allows.
  public void openWaiting() {
    for (@Nullable Waiting next; (next = waiting.peek()) != null; ) {
      if (!next.promise.isDone() && !opener.canOpen(next.head)) {
        return;
      }
      waiting.remove();
      if (!next.promise.isDone()) {
        open(next.head, next.promise);
      }
    }
  }

  private void open(RequestHead head, Promise<ClientExchange> promise) {
    ClientExchange opened;
    try {
      opened = opener.open(head);
    } catch (Throwable t) { // for example exhausted memory
      promise.tryFailure(t);
      return;
    }
    if (!promise.trySuccess(opened)) {
      opened.reset(ResetCode.CANCEL);
    }
  }

  /// The connection has closed, or opens no further exchange: fails the waiting calls.
  public void fail(@Nullable Throwable cause) {
    for (@Nullable Waiting next; (next = waiting.poll()) != null; ) {
      next.promise.tryFailure(unprocessed(cause));
    }
  }

  private static ExchangeEndedException unprocessed(@Nullable Throwable cause) {
    return new ExchangeEndedException(
        new Outcome(Outcome.Kind.PEER_GONE, ResetCode.REFUSED, null, 0, 0, cause));
  }

  /// The connection will close after its open exchanges: runs the callbacks, once.
  public void closeAnnounced() {
    if (!closeAnnounced) {
      closeAnnounced = true;
      onDrain.forEach(loop::ready);
      onDrain.clear();
    }
  }

  /// Registers a callback for the announced close.
  public void onDrain(Runnable action) {
    if (closeAnnounced) {
      action.run();
    } else {
      onDrain.add(action);
    }
  }
}

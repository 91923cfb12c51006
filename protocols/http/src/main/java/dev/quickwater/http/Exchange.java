package dev.quickwater.http;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.AttributeKey;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One request and its response, on either side and in every version of HTTP.
///
/// - **Thread:** [#request], [#loop], [#connection] and [#execute] may be called on any thread. All
///   other methods, and those of the bodies, belong to the loop and throw [IllegalStateException]
///   on another thread.
/// - **Callbacks** run on the loop and never inside the call that registers them. An exception that
///   a callback throws fails the exchange.
/// - **End:** a server's exchange ends with its response. A client's exchange ends when the end of
///   the response was delivered. After the end, or after a failure, further calls have no effect
///   and release their arguments.
/// - **Ownership:** every method with a [dev.quickwater.buffer.ByteBuf] or a file as an argument
///   takes ownership of it, even if the method throws.
public interface Exchange extends Executor {

  /// The head of the request.
  RequestHead request();

  /// The loop of the exchange. Timers, buffers and clients of this loop run on the same thread.
  EventLoop loop();

  /// Runs a task on the loop; on any thread. An exception that the task throws fails the exchange.
  @Override
  void execute(Runnable task);

  /// The connection that carries the exchange.
  HttpConnection connection();

  /// The value of a key in this exchange, or null. A thread that receives the exchange sees all
  /// values that were set before.
  <T> @Nullable T attribute(AttributeKey<T> key);

  /// Sets the value of a key in this exchange.
  <T> void attribute(AttributeKey<T> key, T value);

  /// The limits in effect.
  ExchangeLimits limits();

  /// Replaces the limits at once, for example for one route or one call.
  void limits(ExchangeLimits limits);

  /// Aborts the exchange: RST_STREAM on HTTP/2. On HTTP/1.1 the connection closes, and the peer
  /// receives an incomplete message.
  void reset(ResetCode code);

  /// Registers a callback that runs when the connection begins to drain, or soon if the drain has
  /// begun. Several callbacks may be registered. They are dropped when the exchange ends.
  void onDrain(Runnable action);

  /// Registers a callback for the end of the exchange. Several callbacks may be registered; each
  /// runs once, after all other callbacks. A callback that is registered after the end runs soon.
  void onEnd(Consumer<? super Outcome> action);
}

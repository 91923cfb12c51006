package dev.quickwater.http;

import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.common.Future;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// A client's exchange, bound to a connection.
public interface ClientExchange extends Exchange {

  /// The body of the request. It is not writable while the server has not answered an expectation
  /// of 100 (Continue).
  OutgoingBody requestBody();

  /// Registers a callback for informational responses. Responses that arrived earlier are dropped.
  void onInform(BiConsumer<HttpStatus, HttpHeaders> action);

  /// Registers the callback for the head of the response, which is held until then.
  void onResponse(Consumer<? super ResponseHead> action);

  /// The body of the response.
  IncomingBody responseBody();

  /// True after a response that opens a tunnel: 101, or 2xx to CONNECT.
  boolean isTunnel();

  /// Turns the exchange into a channel.
  ///
  /// @throws IllegalStateException unless [#isTunnel]
  void tunnel(ChannelInitializer initializer);

  /// Collects the whole body of the response.
  ///
  /// @return fails with an [java.io.IOException] if the body has more than `maxBytes`
  default Future<byte[]> readAll(int maxBytes) {
    return BodyCollector.collect(this, responseBody(), maxBytes);
  }
}

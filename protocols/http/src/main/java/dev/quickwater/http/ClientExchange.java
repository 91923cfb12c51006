package dev.quickwater.http;

import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.common.Future;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// A client's exchange, bound to a connection.
///
/// - A request whose head announces no body is sent at once. Otherwise the head leaves with the
///   first bytes of the body, with its end, or with a flush.
/// - The exchange ends when a reader of [#responseBody] has received the end of the body, even if
///   the body is empty. A caller that does not need the body calls [#reset].
/// - If the response ends before the request, the rest of the request is dropped and an HTTP/1.1
///   connection closes.
public interface ClientExchange extends Exchange {

  /// The body of the request. It is not writable while the exchange waits for 100 (Continue).
  OutgoingBody requestBody();

  /// Registers a callback for informational responses. Responses that arrived earlier are dropped.
  void onInform(BiConsumer<HttpStatus, HttpHeaders> action);

  /// Registers the callback for the head of the response. The head is held until a callback is
  /// registered. A change of protocol has status 101 on HTTP/1.1, 200 on HTTP/2.
  ///
  /// @throws IllegalStateException if a callback was registered before
  void onResponse(Consumer<? super ResponseHead> action);

  /// The body of the response.
  IncomingBody responseBody();

  /// True after a response that opens a tunnel: 101 on HTTP/1.1, 2xx to a CONNECT, and on HTTP/2
  /// 2xx to a request with [RequestHead#protocol].
  boolean isTunnel();

  /// Turns the exchange into a channel.
  ///
  /// @throws IllegalStateException unless [#isTunnel]
  void tunnel(ChannelInitializer initializer);

  /// Collects the whole body of the response. If that fails, the exchange is reset.
  ///
  /// @return fails with an [HttpException] of status 413 if the body has more than `maxBytes`
  default Future<byte[]> readAll(int maxBytes) {
    return BodyCollector.collect(this, responseBody(), maxBytes, -1)
        .onComplete(body -> {
          if (!body.isSuccess()) {
            reset(ResetCode.CANCEL);
          }
        });
  }
}

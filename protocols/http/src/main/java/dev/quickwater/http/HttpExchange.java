package dev.quickwater.http;

import dev.quickwater.buffer.FileRegion;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.common.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A server's exchange. A handler ends it with exactly one of [#respond], [#tunnel], [#fail] and
/// [#reset]; a second one throws [IllegalStateException].
///
/// Until the head of the response has left, [#fail] replaces it. The head leaves with the first
/// bytes of the body, with a flush, or with the end.
public interface HttpExchange extends Exchange {

  /// The body of the request. Its first [IncomingBody#read] sends 100 (Continue) if the client
  /// waits for it.
  IncomingBody requestBody();

  /// Sends an informational response, 102 to 199; before the head of the final response. It has no
  /// effect on HTTP/1.0.
  ///
  /// @throws IllegalArgumentException for another status
  void inform(HttpStatus status, HttpHeaders headers);

  /// Responds with a whole message.
  void respond(HttpResponse whole);

  /// Responds with a head whose body follows. A response that has no body (HEAD, 204, 304) ends
  /// here; what is written to it is released.
  OutgoingBody respond(ResponseHead head);

  /// Responds with bytes of a file, which the kernel sends where it can. Takes ownership of the
  /// file. The length of the body is that of the region.
  void respond(ResponseHead head, FileRegion file);

  /// Responds when `later` completes; its failure is a [#fail].
  void respond(Future<HttpResponse> later);

  /// Ends the exchange for a failure: with the response of a mapping of [#onFail], with the status
  /// of an [HttpException], or with 500 and a log line. If the head of a response has left, the
  /// exchange is reset. The cause of a [java.util.concurrent.CompletionException] counts.
  void fail(Throwable cause);

  /// Adds a transformation of the final response; the last one added runs first. It sees every
  /// final head, also those that the engine makes.
  void onRespond(ResponseTransform transform);

  /// Adds a mapping from failures to responses, which are in memory; null passes the failure on.
  /// The last one added is tried first.
  void onFail(Function<? super Throwable, ? extends @Nullable HttpResponse> mapping);

  /// Turns the exchange into a channel: 101 for a request with [RequestHead#protocol], 2xx for
  /// CONNECT. The initializer adds its handlers before the first byte of the tunnel arrives. A
  /// WebSocket handshake that RFC 6455 section 4.2 does not allow fails the exchange instead: 400,
  /// or 426 for another version than 13. The engine sends Sec-WebSocket-Accept.
  ///
  /// @throws IllegalStateException after reading the body, or if the request opens no tunnel
  void tunnel(HttpHeaders headers, ChannelInitializer initializer);

  /// Collects the whole body of the request.
  ///
  /// @return fails with an [HttpException] of 413 if the body has more than `maxBytes`
  default Future<byte[]> readAll(int maxBytes) {
    return BodyCollector.collect(this, requestBody(), maxBytes, request().contentLength());
  }

  /// The value of a path parameter of the route.
  ///
  /// @throws IllegalArgumentException if the route has no parameter of that name
  default String param(String name) {
    @Nullable PathParams params = attribute(PathParams.KEY);
    if (params == null) {
      throw new IllegalArgumentException(
          "no route with parameters matched, but the parameter " + name + " was requested");
    }
    return params.get(name);
  }
}

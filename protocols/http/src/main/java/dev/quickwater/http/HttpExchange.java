package dev.quickwater.http;

import dev.quickwater.buffer.FileRegion;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.common.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A server's exchange. A handler ends it with exactly one call of [#respond], [#tunnel], [#fail]
/// or [#reset]; a second call throws [IllegalStateException].
///
/// Until the head of the response has left, [#fail] replaces it. The head leaves with the first
/// bytes of the body, with a flush, or with the end.
public interface HttpExchange extends Exchange {

  /// The body of the request. Its first [IncomingBody#read] sends 100 (Continue) if the client
  /// waits for it.
  IncomingBody requestBody();

  /// Sends an informational response, 102 to 199, before the head of the final response. Has no
  /// effect on HTTP/1.0.
  ///
  /// @throws IllegalArgumentException for another status
  void inform(HttpStatus status, HttpHeaders headers);

  /// Responds with a whole message.
  void respond(HttpResponse whole);

  /// Responds with a head, which a body follows. A response without a body (HEAD, 204, 304) ends
  /// here; bytes written to it are released.
  OutgoingBody respond(ResponseHead head);

  /// Responds with bytes of a file. On HTTP/1.1 the kernel sends them where the transport supports
  /// it; on HTTP/2 they are read and sent as bytes. Takes ownership of the file. The length of the
  /// body is that of the region.
  void respond(ResponseHead head, FileRegion file);

  /// Responds when `later` completes. If `later` fails, the exchange fails ([#fail]).
  void respond(Future<HttpResponse> later);

  /// Ends the exchange because of a failure. The response is that of a mapping of [#onFail], or has
  /// the status of an [HttpException], or is a 500 with a log line. If the head of a response has
  /// left, the exchange is reset. A [java.util.concurrent.CompletionException] counts as its cause.
  void fail(Throwable cause);

  /// Adds a transformation of the final response; the last one added runs first. It receives every
  /// final head, including heads that the engine makes.
  void onRespond(ResponseTransform transform);

  /// Adds a mapping from failures to responses. The body of the response must be in memory. A
  /// mapping that returns null passes the failure on. The last mapping added runs first.
  void onFail(Function<? super Throwable, ? extends @Nullable HttpResponse> mapping);

  /// Turns the exchange into a channel. The status is 101 for a request with [RequestHead#protocol]
  /// on HTTP/1.1, 200 for such a request on HTTP/2 and for CONNECT. The initializer adds its
  /// handlers before the first byte of the tunnel arrives. The engine sends Sec-WebSocket-Accept
  /// where the version of HTTP needs it.
  ///
  /// If a WebSocket handshake is not allowed (RFC 6455 section 4.2, RFC 8441 section 5), the
  /// exchange fails instead: with 400, or on HTTP/1.1 with 426 for a version other than 13.
  ///
  /// @throws IllegalStateException after reading the body, or if the request opens no tunnel
  void tunnel(HttpHeaders headers, ChannelInitializer initializer);

  /// True if [#push] can promise a response now. It is false on HTTP/1.1, if the client has
  /// disabled push (browsers do), at the client's limit of streams, while the connection drains,
  /// after this response has ended, and in a pushed exchange.
  default boolean acceptsPush() {
    return false;
  }

  /// Promises the response to a further request (server push, RFC 9113 section 8.4). The handler of
  /// the connection receives that request like those of the client, after this method has returned.
  /// Call this method before you write the bytes of this response that refer to the other one;
  /// otherwise the client may request it, too.
  ///
  /// @param request a GET or HEAD without a body, and with no authority or that of this request. It
  ///   is sent with the scheme and authority of this request
  /// @throws IllegalStateException unless [#acceptsPush]; the message has the reason
  /// @throws IllegalArgumentException if the request cannot be promised
  default void push(RequestHead request) {
    throw new IllegalStateException(
        "the connection of " + request() + " does not accept pushed responses");
  }

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

package dev.quickwater.http2;

import dev.quickwater.http.Authority;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http2.StreamState.Event;
import org.jspecify.annotations.Nullable;

/// The responses that a server promises (RFC 9113 section 8.4).
///
/// - A promise is sent on the stream of a request of the client whose response has not ended. The
///   promised stream has the next even id, and its request goes to the handler like other requests.
/// - Nothing is promised unless the client accepts it: SETTINGS_ENABLE_PUSH, and
///   SETTINGS_MAX_CONCURRENT_STREAMS for the promised streams that are open.
/// - A promised request is safe, has no body, and has the authority of the request that caused it,
///   for which the server is authoritative.
/// - Pushed streams do not count against the streams of the client.
///
/// Loop only.
final class Pushes {

  private final Http2ServerEngine engine;

  /// The last promised stream.
  private int last;

  /// Promised streams that are open.
  private int open;

  /// The client accepts no further stream.
  private boolean goAwayReceived;

  Pushes(Http2ServerEngine engine) {
    this.engine = engine;
  }

  /// Promised streams that are open.
  int open() {
    return open;
  }

  /// True if no stream with this even id was promised.
  boolean isIdle(int id) {
    return id > last;
  }

  /// A promised stream was removed.
  void ended() {
    open--;
  }

  /// The client has sent GOAWAY.
  void goAway() {
    goAwayReceived = true;
  }

  /// Why no response can be promised on a stream; null if it can.
  @Nullable String refusal(Stream stream) {
    if (!engine.peer.acceptsPush()) {
      return "the client has disabled push (SETTINGS_ENABLE_PUSH)";
    }
    if (open >= engine.peer.maxStreams()) {
      return "the client accepts no more than " + engine.peer.maxStreams() + " pushed streams";
    }
    if (goAwayReceived || engine.isDraining() || last == Integer.MAX_VALUE - 1) {
      return "the connection opens no further stream";
    }
    if (!engine.isRemote(stream.id)) {
      return "a pushed response cannot promise others";
    }
    return stream.removed || !stream.state.sends() ? "the response has ended" : null;
  }

  /// Promises a response.
  ///
  /// @param stream the stream of `cause`, a request of the client
  void promise(Stream stream, RequestHead cause, RequestHead request) {
    RequestHead promised = complete(cause, request);
    @Nullable String refusal = refusal(stream);
    if (refusal != null) {
      throw new IllegalStateException("no response to " + request + " was promised: " + refusal);
    }
    last += 2;
    open++;
    engine.frames.promise(stream.id, last, promised);
    engine.arrive(last, promised, Event.PROMISE_SENT);
  }

  private static RequestHead complete(RequestHead cause, RequestHead request) {
    boolean safe = request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD;
    if (!safe || request.contentLength() != 0 || request.protocol() != null) {
      throw new IllegalArgumentException(
          request + " cannot be promised, only a GET or HEAD without a body");
    }
    @Nullable Authority authority = request.authority();
    if (authority != null && !authority.equals(cause.authority())) {
      throw new IllegalArgumentException(
          request + " cannot be promised: its authority is not that of the request that causes it");
    }
    return request.toBuilder().scheme(cause.scheme()).authority(cause.authority()).build();
  }
}

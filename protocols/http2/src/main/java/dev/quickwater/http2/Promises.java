package dev.quickwater.http2;

import dev.quickwater.http.Authority;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http2.StreamState.Event;
import org.jspecify.annotations.Nullable;

/// The responses that the server promises to a client (RFC 9113 section 8.4).
///
/// - A promise arrives on the stream of a request of the client. The promised stream has an even id
///   above that of the last one.
/// - A promise is refused while as many promised streams are open as the settings allow, reserved
///   ones included, and after the client has announced the close. Refusals are counted by
///   [Budgets].
/// - A promised request is safe, has no body, and has the scheme and the authority of the request
///   that caused it: the server is authoritative for no other (section 10.1).
/// - Pushed streams do not count against the streams that the server allows.
///
/// Loop only.
final class Promises {

  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private final Http2ClientEngine engine;
  private final PushListener listener;

  /// The last promised stream.
  private int last;

  /// Promised streams that are open or reserved.
  private int open;

  Promises(Http2ClientEngine engine, PushListener listener) {
    this.engine = engine;
    this.listener = listener;
  }

  int last() {
    return last;
  }

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

  /// A promise has arrived, whose request was decoded.
  ///
  /// @param on the stream of the frame
  /// @param id the promised stream
  void promised(int on, int id) throws Http2Exception {
    if ((id & 1) != 0 || id <= last) {
      throw Http2Exception.connection(
          ErrorCode.PROTOCOL_ERROR, "stream " + id + " is promised after stream " + last);
    }
    last = id;
    if (engine.isRemote(on)) {
      throw Http2Exception.connection(
          ErrorCode.PROTOCOL_ERROR, "a promise on stream " + on + ", which the server opened");
    }
    @Nullable Stream stream = engine.find(on);
    if (stream == null) {
      engine.received.onClosed(null, on, Event.HEADERS_RECEIVED);
    } else if (!stream.state.receives()) {
      throw Http2Exception.connection(
          ErrorCode.PROTOCOL_ERROR,
          "a promise on stream " + on + ", which is " + stream.state + " (section 6.6)");
    }
    if (stream == null
        || !(stream.exchange instanceof Http2ClientExchange cause)
        || cause.isOver()) {
      throw refused(id, "the request that caused the promise has ended");
    }
    engine.received.checkMessage(id);
    @Nullable RequestHead head = engine.received.assembler().request(true);
    if (head == null) {
      throw ReceivedFrames.malformed(id, engine.received.assembler().fault());
    }
    if (engine.received.assembler().contentLength() > 0) {
      throw ReceivedFrames.malformed(id, "a promised request announces a body");
    }
    @Nullable String fault = fault(head, cause.request());
    if (fault != null) {
      throw ReceivedFrames.malformed(id, fault);
    }
    if (engine.isClosed() || open >= engine.settings.streams().maxStreams()) {
      throw refused(id, "more promised streams than maxStreams, or the connection drains");
    }
    accept(id, head, cause.request());
  }

  private Http2Exception refused(int id, String fact) throws Http2Exception {
    engine.budgets.ignored(engine.heard());
    return Http2Exception.stream(id, ErrorCode.REFUSED_STREAM, fact);
  }

  private static @Nullable String fault(RequestHead head, RequestHead cause) {
    if (head.method() != HttpMethod.GET && head.method() != HttpMethod.HEAD) {
      return "a promised request has the method " + head.method();
    }
    return head.scheme().equals(cause.scheme())
            && isSame(head.authority(), cause.authority(), head.scheme())
        ? null
        : "the server is not authoritative for a promised request";
  }

  private static boolean isSame(@Nullable Authority a, @Nullable Authority b, String scheme) {
    return a != null
        && b != null
        && a.host().equals(b.host())
        && port(a, scheme) == port(b, scheme);
  }

  private static int port(Authority authority, String scheme) {
    int standard = scheme.equals("https") ? HTTPS_PORT : HTTP_PORT;
    return authority.port() < 0 ? standard : authority.port();
  }

  private void accept(int id, RequestHead head, RequestHead cause) throws Http2Exception {
    int held = (int) engine.received.assembler().size();
    if (!engine.budgets.fieldsDecoded(held)) {
      throw refused(id, "the heads of open streams exceed heldFields");
    }
    Stream stream = engine.open(id);
    open++;
    stream.fieldBytes = held;
    stream.state = stream.state.on(Event.PROMISE_RECEIVED);
    stream.begun = true;
    Http2ClientExchange exchange = new Http2ClientExchange(engine, stream, head);
    stream.exchange = exchange;
    exchange.beginAnswer(push -> listener.promised(cause, push));
  }
}

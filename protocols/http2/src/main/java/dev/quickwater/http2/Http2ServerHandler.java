package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.engine.ServerHandler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Connects the server's HTTP/2 engine to a channel.
///
/// One handler serves one channel. The client must begin with the connection preface; it selects
/// HTTP/2 by ALPN or by prior knowledge.
@SuppressWarnings("exports") // the interface has no use outside of Quickwater
public final class Http2ServerHandler extends Http2Handler implements ServerHandler {

  /// What the engine needs; null once it has started, because a connection keeps its handler.
  private @Nullable Parts parts;

  private @Nullable Http2ServerChannel io;
  private @Nullable Http2ServerEngine engine;

  /// @param upgrade the request of HTTP/1.1 that changed to HTTP/2, or null
  private record Parts(
      Http2Settings settings,
      HttpHandler handler,
      @Nullable BudgetTrips trips,
      @Nullable UpgradedRequest upgrade) {}

  /// A handler for one channel, whose requests go to `handler`.
  public Http2ServerHandler(Http2Settings settings, HttpHandler handler) {
    this(settings, handler, null);
  }

  /// A handler for one channel, whose requests go to `handler`.
  ///
  /// @param trips counts the budgets that the peer exceeds, together with those of other
  ///   connections; null for no count
  public Http2ServerHandler(
      Http2Settings settings, HttpHandler handler, @Nullable BudgetTrips trips) {
    this(new Parts(settings, handler, trips, null));
  }

  private Http2ServerHandler(Parts parts) {
    this.parts = parts;
  }

  /// A handler for a connection that a request of HTTP/1.1 changes to HTTP/2 in clear text (RFC
  /// 7540 section 3.2). The handler is added in the initializer of the request's tunnel
  /// ([dev.quickwater.http.HttpExchange#tunnel]); the request then is its first exchange.
  ///
  /// @return null if the request does not change to `h2c`, has a body, or has no valid
  ///   HTTP2-Settings field
  public static @Nullable Http2ServerHandler upgrade(
      RequestHead request,
      Http2Settings settings,
      HttpHandler handler,
      @Nullable BudgetTrips trips) {
    @Nullable UpgradedRequest upgrade = UpgradedRequest.of(request);
    return upgrade == null
        ? null
        : new Http2ServerHandler(new Parts(settings, handler, trips, upgrade));
  }

  /// Compares the first bytes of a connection with the preface (RFC 9113 section 3.4).
  ///
  /// @return 1 if they begin with the preface, -1 if they do not, 0 if they are too few to decide
  public static int matchPreface(ByteBuf bytes) {
    int count = Math.min(bytes.readableBytes(), Http2Engine.PREFACE.length);
    for (int i = 0; i < count; i++) {
      if (bytes.getByte(bytes.readerIndex() + i) != Http2Engine.PREFACE[i]) {
        return -1;
      }
    }
    return count == Http2Engine.PREFACE.length ? 1 : 0;
  }

  @Override
  void attach(Channel channel) {
    Http2ServerChannel effects = new Http2ServerChannel(channel, this);
    io = effects;
    Parts made = Objects.requireNonNull(parts, "the handler was in another pipeline");
    engine = new Http2ServerEngine(made.settings, made.handler, effects, made.trips);
  }

  @Override
  void started() {
    @Nullable UpgradedRequest upgrade = Objects.requireNonNull(parts).upgrade;
    parts = null;
    if (upgrade != null) {
      engine().upgraded(upgrade);
    }
  }

  @Override
  Http2ServerEngine engine() {
    return Objects.requireNonNull(engine, "the handler is not in a pipeline");
  }

  /// Announces the close, refuses further streams after a round trip, and closes the connection
  /// when no stream is open. Loop only.
  @Override
  public void drain() {
    if (!channel().loop().inLoop()) {
      throw new IllegalStateException(
          "a connection is drained on its loop, " + channel().loop().name());
    }
    engine().drain();
  }

  @Override
  void detached() {
    if (io != null) {
      io.cancelTimer();
    }
  }
}

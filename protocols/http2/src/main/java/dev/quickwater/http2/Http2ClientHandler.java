package dev.quickwater.http2;

import dev.quickwater.channel.Channel;
import dev.quickwater.http.ClientConnection;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.engine.ClientHandler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Connects the client's HTTP/2 engine to a channel whose server supports HTTP/2.
///
/// One handler serves one channel.
@SuppressWarnings("exports") // the interface has no use outside of Quickwater
public final class Http2ClientHandler extends Http2Handler implements ClientHandler {

  /// The number of streams that servers usually allow.
  static final int USUAL_STREAMS = 100;

  private final Http2Settings settings;
  private final int firstStreams;

  /// The request of HTTP/1.1 that changed the connection to HTTP/2, or null.
  private final @Nullable RequestHead upgrade;

  private final @Nullable PushListener pushes;
  private @Nullable Http2ClientChannel io;
  private @Nullable Http2ClientEngine engine;

  /// A handler for one channel.
  public Http2ClientHandler(Http2Settings settings) {
    this(settings, USUAL_STREAMS);
  }

  /// A handler for one channel whose server is expected to allow a number of streams.
  ///
  /// @param firstStreams the maximum number of open exchanges before the server's settings arrive
  public Http2ClientHandler(Http2Settings settings, int firstStreams) {
    this(settings, firstStreams, null);
  }

  /// A handler for one channel whose server may push responses.
  ///
  /// @param pushes receives the pushed responses; null disables push
  public Http2ClientHandler(
      Http2Settings settings, int firstStreams, @Nullable PushListener pushes) {
    this(settings, firstStreams, pushes, null);
  }

  private Http2ClientHandler(
      Http2Settings settings,
      int firstStreams,
      @Nullable PushListener pushes,
      @Nullable RequestHead upgrade) {
    this.settings = settings;
    this.firstStreams = firstStreams;
    this.pushes = pushes;
    this.upgrade = upgrade;
  }

  /// A handler for a connection that a server has changed from HTTP/1.1 to HTTP/2 in clear text
  /// (RFC 7540 section 3.2). The handler is added in the initializer of the request's tunnel
  /// ([dev.quickwater.http.ClientExchange#tunnel]). The response to the request is dropped.
  ///
  /// @param request the request that changed the protocol, with [#upgradeSettings]
  /// @param settings those of [#upgradeSettings]
  /// @param firstStreams see [#Http2ClientHandler(Http2Settings, int)]
  /// @param pushes see [#upgradeSettings]
  public static Http2ClientHandler upgraded(
      RequestHead request,
      Http2Settings settings,
      int firstStreams,
      @Nullable PushListener pushes) {
    return new Http2ClientHandler(settings, firstStreams, pushes, request);
  }

  /// The value of the HTTP2-Settings field of a request that changes the protocol.
  ///
  /// @param pushes receives the pushed responses; null disables push
  public static String upgradeSettings(Http2Settings settings, @Nullable PushListener pushes) {
    return UpgradedRequest.encode(Http2ClientEngine.settings(settings, pushes != null));
  }

  @Override
  void attach(Channel channel) {
    Http2ClientChannel effects = new Http2ClientChannel(channel, this);
    io = effects;
    engine = new Http2ClientEngine(settings, effects, firstStreams, pushes);
  }

  @Override
  void started() {
    if (upgrade != null) {
      engine().upgraded(upgrade);
    }
  }

  @Override
  Http2ClientEngine engine() {
    return Objects.requireNonNull(engine, "the handler is not in a pipeline");
  }

  private Http2ClientChannel io() {
    return Objects.requireNonNull(io, "the handler is not in a pipeline");
  }

  @Override
  public ClientConnection connection() {
    return io();
  }

  @Override
  public boolean canOpen() {
    return engine().canOpen();
  }

  @Override
  public int capacity() {
    return engine().capacity();
  }

  @Override
  public boolean isClosed() {
    return engine().isClosed();
  }

  @Override
  public void onCapacity(Runnable action) {
    io().onCapacity(action);
  }

  @Override
  void detached() {
    io().ended();
  }
}

package dev.quickwater.http1;

import dev.quickwater.channel.Channel;
import dev.quickwater.http.ClientConnection;
import dev.quickwater.http.engine.ClientHandler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Connects the client's HTTP/1.1 engine to a channel.
///
/// One handler serves one channel. The channel must keep half-closed connections open. After
/// [ClientExchange#tunnel] the handler passes the bytes of the tunnel to the handlers that follow
/// it in the pipeline, and removes itself.
///
/// [ClientExchange#tunnel]: dev.quickwater.http.ClientExchange#tunnel
@SuppressWarnings("exports") // the interface has no use outside of Quickwater
public final class Http1ClientHandler extends ConnectionHandler implements ClientHandler {

  /// The server at the other end of the connection.
  public enum Peer {
    /// The origin server of the requests.
    ORIGIN,
    /// A proxy: request targets are whole URIs (RFC 9112 section 3.2.2).
    PROXY
  }

  private final Http1Settings settings;
  private final HeadEncoder.TargetForm form;
  private final @Nullable String http2Settings;
  private @Nullable ClientChannel io;
  private @Nullable ClientEngine engine;

  /// A handler for one channel to an origin server.
  public Http1ClientHandler(Http1Settings settings) {
    this(settings, Peer.ORIGIN);
  }

  /// A handler for one channel.
  public Http1ClientHandler(Http1Settings settings, Peer peer) {
    this(settings, peer, null);
  }

  /// A handler for one channel, whose requests can change the connection to HTTP/2 (RFC 7540
  /// section 3.2): those with the protocol `h2c`
  /// ([dev.quickwater.http.RequestHead.Builder#protocol]).
  ///
  /// @param http2Settings the value of their HTTP2-Settings field; null for requests without it,
  ///   which no server upgrades
  public Http1ClientHandler(Http1Settings settings, Peer peer, @Nullable String http2Settings) {
    this.settings = settings;
    this.form =
        peer == Peer.PROXY ? HeadEncoder.TargetForm.ABSOLUTE : HeadEncoder.TargetForm.ORIGIN;
    this.http2Settings = http2Settings;
  }

  @Override
  void attach(Channel channel) {
    ClientChannel effects = new ClientChannel(channel, this);
    io = effects;
    engine =
        new ClientEngine(settings, form, http2Settings, effects, SharedParsers.of(channel.loop()));
  }

  @Override
  ClientEngine engine() {
    return Objects.requireNonNull(engine, "the handler is not in a pipeline");
  }

  private ClientChannel io() {
    return Objects.requireNonNull(io, "the handler is not in a pipeline");
  }

  @Override
  public ClientConnection connection() {
    return io();
  }

  @Override
  public boolean canOpen() {
    return engine().isIdle();
  }

  @Override
  public int capacity() {
    return 1;
  }

  @Override
  public boolean isClosed() {
    return engine().isClosed();
  }

  @Override
  public void onCapacity(Runnable action) {
    io().onIdle(action);
  }

  @Override
  void writabilityChanged(Channel channel) {
    if (channel.isWritable()) {
      engine().writable();
    }
  }

  @Override
  void detached() {
    io().ended(null);
    if (engine().isReadingRest()) {
      engine().updateTimer();
    }
  }
}

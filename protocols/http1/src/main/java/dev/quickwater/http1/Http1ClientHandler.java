package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.http.ClientConnection;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Joins the client's engine of HTTP/1.1 to a channel.
///
/// One handler serves one channel, which must keep half-closed connections open. After
/// [ClientExchange#tunnel] the handler passes the bytes of the tunnel to the handlers behind it and
/// removes itself.
///
/// [ClientExchange#tunnel]: dev.quickwater.http.ClientExchange#tunnel
public final class Http1ClientHandler implements ChannelHandler {

  private static final System.Logger LOG = System.getLogger(Http1ClientHandler.class.getName());

  /// What the connection leads to.
  public enum Peer {
    /// The server that the requests are for.
    ORIGIN,
    /// A proxy, which is sent whole URIs (RFC 9112 section 3.2.2).
    PROXY
  }

  private final Http1Settings settings;
  private final HeadEncoder.TargetForm form;
  private @Nullable HandlerContext context;
  private @Nullable ClientChannel io;
  private @Nullable ClientEngine engine;

  /// Bytes for the handlers of a tunnel that have not begun; null without a tunnel.
  private @Nullable InputBuffer tunnelled;

  /// For one channel to an origin server.
  public Http1ClientHandler(Http1Settings settings) {
    this(settings, Peer.ORIGIN);
  }

  /// For one channel.
  public Http1ClientHandler(Http1Settings settings, Peer peer) {
    this.settings = settings;
    this.form =
        peer == Peer.PROXY ? HeadEncoder.TargetForm.ABSOLUTE : HeadEncoder.TargetForm.ORIGIN;
  }

  ClientEngine engine() {
    return Objects.requireNonNull(engine, "the handler is in no pipeline");
  }

  private ClientChannel io() {
    return Objects.requireNonNull(io, "the handler is in no pipeline");
  }

  private Channel channel() {
    return Objects.requireNonNull(context, "the handler is in no pipeline").channel();
  }

  /// The connection. Its methods may be called on any thread, except that callbacks run on the
  /// loop.
  public ClientConnection connection() {
    return io();
  }

  /// True if an exchange that is opened now begins at once. Loop only.
  public boolean isIdle() {
    return engine().isIdle();
  }

  /// True if no exchange can be opened any more. Loop only.
  public boolean isClosed() {
    return engine().isClosed();
  }

  /// Sets the callback for the moments when the connection becomes idle. Loop only.
  public void onIdle(Runnable action) {
    io().onIdle(action);
  }

  // ---- channel events ----

  @Override
  public void handlerAdded(HandlerContext added) {
    context = added;
    Channel channel = added.channel();
    ClientChannel effects = new ClientChannel(channel, this);
    io = effects;
    engine = new ClientEngine(settings, form, effects, SharedParsers.of(channel.loop()));
  }

  @Override
  public void channelActive(HandlerContext unused) {
    engine().start();
  }

  @Override
  public void channelRead(HandlerContext unused, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    @Nullable InputBuffer waiting = tunnelled;
    if (waiting == null) {
      engine().receive(bytes);
    } else {
      waiting.add(bytes, channel().loop().allocator());
    }
  }

  @Override
  public void channelReadComplete(HandlerContext unused) {
    engine().readComplete();
  }

  @Override
  public void channelInputClosed(HandlerContext at) {
    if (tunnelled == null) {
      engine().endInput();
    } else {
      channel().loop().ready(at::fireChannelInputClosed);
    }
  }

  @Override
  public void channelWritabilityChanged(HandlerContext at) {
    if (tunnelled != null) {
      at.fireChannelWritabilityChanged();
    } else if (at.channel().isWritable()) {
      engine().writable();
    }
  }

  @Override
  public void channelInactive(HandlerContext at) {
    engine().closed(null);
    at.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(HandlerContext at, Throwable cause) {
    engine().closed(cause);
    if (cause instanceof IOException) {
      at.channel().close();
    } else {
      at.fireExceptionCaught(cause);
    }
  }

  @Override
  public void handlerRemoved(HandlerContext at) {
    engine().closed(null);
    io().ended(null);
    if (tunnelled != null) {
      tunnelled.release();
    }
  }

  // ---- tunnels ----

  /// Adds the handlers of a tunnel, which begin after the current event; takes ownership of `rest`.
  void tunnel(ChannelInitializer initializer, @Nullable ByteBuf rest) {
    InputBuffer waiting = new InputBuffer();
    tunnelled = waiting;
    if (rest != null) {
      waiting.add(rest, channel().loop().allocator());
    }
    Channel channel = channel();
    channel.loop().ready(this::beginTunnel);
    try {
      initializer.initialize(channel);
    } catch (Exception e) {
      LOG.log(System.Logger.Level.WARNING, "the handlers of a tunnel cannot be added", e);
      channel.close();
    }
  }

  private void beginTunnel() {
    HandlerContext at = Objects.requireNonNull(context);
    InputBuffer waiting = Objects.requireNonNull(tunnelled);
    if (!at.channel().isActive()) {
      return;
    }
    at.fireChannelActive();
    @Nullable ByteBuf rest = waiting.takeAll();
    if (rest != null) {
      at.fireChannelRead(rest);
      at.fireChannelReadComplete();
    }
    at.pipeline().remove(this);
  }
}

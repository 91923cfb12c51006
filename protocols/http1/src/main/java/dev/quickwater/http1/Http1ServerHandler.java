package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.Pause;
import dev.quickwater.http.HttpHandler;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Joins the server's engine of HTTP/1.1 to a channel.
///
/// One handler serves one channel, which must keep half-closed connections open. While more bytes
/// wait to be sent than the high water mark, the peer is not read. After [HttpExchange#tunnel] the
/// handler passes the bytes of the tunnel to the handlers behind it and removes itself.
///
/// [HttpExchange#tunnel]: dev.quickwater.http.HttpExchange#tunnel
public final class Http1ServerHandler implements ChannelHandler {

  private static final System.Logger LOG = System.getLogger(Http1ServerHandler.class.getName());

  private final Http1Settings settings;
  private final HttpHandler handler;
  private @Nullable HandlerContext context;
  private @Nullable ServerChannel io;
  private @Nullable ServerEngine engine;
  private @Nullable Pause backlog;

  /// Bytes for the handlers of a tunnel that have not begun; null without a tunnel.
  private @Nullable InputBuffer tunnelled;

  /// For one channel, whose requests go to `handler`.
  public Http1ServerHandler(Http1Settings settings, HttpHandler handler) {
    this.settings = settings;
    this.handler = handler;
  }

  ServerEngine engine() {
    return Objects.requireNonNull(engine, "the handler is in no pipeline");
  }

  private Channel channel() {
    return Objects.requireNonNull(context, "the handler is in no pipeline").channel();
  }

  void debug(String message, Throwable cause) {
    LOG.log(System.Logger.Level.DEBUG, message, cause);
  }

  /// Ends the connection as soon as no request is being answered. Loop only.
  public void drain() {
    if (!channel().loop().inLoop()) {
      throw new IllegalStateException(
          "a connection is drained on its loop, " + channel().loop().name());
    }
    engine().drain();
  }

  // ---- channel events ----

  @Override
  public void handlerAdded(HandlerContext added) {
    context = added;
    Channel channel = added.channel();
    ServerChannel effects = new ServerChannel(channel, this);
    io = effects;
    engine = new ServerEngine(settings, handler, effects, SharedParsers.of(channel.loop()));
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
    } else if (!at.channel().isWritable()) {
      if (backlog == null) {
        backlog = at.channel().pauseReading("backlog");
      }
    } else {
      endBacklog();
      engine().writable();
    }
  }

  private void endBacklog() {
    if (backlog != null) {
      backlog.close();
      backlog = null;
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
    if (io != null) {
      io.cancelTimer();
    }
    endBacklog();
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
    endBacklog();
    at.fireChannelActive();
    @Nullable ByteBuf rest = waiting.takeAll();
    if (rest != null) {
      at.fireChannelRead(rest);
      at.fireChannelReadComplete();
    }
    if (engine().isInputEnded()) {
      at.fireChannelInputClosed(); // the engine had this event before the tunnel
    }
    at.pipeline().remove(this);
  }
}

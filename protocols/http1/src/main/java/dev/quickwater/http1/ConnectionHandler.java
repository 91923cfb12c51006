package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.http.engine.InputBuffer;
import dev.quickwater.http.engine.ServerHandler;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Connects an engine to a channel: passes channel events to the engine. After the message that
/// opens a tunnel, the handler passes bytes to the handlers of the tunnel, which follow it in the
/// pipeline, and removes itself.
abstract sealed class ConnectionHandler implements ChannelHandler
    permits Http1ServerHandler, Http1ClientHandler {

  private static final System.Logger LOG = System.getLogger(ConnectionHandler.class.getName());

  private @Nullable HandlerContext context;

  /// Bytes that wait until the handlers of a tunnel are active; null without a tunnel.
  private @Nullable InputBuffer tunnelled;

  /// True if the handlers of a tunnel were notified that the channel is active.
  private boolean tunnelBegun;

  /// Creates the engine for a channel.
  abstract void attach(Channel channel);

  /// The engine; throws before [#attach].
  abstract ConnectionEngine engine();

  /// This handler was removed from its pipeline.
  abstract void detached();

  /// The engine has finished. The channel belongs to the handlers of a tunnel.
  void tunnelBegins() {}

  /// The writability of the channel has changed.
  abstract void writabilityChanged(Channel channel);

  final Channel channel() {
    return Objects.requireNonNull(context, "the handler is not in a pipeline").channel();
  }

  @Override
  public final void handlerAdded(HandlerContext added) {
    context = added;
    attach(added.channel());
  }

  @Override
  public final void channelActive(HandlerContext unused) {
    engine().start();
  }

  @Override
  public final void channelRead(HandlerContext unused, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    @Nullable InputBuffer waiting = tunnelled;
    if (waiting == null) {
      engine().receive(bytes);
    } else {
      waiting.add(bytes, channel().loop().allocator());
    }
  }

  @Override
  public final void channelReadComplete(HandlerContext unused) {
    engine().readComplete();
  }

  @Override
  public final void channelInputClosed(HandlerContext at) {
    if (tunnelled == null) {
      engine().endInput();
    } else {
      channel().loop().ready(at::fireChannelInputClosed);
    }
  }

  @Override
  public final void channelInactive(HandlerContext at) {
    engine().closed(null);
    if (tunnelled == null || tunnelBegun) {
      at.fireChannelInactive(); // handlers that were not notified of the beginning get no end
    }
  }

  @Override
  public final void exceptionCaught(HandlerContext at, Throwable cause) {
    engine().closed(cause);
    if (cause instanceof IOException) {
      at.channel().close();
    } else {
      at.fireExceptionCaught(cause);
    }
  }

  @Override
  public final void channelWritabilityChanged(HandlerContext at) {
    if (tunnelled == null) {
      writabilityChanged(at.channel());
    } else if (tunnelBegun) {
      at.fireChannelWritabilityChanged();
    }
  }

  @Override
  public final void handlerRemoved(HandlerContext at) {
    engine().closed(null);
    detached();
    if (tunnelled != null) {
      tunnelled.release();
    }
  }

  /// Begins to drain the connection. If it is a tunnel, the handlers of the tunnel drain it, as
  /// soon as they are active: in the turn that opens the tunnel, this handler still precedes them.
  final void drainConnection() {
    if (tunnelled == null) {
      engine().drain();
    } else {
      Channel channel = channel();
      channel.loop().ready(() -> ServerHandler.drain(channel));
    }
  }

  // ---- tunnels ----

  /// Adds the handlers of a tunnel. They become active after the current event. Takes ownership of
  /// `rest`.
  final void tunnel(ChannelInitializer initializer, @Nullable ByteBuf rest) {
    InputBuffer waiting = new InputBuffer();
    tunnelled = waiting;
    if (rest != null) {
      waiting.add(rest, channel().loop().allocator());
    }
    Channel channel = channel();
    channel.loop().ready(this::beginTunnel);
    try {
      initializer.initialize(channel);
    } catch (Throwable t) {
      LOG.log(System.Logger.Level.WARNING, "the handlers of a tunnel cannot be added", t);
      channel.close();
    }
  }

  private void beginTunnel() {
    HandlerContext at = Objects.requireNonNull(context);
    InputBuffer waiting = Objects.requireNonNull(tunnelled);
    if (!at.channel().isActive()) {
      return;
    }
    tunnelBegins();
    tunnelBegun = true;
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

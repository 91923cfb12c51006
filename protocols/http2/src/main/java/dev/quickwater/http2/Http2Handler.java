package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.LingerLimitException;
import dev.quickwater.channel.Outcome;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Connects an engine to a channel: passes channel events to the engine.
abstract sealed class Http2Handler implements ChannelHandler
    permits Http2ServerHandler, Http2ClientHandler {

  private @Nullable HandlerContext context;
  private boolean started;

  /// Creates the engine for a channel.
  abstract void attach(Channel channel);

  /// The engine; throws before [#attach].
  abstract Http2Engine engine();

  /// This handler was removed from its pipeline.
  abstract void detached();

  /// The preface was sent.
  void started() {}

  final Channel channel() {
    return Objects.requireNonNull(context, "the handler is not in a pipeline").channel();
  }

  @Override
  public final void handlerAdded(HandlerContext added) {
    context = added;
    attach(added.channel());
    if (added.channel().isActive()) {
      start();
    }
  }

  @Override
  public final void channelActive(HandlerContext unused) {
    start();
  }

  private void start() {
    if (!started) {
      started = true;
      engine().start();
      started();
    }
  }

  @Override
  public final void channelRead(HandlerContext unused, Object message) {
    engine().receive((ByteBuf) message);
  }

  @Override
  public final void channelReadComplete(HandlerContext unused) {
    engine().readComplete();
  }

  @Override
  public final void channelInputClosed(HandlerContext at) {
    engine().endInput();
  }

  @Override
  public final void channelInactive(HandlerContext at) {
    @Nullable Outcome outcome = at.channel().outcome();
    if (outcome != null && outcome.cause() instanceof LingerLimitException) {
      engine().lingerExceeded();
    }
    engine().closed(null);
    at.fireChannelInactive();
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
    if (at.channel().isWritable()) {
      engine().writable();
    }
  }

  @Override
  public final void handlerRemoved(HandlerContext at) {
    engine().closed(null);
    detached();
  }
}

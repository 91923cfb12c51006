package dev.quickwater.examples;

import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.common.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Passes an [Idle] event on when a channel has received nothing for a while; once until it
/// receives again.
///
/// A message costs one store: one timer looks at the time of the last message when it fires, and is
/// set again for what is left.
public final class IdleHandler implements ChannelHandler {

  /// The event.
  ///
  /// @param limit how long nothing came in
  public record Idle(Duration limit) {}

  private final Duration limit;
  private long lastRead;
  private boolean reported;
  private @Nullable Timer timer;

  /// For one channel, whose peer has to send something within `limit`.
  public IdleHandler(Duration limit) {
    this.limit = limit;
  }

  @Override
  public void channelActive(HandlerContext context) {
    lastRead = context.channel().loop().now();
    watch(context, limit);
    context.fireChannelActive();
  }

  private void watch(HandlerContext context, Duration time) {
    timer = context.channel().loop().schedule(() -> check(context), time);
  }

  private void check(HandlerContext context) {
    long left = limit.toNanos() - (context.channel().loop().now() - lastRead);
    if (left > 0) {
      watch(context, Duration.ofNanos(left));
    } else {
      timer = null;
      reported = true;
      context.fireUserEvent(new Idle(limit));
    }
  }

  @Override
  public void channelRead(HandlerContext context, Object message) {
    lastRead = context.channel().loop().now();
    if (reported) {
      reported = false;
      watch(context, limit);
    }
    context.fireChannelRead(message);
  }

  @Override
  public void handlerRemoved(HandlerContext context) {
    if (timer != null) {
      timer.cancel();
    }
  }
}

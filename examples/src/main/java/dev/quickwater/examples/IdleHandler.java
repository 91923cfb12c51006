package dev.quickwater.examples;

import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.common.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Passes on an [Idle] event when a channel has received nothing for a while. The event is repeated
/// only after the channel has received something.
///
/// A message costs one store. One timer compares the time of the last message when it fires, and is
/// set again for the remaining time.
public final class IdleHandler implements ChannelHandler {

  /// The channel has received nothing for `limit`.
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

  // @start region=timer
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

  // @end

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

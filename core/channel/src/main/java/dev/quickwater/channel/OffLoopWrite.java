package dev.quickwater.channel;

import dev.quickwater.channel.account.ChannelAccount;
import dev.quickwater.channel.spi.Messages;
import dev.quickwater.common.Promise;
import dev.quickwater.common.Task;
import org.jspecify.annotations.Nullable;

/// A write of another thread, queued for the loop. The channel's account counts the message from
/// the call of `write` on.
final class OffLoopWrite implements Task {

  private final ChannelCore core;
  private final Object message;
  private final @Nullable Promise<Void> promise;
  private final boolean flush;
  private final int cost;

  OffLoopWrite(ChannelCore core, Object message, @Nullable Promise<Void> promise, boolean flush) {
    this.core = core;
    this.message = message;
    this.promise = promise;
    this.flush = flush;
    this.cost = costOf(message);
  }

  /// A released message costs nothing, because the transport will refuse it.
  private static int costOf(Object message) {
    long memory;
    try {
      memory = Messages.memory(message);
    } catch (RuntimeException _) {
      memory = 0;
    }
    return (int) Math.min(ChannelAccount.MESSAGE + memory, Integer.MAX_VALUE);
  }

  int cost() {
    return cost;
  }

  @Override
  public void run() {
    ChannelAccount account = core.account();
    account.arriving(cost);
    core.channel().pipeline().write(message, promise);
    account.arrived();
    if (flush) {
      core.flushLater();
    }
  }

  @Override
  public void abandoned(Throwable cause) {
    core.account().withdraw(cost);
    refuse(cause);
  }

  /// Releases a message that is not counted, and fails its promise.
  ///
  /// @return true if the message had a promise
  boolean refuse(Throwable cause) {
    Messages.discard(message);
    if (promise == null) {
      return false;
    }
    promise.tryFailure(cause);
    return true;
  }
}

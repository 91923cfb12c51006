package dev.quickwater.channel;

import dev.quickwater.channel.spi.Messages;
import dev.quickwater.channel.spi.WriteAccount;
import dev.quickwater.common.Promise;
import dev.quickwater.common.Task;
import org.jspecify.annotations.Nullable;

/// A message that another thread has written, on its way to the loop. The channel's account counts
/// it from the call of `write` on.
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

  /// A released message costs nothing; the transport refuses it.
  private static int costOf(Object message) {
    long memory;
    try {
      memory = Messages.memory(message);
    } catch (RuntimeException _) {
      memory = 0;
    }
    return (int) Math.min(WriteAccount.MESSAGE + memory, Integer.MAX_VALUE);
  }

  int cost() {
    return cost;
  }

  @Override
  public void run() {
    WriteAccount account = core.account();
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

  /// Ends the ownership of a message that is not counted.
  ///
  /// @return true if the message had a promise, which has failed
  boolean refuse(Throwable cause) {
    Messages.discard(message);
    if (promise == null) {
      return false;
    }
    promise.tryFailure(cause);
    return true;
  }
}

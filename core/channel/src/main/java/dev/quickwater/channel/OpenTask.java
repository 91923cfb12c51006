package dev.quickwater.channel;

import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.common.Task;

/// Opens a channel on its loop. The future also completes if the loop ends.
abstract class OpenTask implements Task {

  final EventLoop loop;
  final Promise<Channel> promise;

  OpenTask(EventLoop loop) {
    this.loop = loop;
    this.promise = loop.newPromise();
  }

  /// Queues this task.
  final Future<Channel> start() {
    loop.executeOrAbandon(this);
    return promise;
  }

  @Override
  public final void abandoned(Throwable cause) {
    promise.tryFailure(cause);
  }
}

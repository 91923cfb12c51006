package dev.quickwater.channel;

import dev.quickwater.common.Promise;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Promises of messages that a drain has sent. They succeed when the drain has ended.
///
/// One list serves all channels of a loop. If a listener starts another drain, the promises of that
/// drain are added to the list and succeed after the listener has returned. Listeners therefore
/// never nest. Loop thread only.
final class Completions {

  private final ArrayDeque<Promise<Void>> sent = new ArrayDeque<>();
  private boolean running;

  void add(Promise<Void> promise) {
    sent.add(promise);
  }

  void run() {
    if (running || sent.isEmpty()) {
      return;
    }
    running = true;
    @Nullable Promise<Void> promise;
    while ((promise = sent.poll()) != null) {
      promise.trySuccess(null);
    }
    running = false;
  }
}

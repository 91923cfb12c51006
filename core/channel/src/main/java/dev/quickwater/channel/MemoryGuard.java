package dev.quickwater.channel;

import dev.quickwater.common.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Pauses the channels of one loop while buffers hold more than the soft limit of the process.
///
/// A channel is paused after it has read, because it may be the one whose bytes fill the memory; an
/// idle channel is left alone. When the pressure ends, all resume. While it lasts, the channel that
/// has been paused longest reads for one turn every 10 ms: a program may wait for the rest of a
/// message before it releases what it has. Loop thread only.
final class MemoryGuard implements Runnable {

  private static final Duration TICK = Duration.ofMillis(10);

  private final EventLoop loop;
  private final BooleanSupplier isHigh;
  private final ArrayDeque<Pause> held = new ArrayDeque<>();
  private @Nullable Timer timer;

  MemoryGuard(EventLoop loop, BooleanSupplier isHigh) {
    this.loop = loop;
    this.isHigh = isHigh;
  }

  /// A channel has read.
  void afterRead(Channel channel) {
    if (isHigh.getAsBoolean()) {
      held.add(channel.pauseReading("memory pressure"));
      if (timer == null) {
        timer = loop.schedule(this, TICK);
      }
    }
  }

  @Override
  public void run() {
    timer = null;
    int released = isHigh.getAsBoolean() ? 1 : held.size();
    for (int left = released; left > 0; left--) {
      @Nullable Pause oldest = held.poll();
      if (oldest != null) {
        oldest.close();
      }
    }
    if (!held.isEmpty() && timer == null) {
      timer = loop.schedule(this, TICK);
    }
  }
}

package dev.quickwater.channel;

import dev.quickwater.common.Timer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Pauses the channels of one loop while buffers hold more than the soft limit of the process.
///
/// A channel is paused after it has read, because it may be the one whose bytes fill the memory; an
/// idle channel is left alone. When the pressure ends, all resume. While it lasts, the channel that
/// has been paused longest reads for one turn every 10 ms: a program may wait for the rest of a
/// message before it releases what it has. Each channel has one pause at most, also if a handler
/// intercepts pauses and the channel continues to read. Loop thread only.
final class MemoryGuard implements Runnable {

  private static final Duration TICK = Duration.ofMillis(10);

  private final EventLoop loop;
  private final BooleanSupplier isHigh;

  /// In the order in which the channels were paused.
  private final LinkedHashMap<Channel, Pause> held = new LinkedHashMap<>();

  private @Nullable Timer timer;

  MemoryGuard(EventLoop loop, BooleanSupplier isHigh) {
    this.loop = loop;
    this.isHigh = isHigh;
  }

  /// A channel has read.
  void afterRead(Channel channel) {
    if (isHigh.getAsBoolean() && !held.containsKey(channel)) {
      held.put(channel, channel.pauseReading("memory pressure"));
      if (timer == null) {
        timer = loop.schedule(this, TICK);
      }
    }
  }

  @Override
  public void run() {
    timer = null;
    boolean all = !isHigh.getAsBoolean();
    try {
      for (int left = held.size(); left > 0; left--) {
        if (endOldest() && !all) {
          break;
        }
      }
    } finally {
      if (!held.isEmpty() && timer == null) {
        timer = loop.schedule(this, TICK);
      }
    }
  }

  /// Ends the pause that is held longest.
  ///
  /// @return false if its channel is closed
  private boolean endOldest() {
    Map.@Nullable Entry<Channel, Pause> oldest = held.pollFirstEntry();
    if (oldest == null) {
      return false;
    }
    oldest.getValue().close();
    return oldest.getKey().isActive();
  }
}

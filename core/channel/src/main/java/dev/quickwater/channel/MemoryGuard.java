package dev.quickwater.channel;

import dev.quickwater.common.Timer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Pauses the channels of one loop while the process is above the soft limit of buffer memory.
///
/// - A channel is paused after it has read: its bytes may be those that fill the memory. An idle
///   channel is not paused.
/// - When the pressure ends, all channels resume.
/// - During pressure, the oldest pause ends every 10 ms, and its channel reads for one turn: a
///   program may need the rest of a message before it can release the start of the message.
/// - Each channel has at most one pause, even if a handler intercepts pauses and the channel
///   continues to read.
///
/// Loop thread only.
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

  /// Pauses a channel that has read, under pressure.
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

  /// Ends the oldest pause.
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

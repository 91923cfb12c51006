package dev.quickwater.channel;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/// The channels of one event loop, on every transport. Loop thread only, except for [#count].
final class LoopChannels {

  private ChannelCore[] channels = new ChannelCore[16];
  private int size;

  /// The size as other threads read it; written by the loop alone.
  private final AtomicInteger count = new AtomicInteger();

  /// The number of channels that are not closed. Any thread.
  int count() {
    return count.get();
  }

  void add(ChannelCore channel) {
    if (size == channels.length) {
      channels = Arrays.copyOf(channels, size * 2);
    }
    channel.slot = size;
    channels[size++] = channel;
    count.setRelease(size);
  }

  /// Moves the last channel to the free place. Does nothing if the channel was never added because
  /// its registration failed.
  @SuppressWarnings("NullAway") // a place outside the list is never read
  void remove(ChannelCore channel) {
    if (channel.slot >= size || channels[channel.slot] != channel) {
      return;
    }
    ChannelCore last = channels[--size];
    channels[channel.slot] = last;
    last.slot = channel.slot;
    channels[size] = null;
    count.setRelease(size);
  }

  /// Closes every channel. The handlers are notified later.
  void closeAll() {
    for (ChannelCore channel : Arrays.copyOf(channels, size)) {
      channel.close(Outcome.Kind.LOOP_ENDED, null);
    }
  }
}

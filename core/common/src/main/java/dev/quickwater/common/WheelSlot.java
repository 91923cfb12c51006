package dev.quickwater.common;

import java.util.Arrays;

/// The timers of one slot of the wheel, in no order, and their ticks beside them: who looks for
/// those that are due reads an array of numbers and leaves the timers of later revolutions alone.
///
/// A timer knows its place, and the last one takes the place of one that leaves. Under the lock of
/// this object.
final class WheelSlot {

  private static final int LEAST = 8;

  private long[] ticks = new long[0];
  private WheelTimer[] timers = new WheelTimer[0];
  private int size;

  int size() {
    return size;
  }

  long tick(int place) {
    return ticks[place];
  }

  /// Nothing is changed if there is no memory for it.
  void add(WheelTimer timer) {
    int place = size;
    if (place == timers.length) {
      resize(Math.max(LEAST, 2 * place));
    }
    ticks[place] = timer.tick;
    timers[place] = timer;
    timer.place = place;
    size = place + 1;
  }

  WheelTimer remove(int place) {
    WheelTimer[] timers = this.timers;
    int last = size - 1;
    WheelTimer timer = timers[place];
    WheelTimer moved = timers[last];
    ticks[place] = ticks[last];
    timers[place] = moved;
    moved.place = place;
    clear(last);
    timer.place = WheelTimer.NOWHERE;
    size = last;
    if (last < timers.length >> 3 && last >= LEAST) {
      shrink(2 * last);
    }
    return timer;
  }

  @SuppressWarnings("NullAway") // places at and beyond size are never read
  private void clear(int place) {
    timers[place] = null;
  }

  /// Whoever cancels must not fail for want of memory.
  private void shrink(int length) {
    try {
      resize(length);
    } catch (OutOfMemoryError _) {
      // it stays as large as it is
    }
  }

  private void resize(int length) {
    long[] newTicks = Arrays.copyOf(ticks, length);
    timers = Arrays.copyOf(timers, length);
    ticks = newTicks;
  }
}

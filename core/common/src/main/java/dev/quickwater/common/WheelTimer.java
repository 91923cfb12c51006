package dev.quickwater.common;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A timer on a wheel. The thread that moves it out of WAITING runs, cancels or stops it.
final class WheelTimer extends WheelLink implements Timer {

  private static final int WAITING = 0;
  private static final int RUNNING = 1;
  private static final int ENDED = 2;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(WheelTimer.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final HashedWheelTimer wheel;
  final Runnable task;

  /// The tick at which it is due; fixed once it is in a slot.
  long tick;

  @SuppressWarnings("UnusedVariable") // by STATE
  private int state;

  WheelTimer(HashedWheelTimer wheel, Runnable task, long tick) {
    this.wheel = wheel;
    this.task = task;
    this.tick = tick;
  }

  @Override
  public boolean cancel() {
    return wheel.cancel(this);
  }

  @Override
  public boolean isPending() {
    return (int) STATE.getAcquire(this) != ENDED;
  }

  /// False if it has been cancelled.
  boolean begin() {
    return STATE.compareAndSet(this, WAITING, RUNNING);
  }

  /// False if it runs or has ended.
  boolean end() {
    return STATE.compareAndSet(this, WAITING, ENDED);
  }

  /// Marks the timer as ended. The caller has removed the timer from its slot under the lock, or
  /// has moved it to RUNNING, so no other thread can change the state.
  void ended() {
    STATE.setRelease(this, ENDED);
  }
}

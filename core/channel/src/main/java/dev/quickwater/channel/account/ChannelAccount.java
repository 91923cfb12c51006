package dev.quickwater.channel.account;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.WriteLimits;
import dev.quickwater.channel.spi.WriteAccount;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Counts the bytes that wait to be sent on one channel, and compares them with its water marks and
/// its hard limit.
///
/// - **Two counts:** `queued` counts the messages in the transport and the bytes that handlers hold
///   back. Only the loop writes it. `submitted` counts the messages that other threads wrote and
///   that have not reached the loop. It is changed atomically.
/// - **From submitted to queued:** [#arriving] starts the write of a submitted message, [#arrived]
///   ends it. The first [#add] between the two calls replaces the submitted cost by the queued
///   cost. The loop therefore counts each message exactly once. Another thread may briefly count a
///   message twice, but never misses it.
/// - **A cost** is the bytes in memory plus [#MESSAGE] for each message, because many empty
///   messages fill the memory too.
/// - **Writability** is lost above the high water mark and returns at the low water mark. Any
///   thread that finds the count above the high water mark makes the channel unwritable. The loop
///   notifies the handlers and makes the channel writable again.
///
/// A superclass of the channel, because a separate object for each channel would cost memory. Loop
/// thread only, except for [#submit], [#withdraw], [#isBelowMarks] and [#pending].
public abstract class ChannelAccount implements WriteAccount {

  private static final int WRITABLE = 0;
  private static final int UNWRITABLE = 1;

  /// Made unwritable by a thread other than the loop; the handlers were not notified.
  private static final int UNWRITABLE_UNREPORTED = 2;

  private static final VarHandle QUEUED;
  private static final VarHandle SUBMITTED;
  private static final VarHandle STATE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      QUEUED = lookup.findVarHandle(ChannelAccount.class, "queued", long.class);
      SUBMITTED = lookup.findVarHandle(ChannelAccount.class, "submitted", long.class);
      STATE = lookup.findVarHandle(ChannelAccount.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private long queued;
  private volatile long submitted;
  private volatile int state; // WRITABLE, without a volatile store for each channel

  /// The submitted cost of the message that is on its way through the pipeline.
  private int arriving;

  /// An account on which nothing waits.
  protected ChannelAccount() {}

  /// The settings with the marks and the limit.
  public abstract ChannelSettings settings();

  /// Notifies the channel that [#isBelowMarks] may have changed.
  ///
  /// @param nested true if a drain or a promise caused the change; handlers are then notified later
  public abstract void writabilityChanged(boolean nested);

  // ---- any thread ----

  /// Counts a message before its task is queued. A task that calls [#arriving] or [#withdraw] must
  /// follow.
  ///
  /// @return false if the message is over the hard limit; nothing is counted then
  public boolean submit(int cost) {
    WriteLimits limits = settings().writes();
    long total =
        (long) SUBMITTED.getAndAdd(this, (long) cost) + cost + (long) QUEUED.getAcquire(this);
    if (total > limits.hardLimit()) {
      withdraw(cost);
      return false;
    }
    if (total > limits.highWaterMark() && state == WRITABLE) {
      STATE.compareAndSet(this, WRITABLE, UNWRITABLE_UNREPORTED);
    }
    return true;
  }

  /// Reverses [#submit]: the message will not arrive.
  public void withdraw(int cost) {
    SUBMITTED.getAndAdd(this, -(long) cost);
  }

  /// True while the channel is writable. Becomes false above the high water mark, and true again at
  /// the low water mark.
  public boolean isBelowMarks() {
    return state == WRITABLE && pending() <= settings().writes().highWaterMark();
  }

  @Override
  public long pending() {
    // The submitted count is read first. A message that becomes queued between the two reads is
    // then counted twice, and never missed.
    long notArrived = submitted;
    return notArrived + (long) QUEUED.getAcquire(this);
  }

  // ---- the loop ----

  /// Starts the write of a submitted message on the loop; the message enters the pipeline.
  public void arriving(int cost) {
    arriving += cost;
  }

  /// Ends the write of a submitted message. If no handler wrote or held the message, it is no
  /// longer counted.
  public void arrived() {
    move();
    update(false);
  }

  private void move() {
    int cost = arriving;
    if (cost != 0) {
      arriving = 0;
      SUBMITTED.getAndAdd(this, -(long) cost);
    }
  }

  @Override
  public void add(long cost) {
    QUEUED.setRelease(this, queued + cost);
    move();
    if (state == WRITABLE && submitted + queued > settings().writes().highWaterMark()) {
      update(false);
    }
  }

  @Override
  public void remove(long cost) {
    QUEUED.setRelease(this, queued - cost);
  }

  /// Updates writability after a drain.
  public void writeProgress() {
    if (state != WRITABLE) {
      update(true);
    }
  }

  @Override
  public boolean hasRoom(long cost) {
    return queued + submitted - arriving + cost <= settings().writes().hardLimit();
  }

  @Override
  public boolean isOverLimit() {
    return queued + submitted > settings().writes().hardLimit();
  }

  private void update(boolean nested) {
    int before = state;
    long total = submitted + queued;
    int after;
    if (before == WRITABLE) {
      after = total > settings().writes().highWaterMark() ? UNWRITABLE : WRITABLE;
    } else {
      after = total > settings().writes().lowWaterMark() ? UNWRITABLE : WRITABLE;
    }
    if (before != after && STATE.compareAndSet(this, before, after)) {
      writabilityChanged(nested || after == WRITABLE);
    }
  }
}

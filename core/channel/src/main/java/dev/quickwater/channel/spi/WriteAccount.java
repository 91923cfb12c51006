package dev.quickwater.channel.spi;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.WriteLimits;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Counts what waits to be sent on one channel, against its water marks and its hard limit.
///
/// - **Two counts:** `queued` is what the transport has, `submitted` is what other threads have
///   written and the loop has not seen. Only the loop writes the first; the second is atomic.
/// - **A submitted message moves in one step:** between [#arriving] and [#arrived] the first [#add]
///   replaces the submitted cost by the queued cost. The loop never counts a message twice or not
///   at all; another thread may see it twice for a moment, but never not at all.
/// - **A cost** is the bytes in memory and [#MESSAGE] for each message, because very many empty
///   messages fill the memory too.
/// - **Writability** is lost above the high water mark and returns at the low water mark. Any
///   thread that finds the count above the high water mark makes the channel unwritable; the loop
///   notifies the handlers and makes it writable again.
///
/// A channel extends this class, because each channel has one. Loop thread only, except for
/// [#submit], [#withdraw], [#isBelowMarks] and [#pending].
public abstract class WriteAccount {

  /// What a message holds besides its bytes: a handle, a slot, what rounding up to a block wastes.
  public static final int MESSAGE = 64;

  private static final int WRITABLE = 0;
  private static final int UNWRITABLE = 1;

  /// Unwritable by a thread that is not the loop: the handlers were not notified.
  private static final int UNWRITABLE_UNREPORTED = 2;

  private static final VarHandle QUEUED;
  private static final VarHandle SUBMITTED;
  private static final VarHandle STATE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      QUEUED = lookup.findVarHandle(WriteAccount.class, "queued", long.class);
      SUBMITTED = lookup.findVarHandle(WriteAccount.class, "submitted", long.class);
      STATE = lookup.findVarHandle(WriteAccount.class, "state", int.class);
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
  protected WriteAccount() {}

  /// The settings with the marks and the limit.
  public abstract ChannelSettings settings();

  /// The answer of [#isBelowMarks] may have changed.
  ///
  /// @param nested true if a drain or a promise caused the change: handlers are notified later
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

  /// Takes back what [#submit] counted: the message will not arrive.
  public void withdraw(int cost) {
    SUBMITTED.getAndAdd(this, -(long) cost);
  }

  /// False from above the high water mark until the low water mark.
  public boolean isBelowMarks() {
    return state == WRITABLE && pending() <= settings().writes().highWaterMark();
  }

  /// The cost of everything that waits, submitted or queued.
  public long pending() {
    // The submitted count first: what has left it since is in the other one.
    long notArrived = submitted;
    return notArrived + (long) QUEUED.getAcquire(this);
  }

  // ---- the loop ----

  /// A submitted message enters the pipeline.
  public void arriving(int cost) {
    arriving += cost;
  }

  /// The message has passed the pipeline: what no handler wrote on is not counted any more.
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

  /// Counts what was queued.
  public void add(long cost) {
    QUEUED.setRelease(this, queued + cost);
    move();
    if (state == WRITABLE && submitted + queued > settings().writes().highWaterMark()) {
      update(false);
    }
  }

  /// Removes what was sent. Writability follows in [#writeProgress].
  public void remove(long cost) {
    QUEUED.setRelease(this, queued - cost);
  }

  /// Updates writability after a drain.
  public void writeProgress() {
    if (state != WRITABLE) {
      update(true);
    }
  }

  /// True if a message of this cost can be queued below the hard limit. A submitted message that is
  /// on its way through the pipeline is counted already, and is not counted again.
  public boolean hasRoom(long cost) {
    return queued + submitted - arriving + cost <= settings().writes().hardLimit();
  }

  /// True if more than the hard limit is queued.
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

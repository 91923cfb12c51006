package dev.quickwater.common;

/// The platform thread of one event loop or executor, which runs nothing else.
///
/// - It is told from other threads where that matters: a future cannot be awaited on it, and what
///   is kept for each loop ([LoopLocal], [Recycler]) is quick on it.
/// - When its body has ended, in whatever way, the values that it has in any [LoopLocal] are
///   removed, on the thread itself and before [#join] returns.
/// - It is started like any thread. Calling [#run] instead is an error.
public final class LoopThread extends Thread {

  /// Which entry of every [LoopLocal] is this thread's; for the thread itself alone.
  int slot = LoopSlots.NONE;

  /// A thread that will run `body` once it is started.
  public LoopThread(String name, Runnable body) {
    super(body, name);
  }

  @Override
  public void run() {
    if (Thread.currentThread() != this || slot != LoopSlots.NONE) {
      throw new IllegalStateException(
          getName() + " runs its body once, on itself: call start(), not run()");
    }
    slot = LoopSlots.take();
    try {
      super.run();
    } finally {
      LoopLocal.end(this);
    }
  }
}

package dev.quickwater.common;

/// The platform thread of one event loop or executor, which runs nothing else.
///
/// - It is told from other threads where that matters: a future cannot be awaited on it, and what
///   is kept for each loop ([LoopLocal], [Recycler]) is quick on it.
/// - When its body has ended, in whatever way, the values that it has in any [LoopLocal] are
///   removed, on the thread itself and before [#join] returns.
/// - **It takes nothing over from the thread that makes it** but its group, priority and whether it
///   is a daemon: no inheritable thread-locals, and its context class loader is the system's. A
///   loop often outlives the part of a program that was the first to need one, and would keep the
///   class loader of a web application alive, for instance. Code that looks for classes by the
///   context class loader sets it itself, and resets it.
/// - It is started like any thread. Calling [#run] instead is an error.
public final class LoopThread extends Thread {

  /// Lets the virtual machine choose.
  private static final long DEFAULT_STACK = 0;

  /// Which entry of every [LoopLocal] is this thread's; for the thread itself alone.
  int slot = LoopSlots.NONE;

  /// A thread that will run `body` once it is started.
  public LoopThread(String name, Runnable body) {
    super(null, body, name, DEFAULT_STACK, false);
    setContextClassLoader(ClassLoader.getSystemClassLoader());
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

package dev.quickwater.common;

/// The platform thread of one event loop or executor, which runs nothing else.
///
/// - Other code distinguishes it from other threads: a future cannot be awaited on it, and per-loop
///   values ([LoopLocal], [Recycler]) are fast on it.
/// - When its body has ended, normally or by an exception, its values in all [LoopLocal]s are
///   removed, on the thread itself and before [#join] returns.
/// - **It inherits from the thread that creates it** only the group, the priority and whether it is
///   a daemon. It has no inheritable thread-locals, and its context class loader is the system's. A
///   loop often outlives the part of a program that first needed it, and would keep the class
///   loader of a web application alive. Code that needs the context class loader sets it and resets
///   it.
/// - It is started like any thread. Calling [#run] directly is an error.
public final class LoopThread extends Thread {

  /// Lets the virtual machine choose.
  private static final long DEFAULT_STACK = 0;

  /// The index of this thread's entry in each [LoopLocal]; for the thread itself only.
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

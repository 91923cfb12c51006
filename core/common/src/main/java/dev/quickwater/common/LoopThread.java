package dev.quickwater.common;

/// The platform thread of one event loop or executor, which runs nothing else.
///
/// It is told from other threads where that matters: a future cannot be awaited on it.
public final class LoopThread extends Thread {

  /// A thread that will run `body` once it is started.
  public LoopThread(String name, Runnable body) {
    super(body, name);
  }
}

package dev.quickwater.common;

import org.jspecify.annotations.Nullable;

/// A place in the code and a thread, with a hint for people. It is a [Throwable] for its stack
/// trace, which is captured now and turned into text only by [#render]; it is never thrown.
@SuppressWarnings("serial")
final class Touch extends Throwable {

  private final String thread;
  private final long threadId;

  /// Which touch of its handle this is, from 0.
  int number;

  Touch(@Nullable String hint) {
    super(hint, null, false, true);
    Thread current = Thread.currentThread();
    thread = current.getName();
    threadId = current.threadId();
  }

  /// Appends the thread, the hint and the frames, without those of the tracker itself.
  void render(StringBuilder text) {
    text.append(thread.isEmpty() ? "thread #" + threadId : thread);
    @Nullable String hint = getMessage();
    if (hint != null && !hint.isEmpty()) {
      text.append(": ").append(hint);
    }
    boolean own = true;
    for (StackTraceElement frame : getStackTrace()) {
      own &= frame.getClassName().startsWith(LeakTracker.class.getName());
      if (!own) {
        text.append("\n    at ").append(frame);
      }
    }
  }
}

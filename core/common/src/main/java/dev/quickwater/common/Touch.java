package dev.quickwater.common;

import org.jspecify.annotations.Nullable;

/// A place in the code and a thread, with a hint. It is a [Throwable] for its stack trace, which is
/// captured when it is created and rendered by [#render] only; it is never thrown.
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

  /// Appends the thread, the hint and the frames of the program, see [LeakFrames].
  void render(StringBuilder text, Class<?> handle) {
    text.append(thread.isEmpty() ? "thread #" + threadId : thread);
    @Nullable String hint = getMessage();
    if (hint != null && !hint.isEmpty()) {
      text.append(": ").append(hint);
    }
    for (StackTraceElement frame : LeakFrames.of(getStackTrace(), handle)) {
      text.append("\n    at ").append(frame);
    }
  }
}

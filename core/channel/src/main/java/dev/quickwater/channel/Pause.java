package dev.quickwater.channel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A reason not to read a channel. The channel reads again when every pause is closed: no part of a
/// program overrides another. [Channel#pauses] names the reasons of all pauses.
///
/// [#close] may be called from any thread, any number of times.
public final class Pause implements AutoCloseable {

  private static final VarHandle CLOSED;

  static {
    try {
      CLOSED = MethodHandles.lookup().findVarHandle(Pause.class, "closed", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Channel channel;
  private final String reason;
  private volatile boolean closed;

  /// The next older pause. The pauses of a channel are a linked list, because there are few. Loop
  /// only.
  @Nullable Pause next;

  Pause(Channel channel, String reason) {
    this.channel = channel;
    this.reason = reason;
  }

  /// The reason, for logs.
  public String reason() {
    return reason;
  }

  /// True once [#close] was called.
  public boolean isClosed() {
    return closed;
  }

  /// Ends this pause.
  @Override
  public void close() {
    if (CLOSED.compareAndSet(this, false, true)) {
      channel.endPause(this);
    }
  }

  /// Removes this pause from the list that starts at `first`, unless it is the first.
  ///
  /// @return true if it was removed
  boolean unlinkFrom(@Nullable Pause first) {
    for (@Nullable Pause held = first; held != null; held = held.next) {
      if (held.next == this) {
        held.next = next;
        return true;
      }
    }
    return false;
  }

  static List<String> reasons(@Nullable Pause first) {
    List<String> reasons = new ArrayList<>();
    for (@Nullable Pause held = first; held != null; held = held.next) {
      reasons.add(held.reason);
    }
    return reasons;
  }

  @Override
  public String toString() {
    return "Pause[" + reason + (closed ? ", closed]" : "]");
  }
}

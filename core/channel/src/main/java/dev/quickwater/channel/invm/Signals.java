package dev.quickwater.channel.invm;

import dev.quickwater.common.Task;

/// The signals between the two ends of a connection: tasks of the receiver's loop. A loop runs the
/// tasks of one sender in order, so the ends share no state and need no lock.
///
/// If the receiver's loop ends, the signal is abandoned: it releases only what it owns. The
/// receiver has closed and reported its close before.
final class Signals {

  private Signals() {}

  /// Queues a signal for the loop of its receiver, or abandons it.
  static void post(InVmIo to, Task signal) {
    to.loop().executeOrAbandon(signal);
  }

  /// A signal that owns nothing.
  interface PlainSignal extends Task {
    @Override
    default void abandoned(Throwable cause) {}
  }

  /// Messages; the receiver takes ownership of them.
  record Delivery(InVmIo to, InVmIo from, MessageList messages) implements Task {
    @Override
    public void run() {
      to.deliver(messages);
    }

    @Override
    public void abandoned(Throwable cause) {
      messages.discard();
      post(from, new PeerClosed(from, true));
    }
  }

  /// The receiver has read messages of this cost.
  record Acknowledgement(InVmIo to, long cost) implements PlainSignal {
    @Override
    public void run() {
      to.acknowledged(cost);
    }
  }

  /// The sender has ended its direction.
  record PeerEnded(InVmIo to) implements PlainSignal {
    @Override
    public void run() {
      to.peerEnded();
    }
  }

  /// The sender has closed. `lost` is true if it has not read everything.
  record PeerClosed(InVmIo to, boolean lost) implements PlainSignal {
    @Override
    public void run() {
      to.peerClosed(lost);
    }
  }

  /// The accepted end exists.
  record Accepted(InVmIo to, InVmIo from) implements Task {
    @Override
    public void run() {
      to.accepted(from);
    }

    @Override
    public void abandoned(Throwable cause) {
      post(from, new PeerClosed(from, false));
    }
  }

  /// The request is refused.
  record Refused(InVmIo to, String reason) implements PlainSignal {
    @Override
    public void run() {
      to.refused(reason);
    }
  }

  /// An end requests a connection.
  record Request(InVmListener to, InVmIo from) implements Task {
    @Override
    public void run() {
      to.requested(from);
    }

    @Override
    public void abandoned(Throwable cause) {
      InVmListener.refuse(from, InVmListener.NOT_LISTENING);
    }
  }
}

package dev.quickwater.channel.spi;

import dev.quickwater.common.Promise;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The transport of a listening socket. It delivers [AcceptedSocket]s and fails every written
/// message. A failure to accept concerns one connection or one moment: the channel stays open and
/// its handlers decide when to read again.
public final class ListenerDriver extends SocketDriver<ListenerSocket> {

  /// Drives a bound socket.
  public ListenerDriver(ListenerSocket socket) {
    super(socket);
  }

  @Override
  public boolean broken() {
    ready(ReadinessSocket.READ);
    if (!closed && !reading) {
      interest = 0;
    }
    return closed || interest != 0;
  }

  @Override
  void writable() {}

  @Override
  void read() {
    for (int left = events.settings().reads().readsPerTurn();
        left > 0 && reading && !closed;
        left--) {
      @Nullable AcceptedSocket accepted;
      try {
        accepted = socket.accept();
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
        events.messageFailed(e);
        return;
      }
      if (accepted == null) {
        break;
      }
      events.received(accepted);
    }
    if (!closed) {
      events.readTurnEnded();
    }
  }

  @Override
  void interestFailed(Exception cause) {
    events.messageFailed(cause);
  }

  @Override
  public void write(Object message, @Nullable Promise<Void> promise) {
    Messages.refuse(
        events,
        message,
        promise,
        new UnsupportedOperationException("a listening socket sends nothing"));
  }

  @Override
  public void flush() {}

  @Override
  public void shutdownOutput() {}

  @Override
  public long pendingBytes() {
    return 0;
  }

  @Override
  public int abandon(Throwable cause) {
    return 0;
  }
}

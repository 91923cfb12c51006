package dev.quickwater.channel.spi;

import dev.quickwater.common.Promise;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/// The transport on a listening socket: each message that it delivers is an [AcceptedSocket]. It
/// has no output; a message that is written to it fails. A failure to accept, or to wait for
/// connections, concerns one connection or one moment: the channel stays open and its handlers
/// decide when to read again.
public final class ListenerDriver implements ChannelIo, Driver {

  private final ListenerSocket socket;
  private ChannelEvents events = NoEvents.IT;
  private int interest;
  private boolean reading;
  private boolean closed;

  /// For a socket that is bound.
  public ListenerDriver(ListenerSocket socket) {
    this.socket = socket;
  }

  @Override
  public void attach(ChannelEvents receiver) {
    events = receiver;
  }

  @Override
  public void ready(int ready) {
    try {
      if (closed) {
        return;
      }
      if (reading) {
        acceptAll();
      } else {
        want(0);
      }
    } catch (Throwable t) {
      events.failed(t);
    }
  }

  @Override
  public boolean broken() {
    ready(ReadinessSocket.READ);
    if (!closed && !reading) {
      interest = 0;
    }
    return closed || interest != 0;
  }

  private void acceptAll() {
    for (int left = events.settings().reads().readsPerTurn();
        left > 0 && reading && !closed;
        left--) {
      @Nullable AcceptedSocket accepted;
      try {
        accepted = socket.accept();
      } catch (IOException | RuntimeException e) {
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
  public void startReading() {
    reading = true;
    want(ReadinessSocket.READ);
  }

  @Override
  public void stopReading() {
    reading = false;
  }

  private void want(int next) {
    if (next != interest && !closed) {
      try {
        socket.interest(next);
        interest = next;
      } catch (IOException | RuntimeException e) {
        events.messageFailed(e);
      }
    }
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
  public void close() {
    if (!closed) {
      closed = true;
      reading = false;
      socket.close();
    }
  }

  @Override
  public int abandon(Throwable cause) {
    return 0;
  }

  @Override
  public @Nullable SocketAddress localAddress() {
    return socket.localAddress();
  }

  @Override
  public @Nullable SocketAddress remoteAddress() {
    return null;
  }

  @Override
  public <T> void setOption(SocketOption<T> option, T value) throws IOException {
    socket.setOption(option, value);
  }

  @Override
  public <T> T getOption(SocketOption<T> option) throws IOException {
    return socket.getOption(option);
  }
}

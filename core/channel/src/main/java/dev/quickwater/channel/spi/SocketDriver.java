package dev.quickwater.channel.spi;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/// Common parts of the transports of readiness sockets: the requested events, whether the channel
/// reads, and closing.
///
/// - [#stopReading] costs no system call: the interest is dropped only when an event arrives.
/// - An exception inside an event fails this channel alone.
abstract sealed class SocketDriver<S extends ReadinessSocket> implements ChannelIo, Driver
    permits StreamDriver, ListenerDriver, DatagramDriver {

  final S socket;
  ChannelEvents events = NoEvents.INSTANCE;

  /// The requested events, a mask as in [Driver#ready].
  int interest;

  boolean reading;
  boolean closed;

  SocketDriver(S socket) {
    this.socket = socket;
  }

  @Override
  public void attach(ChannelEvents receiver) {
    events = receiver;
  }

  // ---- readiness, from the poller ----

  @Override
  public final void ready(int ready) {
    try {
      if ((ready & ReadinessSocket.WRITE) != 0 && !closed) {
        writable();
      }
      if ((ready & ReadinessSocket.READ) != 0 && !closed) {
        readable();
      }
    } catch (Throwable t) {
      // A fault in one channel's code must not suppress the events of the others.
      events.failed(t);
    }
  }

  private void readable() {
    if (reading) {
      read();
    } else {
      want(ReadinessSocket.READ, false);
    }
  }

  /// The socket is readable, and the channel reads.
  abstract void read();

  /// The socket is writable.
  abstract void writable();

  @Override
  public void startReading() {
    reading = true;
    want(ReadinessSocket.READ, true);
  }

  @Override
  public void stopReading() {
    reading = false;
  }

  final void want(int event, boolean wanted) {
    int next = wanted ? interest | event : interest & ~event;
    if (next != interest && !closed) {
      try {
        socket.interest(next);
        interest = next;
      } catch (IOException | RuntimeException e) {
        interestFailed(e);
      }
    }
  }

  /// The poller refused a request; the previous one still applies.
  void interestFailed(Exception cause) {
    events.failed(cause);
  }

  // ---- the rest ----

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      reading = false;
      socket.close();
    }
  }

  @Override
  public final @Nullable SocketAddress localAddress() {
    return socket.localAddress();
  }

  @Override
  public final @Nullable SocketAddress remoteAddress() {
    return socket.remoteAddress();
  }

  @Override
  public final <T> void setOption(SocketOption<T> option, T value) throws IOException {
    socket.setOption(option, value);
  }

  @Override
  public final <T> T getOption(SocketOption<T> option) throws IOException {
    return socket.getOption(option);
  }
}

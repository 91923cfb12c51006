package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.channel.ChannelSettings;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/// A channel's transport on a socket that says when it is ready.
///
/// - A buffer is taken only when there is something to read; an idle connection holds none.
/// - The size of the next buffer follows what was read: a full one doubles it, two that were less
///   than a quarter full halve it.
/// - [#stopReading] costs no system call: interest is dropped only if an event then comes.
/// - Errors and hang-ups are always looked at, whatever the interest: a socket with nothing wanted
///   that is broken is reported, not spun on.
public final class ReadinessIo implements ChannelIo {

  private static final int MOST_WRITES = 16;

  private final ReadinessSocket socket;
  private final boolean listening;
  private ChannelEvents events = NoEvents.IT;

  private int interest;
  private boolean reading;
  private boolean connecting;
  private boolean writing;
  private boolean inputEnded;
  private boolean closed;
  private int readSize;
  private boolean lastReadWasSmall;
  private @Nullable IOException writeFailure;

  /// For a socket that is connected, connecting or, with `listening`, bound.
  public ReadinessIo(ReadinessSocket socket, boolean listening) {
    this.socket = socket;
    this.listening = listening;
  }

  @Override
  public void attach(ChannelEvents receiver) {
    events = receiver;
    readSize = Math.max(receiver.settings().minReadSize(), 2048);
    readSize = Math.min(readSize, receiver.settings().maxReadSize());
  }

  /// The channel's side, for a poller that has to reach it.
  public ChannelEvents events() {
    return events;
  }

  // ---- readiness, from the poller ----

  /// The socket is ready for `ready`, a mask of [ReadinessSocket#READ] and [ReadinessSocket#WRITE].
  public void ready(int ready) {
    try {
      if ((ready & ReadinessSocket.WRITE) != 0 && !closed) {
        writable();
      }
      if ((ready & ReadinessSocket.READ) != 0 && !closed && !connecting) {
        readable();
      }
    } catch (Throwable t) {
      // A fault in one channel's code must not take the events of the others.
      events.failed(t);
    }
  }

  private void writable() {
    if (connecting) {
      finishConnect();
    } else {
      drain();
    }
  }

  private void readable() {
    if (!reading) {
      want(ReadinessSocket.READ, false);
    } else if (listening) {
      acceptAll();
    } else {
      readAll();
    }
  }

  /// The socket has an error, or both its directions have ended, which the kernel reports whatever
  /// the interest. What the peer sent before is read first: it may be the reason.
  ///
  /// @return true if the socket may stay with the poller; false if it has to be left out until
  ///   [ReadinessSocket#interest] is next called, for nothing is wanted of it and it would be
  ///   reported again and again
  public boolean broken() {
    try {
      if (connecting) {
        finishConnect();
      } else if (reading) {
        readable();
      }
      if (!closed && !connecting && !reading) {
        settle();
      }
    } catch (Throwable t) {
      events.failed(t);
    }
    return closed || interest != 0;
  }

  /// Nobody reads the broken socket, so that its error has to be asked for; without one there may
  /// still be something to send, which fails now.
  private void settle() {
    @Nullable IOException error = writeFailure == null ? socket.pendingError() : writeFailure;
    if (error != null) {
      events.failed(error);
      return;
    }
    if ((interest & ReadinessSocket.WRITE) != 0) {
      drain();
    }
    if (!closed && !reading) {
      interest &= ReadinessSocket.WRITE;
    }
  }

  // ---- reading ----

  private void readAll() {
    ChannelSettings settings = events.settings();
    for (int left = settings.readsPerTurn(); left > 0 && reading && !closed; left--) {
      int read = readOnce(settings);
      if (read < 0) {
        break;
      }
    }
    if (!closed) {
      events.readTurnEnded();
    }
    if (inputEnded && !closed) {
      reading = false;
      if (writeFailure != null) {
        events.failed(writeFailure);
        return;
      }
      events.inputEnded(); // most channels close now, and need not change their interest before
      want(ReadinessSocket.READ, false);
    }
  }

  /// Reads one buffer; below 0 when there is no more to read now.
  private int readOnce(ChannelSettings settings) {
    ByteBuf buffer;
    int read;
    int size = readSize;
    try {
      buffer = events.allocator().allocate(size);
    } catch (OutOfMemoryError e) {
      events.failed(e);
      return -1;
    }
    try {
      read = socket.read(buffer);
    } catch (IOException | RuntimeException | Error e) {
      buffer.release();
      events.failed(writeFailure == null ? e : writeFailure);
      return -1;
    }
    if (read <= 0) {
      buffer.release();
      inputEnded = read < 0;
      return -1;
    }
    adapt(settings, read);
    events.received(buffer);
    return read < size ? -1 : 0;
  }

  private void adapt(ChannelSettings settings, int read) {
    if (read == readSize) {
      readSize = Math.min(readSize * 2, settings.maxReadSize());
      lastReadWasSmall = false;
    } else if (read < readSize / 4) {
      if (lastReadWasSmall) {
        readSize = Math.max(readSize / 2, settings.minReadSize());
      }
      lastReadWasSmall = !lastReadWasSmall;
    } else {
      lastReadWasSmall = false;
    }
  }

  private void acceptAll() {
    for (int left = events.settings().readsPerTurn(); left > 0 && reading && !closed; left--) {
      @Nullable AcceptedSocket accepted;
      try {
        accepted = socket.accept();
      } catch (IOException | RuntimeException e) {
        events.failed(e);
        return;
      }
      if (accepted == null) {
        break;
      }
      events.accepted(accepted);
    }
    if (!closed) {
      events.readTurnEnded();
    }
  }

  @Override
  public void startReading() {
    if (!inputEnded) {
      reading = true;
      want(ReadinessSocket.READ, true);
    }
  }

  @Override
  public void stopReading() {
    reading = false;
  }

  // ---- connecting ----

  @Override
  public void connect(SocketAddress remote, @Nullable SocketAddress local) {
    try {
      connecting = true;
      if (socket.connect(remote, local)) {
        connecting = false;
        events.connected();
      } else {
        want(ReadinessSocket.WRITE, true);
      }
    } catch (IOException | RuntimeException e) {
      connecting = false;
      events.connectFailed(e);
    }
  }

  private void finishConnect() {
    try {
      socket.finishConnect();
    } catch (IOException | RuntimeException e) {
      connecting = false;
      events.connectFailed(e);
      return;
    }
    connecting = false;
    want(ReadinessSocket.WRITE, false);
    events.connected();
  }

  // ---- writing ----

  @Override
  public void flush() {
    if (!writing && (interest & ReadinessSocket.WRITE) == 0 && writeFailure == null) {
      drain();
    }
  }

  private void drain() {
    OutboundBuffer outbound = events.outbound();
    writing = true;
    boolean more = true;
    try {
      outbound.dropEmpty();
      for (int left = MOST_WRITES; left > 0 && more && outbound.hasFlushed(); left--) {
        more = socket.write(outbound);
        outbound.dropEmpty();
      }
    } catch (IOException e) {
      writing = false;
      writeFailed(outbound, e);
      return;
    } catch (RuntimeException | Error e) {
      writing = false;
      events.failed(e);
      return;
    }
    writing = false;
    if (!closed) {
      want(ReadinessSocket.WRITE, outbound.hasFlushed());
      events.writeProgress();
    }
  }

  /// A connection that cannot be written may still hold what the peer said before it left, say why
  /// it refuses the rest of a request. Somebody who reads gets that first, and the failure at its
  /// end. A file that failed is our own affair and ends the channel at once.
  private void writeFailed(OutboundBuffer outbound, IOException cause) {
    if (closed) {
      return;
    }
    boolean ofFile = outbound.hasFlushed() && outbound.first() instanceof FileRegion;
    if (!reading || ofFile) {
      events.failed(cause);
    } else {
      writeFailure = cause;
      want(ReadinessSocket.WRITE, false);
    }
  }

  @Override
  public void shutdownOutput() throws IOException {
    socket.shutdownOutput();
  }

  // ---- the rest ----

  private void want(int event, boolean wanted) {
    int next = wanted ? interest | event : interest & ~event;
    if (next != interest && !closed) {
      interest = next;
      try {
        socket.interest(next);
      } catch (IOException | RuntimeException e) {
        events.failed(e);
      }
    }
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
  public @Nullable SocketAddress localAddress() {
    return socket.localAddress();
  }

  @Override
  public @Nullable SocketAddress remoteAddress() {
    return socket.remoteAddress();
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

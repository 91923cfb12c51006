package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.channel.ReadLimits;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The transport of a stream socket.
///
/// - A buffer is allocated only when the socket is readable; an idle connection holds none.
/// - A full buffer doubles the size of the next buffer. Two buffers in a row that are less than a
///   quarter full halve the size.
/// - **A drain never nests.** The current drain performs a flush that is requested inside it.
///   Promises and writability follow when the drain has ended.
/// - Errors and hang-ups are handled even if no events are requested. Otherwise a broken socket
///   would wake the loop repeatedly.
public final class StreamDriver extends SocketDriver<StreamSocket> implements ConnectingIo {

  /// Writes in one drain before other channels run.
  private static final int MAX_WRITES = 16;

  private StreamOutput output = NoEvents.OUTPUT;

  private StreamPhase phase = StreamPhase.OPEN;
  private boolean draining;
  private int readSize;
  private boolean lastReadWasSmall;

  /// The delay before the next attempt to connect to a server whose backlog is full. A server that
  /// accepts connections empties its backlog faster than that. The connect timeout limits the
  /// attempts.
  private static final Duration BACKLOG_REST = Duration.ofMillis(10);

  /// Drives a socket that is connected, or that [#connect] will connect.
  public StreamDriver(StreamSocket socket) {
    super(socket);
  }

  @Override
  public void attach(ChannelEvents receiver) {
    super.attach(receiver);
    output = new StreamOutput(receiver);
    ReadLimits limits = receiver.settings().reads();
    readSize = Math.min(Math.max(limits.minSize(), 2048), limits.maxSize());
  }

  // ---- readiness, from the poller ----

  @Override
  void writable() {
    if (phase == StreamPhase.CONNECTING) {
      finishConnect();
    } else {
      drain();
    }
  }

  @Override
  void read() {
    if (phase != StreamPhase.CONNECTING) {
      readAll();
    }
  }

  /// Reads the bytes that the peer sent before the error first, because they may contain the reason
  /// for the error.
  @Override
  public boolean broken() {
    try {
      if (phase == StreamPhase.CONNECTING) {
        finishConnect();
      } else if (reading) {
        readAll();
      }
      if (!closed && phase != StreamPhase.CONNECTING && !reading) {
        findError();
      }
    } catch (Throwable t) {
      events.failed(t);
    }
    return closed || interest != 0;
  }

  /// Finds the error of a broken socket that the channel does not read, and fails the channel.
  /// Without a pending error, unsent output is written: the write fails and has the error.
  private void findError() {
    @Nullable IOException known = output.failure();
    @Nullable IOException error = known == null ? socket.pendingError() : known;
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
    ReadLimits limits = events.settings().reads();
    for (int left = limits.readsPerTurn(); left > 0 && reading && !closed; left--) {
      if (!readOnce(limits)) {
        break;
      }
    }
    if (!closed) {
      events.readTurnEnded();
    }
    if (phase.hasInputEnded() && !closed) {
      endInput();
    }
  }

  private void endInput() {
    reading = false;
    @Nullable IOException failure = output.failure();
    if (failure != null) {
      events.failed(failure);
      return;
    }
    events.inputEnded(); // most channels close here: the interest changes after it
    want(ReadinessSocket.READ, false);
  }

  /// Reads one buffer.
  ///
  /// @return false if nothing more is readable
  private boolean readOnce(ReadLimits limits) {
    int size = readSize;
    ByteBuf buffer;
    try {
      buffer = events.allocator().allocate(size);
    } catch (OutOfMemoryError e) {
      fail(e);
      return false;
    }
    int read;
    Object message = buffer;
    try {
      read = socket.read(buffer);
      if (read > 0) {
        message = socket.received(buffer);
      }
    } catch (IOException | RuntimeException | Error e) {
      buffer.release();
      @Nullable IOException failure = output.failure();
      fail(failure == null ? e : failure);
      return false;
    }
    if (read <= 0) {
      buffer.release();
      if (read < 0) {
        phase = phase.inputEnded();
      }
      return false;
    }
    adapt(limits, read);
    events.received(message);
    return read == size;
  }

  private void fail(Throwable cause) {
    reading = false;
    events.failed(cause);
  }

  private void adapt(ReadLimits limits, int read) {
    if (read == readSize) {
      readSize = Math.min(readSize * 2, limits.maxSize());
      lastReadWasSmall = false;
    } else if (read < readSize / 4) {
      if (lastReadWasSmall) {
        readSize = Math.max(readSize / 2, limits.minSize());
      }
      lastReadWasSmall = !lastReadWasSmall;
    } else {
      lastReadWasSmall = false;
    }
  }

  @Override
  public void startReading() {
    if (!phase.hasInputEnded()) {
      super.startReading();
    }
  }

  /// A failed write is reported at the end of the input. A channel that stops reading does not get
  /// there, and NIO has no event for a broken socket without requested events. The channel
  /// therefore fails after the current events, unless it reads again by then.
  @Override
  public void stopReading() {
    super.stopReading();
    if (output.failure() != null && !closed) {
      events.loop().ready(this::failUnread);
    }
  }

  private void failUnread() {
    @Nullable IOException failure = output.failure();
    if (failure != null && !reading && !closed) {
      events.failed(failure);
    }
  }

  // ---- connecting ----

  @Override
  public void connect(SocketAddress remote, @Nullable SocketAddress local) {
    try {
      phase = StreamPhase.CONNECTING;
      if (socket.connect(remote, local)) {
        phase = StreamPhase.OPEN;
        events.connected();
      } else if (socket.isBacklogFull()) {
        events.loop().schedule(() -> connectAgain(remote), BACKLOG_REST);
      } else {
        want(ReadinessSocket.WRITE, true);
      }
    } catch (IOException | RuntimeException e) {
      phase = StreamPhase.OPEN;
      events.failed(e);
    }
  }

  /// Starts to connect a bound socket.
  private void connectAgain(SocketAddress remote) {
    if (!closed) {
      connect(remote, null);
    }
  }

  private void finishConnect() {
    try {
      socket.finishConnect();
    } catch (IOException | RuntimeException e) {
      phase = StreamPhase.OPEN;
      events.failed(e);
      return;
    }
    phase = StreamPhase.OPEN;
    want(ReadinessSocket.WRITE, false);
    events.connected();
  }

  // ---- writing ----

  @Override
  public void write(Object message, @Nullable Promise<Void> promise) {
    if (message instanceof AttachedMessage attached && socket.supports(attached)) {
      output.writeAttached(attached, promise);
    } else {
      output.write(message, promise);
    }
  }

  @Override
  public void flush() {
    output.flush();
    if (!draining
        && output.hasFlushed()
        && (interest & ReadinessSocket.WRITE) == 0
        && output.failure() == null) {
      drain();
    }
  }

  private void drain() {
    draining = true;
    boolean more = true;
    @Nullable Throwable failure = null;
    try {
      output.dropEmpty();
      for (int left = MAX_WRITES; left > 0 && more && output.hasFlushed(); left--) {
        more = socket.write(output);
        output.dropEmpty();
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
    draining = false;
    if (failure != null) {
      writeFailed(failure);
    } else if (!closed) {
      want(ReadinessSocket.WRITE, output.hasFlushed());
      if (output.drained()) {
        endOutput();
      }
    }
    events.drained();
  }

  /// Handles a failed write. The input may still contain the peer's last bytes, for example a
  /// response that refuses the rest of a request. If the channel reads, it receives these bytes
  /// first and the failure at the end of the input. If a file was being sent, the channel fails at
  /// once.
  private void writeFailed(Throwable cause) {
    if (closed) {
      return;
    }
    boolean ofFile = output.hasFlushed() && output.first() instanceof FileRegion;
    if (cause instanceof IOException failure && reading && !ofFile) {
      output.broken(failure);
      want(ReadinessSocket.WRITE, false);
    } else {
      events.failed(cause);
    }
  }

  @Override
  public void shutdownOutput() {
    if (phase.hasOutputEnded() || closed) {
      return; // closed: the descriptor may belong to another channel
    }
    output.end();
    if (!draining && !output.hasFlushed() && output.drained()) {
      endOutput();
    }
  }

  /// If the kernel refuses, the connection is gone and the peer cannot be notified.
  private void endOutput() {
    phase = phase.outputEnded();
    try {
      socket.shutdownOutput();
    } catch (IOException _) {
      // reading reports the reason
    }
    events.outputEnded();
  }

  @Override
  public long pendingBytes() {
    return output.pendingBytes();
  }

  // ---- the rest ----

  @Override
  public void close() {
    output.close();
    super.close();
  }

  @Override
  public int abandon(Throwable cause) {
    return output.fail(cause);
  }
}

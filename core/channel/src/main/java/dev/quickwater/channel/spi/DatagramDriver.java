package dev.quickwater.channel.spi;

import dev.quickwater.common.Promise;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import org.jspecify.annotations.Nullable;

/// The transport of a datagram socket. Messages are [dev.quickwater.channel.Datagram]s.
///
/// - **A failure concerns one message.** An error of a destination fails that datagram. An error
///   that the kernel reports later is an exception event. The channel stays open.
/// - **No half-close:** [#shutdownOutput] sends what was flushed and then ends both directions.
public final class DatagramDriver extends SocketDriver<DatagramSocket> {

  private static final DatagramOutput NO_OUTPUT = new DatagramOutput(NoEvents.INSTANCE);

  /// Calls of [DatagramSocket#send] in a row before other channels run.
  private static final int MAX_SENDS = 4;

  private DatagramOutput output = NO_OUTPUT;
  private boolean draining;
  private boolean ending;
  private boolean resuming;

  /// Drives a socket that is bound or connected.
  public DatagramDriver(DatagramSocket socket) {
    super(socket);
  }

  @Override
  public void attach(ChannelEvents receiver) {
    super.attach(receiver);
    output = new DatagramOutput(receiver);
  }

  // ---- readiness, from the poller ----

  @Override
  void writable() {
    drain();
  }

  @Override
  void read() {
    try {
      socket.receive(events, events.settings().reads().readsPerTurn());
    } catch (IOException e) {
      events.messageFailed(e);
    } catch (OutOfMemoryError e) {
      events.messageFailed(e); // the datagram is lost; level-triggered events repeat for the rest
    }
    if (!closed) {
      events.readTurnEnded();
    }
  }

  /// The poller reports no event for datagrams that the socket has received and kept.
  @Override
  public void startReading() {
    super.startReading();
    if (socket.hasReceived() && !resuming) {
      resuming = true;
      events.loop().ready(this::resume);
    }
  }

  private void resume() {
    resuming = false;
    if (socket.hasReceived()) {
      ready(ReadinessSocket.READ);
    }
  }

  /// The error of a datagram socket concerns an earlier datagram. Reading the error makes the
  /// socket usable again.
  @Override
  public boolean broken() {
    if (closed) {
      return true;
    }
    @Nullable IOException error = socket.pendingError();
    if (error != null) {
      events.messageFailed(error);
    } else {
      ready(ReadinessSocket.READ | interest & ReadinessSocket.WRITE);
    }
    return closed || interest != 0;
  }

  // ---- sending ----

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
    boolean dropped = output.flush();
    if (!draining && (interest & ReadinessSocket.WRITE) == 0) {
      if (output.hasFlushed()) {
        drain();
      } else if (dropped) {
        events.drained(); // what was dropped may have made the channel writable
      }
    }
  }

  private void drain() {
    draining = true;
    boolean more = true;
    @Nullable Throwable failure = null;
    try {
      // A listener of a failed promise may close the channel.
      for (int left = MAX_SENDS; left > 0 && more && !closed && output.hasFlushed(); left--) {
        more = socket.send(output);
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
    draining = false;
    if (failure != null) {
      events.failed(failure);
    } else if (!closed) {
      want(ReadinessSocket.WRITE, output.hasFlushed());
      endIfDone();
    }
    events.drained();
  }

  @Override
  public void shutdownOutput() {
    ending = true;
    if (!draining) {
      endIfDone();
    }
  }

  private void endIfDone() {
    if (ending && !output.hasFlushed()) {
      ending = false;
      events.outputEnded();
      if (!closed) {
        reading = false;
        events.inputEnded();
      }
    }
  }

  @Override
  public long pendingBytes() {
    return output.pendingBytes();
  }

  @Override
  public boolean hasIndependentMessages() {
    return true;
  }

  // ---- multicast ----

  /// See [DatagramSocket#join].
  public void join(InetAddress group, NetworkInterface on, @Nullable InetAddress source)
      throws IOException {
    socket.join(group, on, source);
  }

  /// See [DatagramSocket#leave].
  public void leave(InetAddress group, NetworkInterface on, @Nullable InetAddress source)
      throws IOException {
    socket.leave(group, on, source);
  }

  @Override
  public int abandon(Throwable cause) {
    return output.failAll(cause);
  }
}

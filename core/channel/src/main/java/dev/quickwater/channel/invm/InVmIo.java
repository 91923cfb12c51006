package dev.quickwater.channel.invm;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.InVmAddress;
import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import org.jspecify.annotations.Nullable;

/// One end of a connection within this process. The two ends run on any two loops, or on the same
/// one.
///
/// - **Messages pass unchanged:** the other end takes ownership of the written object. There are
///   two exceptions: a [dev.quickwater.buffer.CompositeByteBuf] arrives as its parts, and a
///   [dev.quickwater.buffer.FileRegion] is read into buffers on the writer's loop.
/// - **Confinement:** only its loop uses an end. The ends send each other [Signals].
/// - **Back-pressure:** see [Outbox].
/// - **Closing** works as with sockets. An end that reads first receives what was sent. Then it
///   gets the end of the input, or a failure if the other end closed without reading everything. An
///   end that does not read fails at once.
/// - Nothing is delivered inside the call of a handler: two ends on one loop exchange messages by
///   tasks.
/// - Socket options in the settings have no effect. A channel supports one option: with a
///   `SO_LINGER` of 0, a close is a reset. The other end reads what was sent and then fails.
final class InVmIo implements ConnectingIo, Runnable {

  private @Nullable ChannelEvents events;
  private @Nullable Outbox outbox;
  private @Nullable InVmIo peer;
  private final MessageList inbox = new MessageList();

  private volatile @Nullable InVmAddress local;
  private volatile @Nullable InVmAddress remote;

  private Input input = Input.PAUSED;
  private Output output = Output.OPEN;
  private Other other = Other.SENDS;

  /// True while handlers receive messages.
  private boolean delivering;

  /// True while the next delivery waits in the ready list of the loop.
  private boolean scheduled;

  /// True while messages move from the outbox to a signal.
  private boolean draining;

  /// True if a close is a reset.
  private boolean resets;

  /// The channel's side of the input. ENDED: the channel has received everything and the end, or it
  /// has closed.
  private enum Input {
    PAUSED,
    READING,
    ENDED
  }

  /// Our direction. ENDING has messages to send before the end. CLOSED ends the input, too.
  private enum Output {
    OPEN,
    ENDING,
    ENDED,
    CLOSED
  }

  /// The state that the other end has reported. Further messages can arrive only in SENDS.
  private enum Other {
    SENDS,
    HAS_ENDED,
    HAS_CLOSED
  }

  /// An end that will connect.
  InVmIo() {}

  /// The accepted end of a connection that `client` has requested from `local`.
  InVmIo(InVmIo client, InVmAddress local) {
    this.peer = client;
    this.local = local;
    this.remote = client.local;
  }

  @Override
  public void attach(ChannelEvents receiver) {
    events = receiver;
    outbox = new Outbox(receiver);
    @Nullable InVmIo client = peer;
    if (client != null) {
      Signals.post(client, new Signals.Accepted(client, this));
    }
  }

  private ChannelEvents events() {
    if (events == null) {
      throw new IllegalStateException("no channel is attached");
    }
    return events;
  }

  private Outbox outbox() {
    if (outbox == null) {
      throw new IllegalStateException("no channel is attached");
    }
    return outbox;
  }

  private boolean isClosed() {
    return output == Output.CLOSED;
  }

  private boolean isReading() {
    return input == Input.READING;
  }

  /// The loop of this end. Set before any other thread has a reference to this object.
  EventLoop loop() {
    return events().loop();
  }

  // ---- connecting ----

  @Override
  public void connect(SocketAddress target, @Nullable SocketAddress from) {
    if (!(target instanceof InVmAddress address)) {
      events().failed(new UnsupportedOperationException("not an InVmAddress: " + target));
      return;
    }
    if (from != null && !(from instanceof InVmAddress)) {
      events().failed(new UnsupportedOperationException("not an InVmAddress: " + from));
      return;
    }
    remote = address;
    local =
        from instanceof InVmAddress chosen && !InVm.isAny(chosen) ? chosen : InVm.uniqueAddress();
    InVmListener.request(address, this);
  }

  void accepted(InVmIo by) {
    peer = by;
    if (isClosed()) {
      Signals.post(by, new Signals.PeerClosed(by, false));
    } else {
      events().connected();
    }
  }

  void refused(String reason) {
    if (!isClosed() && peer == null) {
      events().failed(new ConnectException("cannot connect to " + remote + ": " + reason));
    }
  }

  // ---- reading ----

  void deliver(MessageList messages) {
    if (isClosed()) {
      messages.discard();
      reportClosed(true);
      return;
    }
    inbox.addAll(messages);
    readAll();
  }

  void peerEnded() {
    if (other == Other.SENDS) {
      other = Other.HAS_ENDED;
    }
    readAll();
  }

  /// The other end has closed. `lost` is true if that end has reset the connection or has not read
  /// everything.
  void peerClosed(boolean lost) {
    if (isClosed()) {
      return;
    }
    other = Other.HAS_CLOSED;
    if (lost || outbox().hasFlushed()) {
      broken();
    } else {
      outbox().allRead(); // an end that closes does not acknowledge what it read last
      events().drained();
    }
    readAll();
  }

  /// A channel that reads gets the messages of the other end first and the failure after them.
  private void broken() {
    if (outbox().failure() == null) {
      IOException failure =
          new IOException(
              "the peer, " + remote + ", has reset the connection or has not read everything");
      if (isReading()) {
        outbox().broken(failure);
      } else {
        events().failed(failure);
      }
    }
  }

  private void readAll() {
    if (delivering || !isReading() || isClosed()) {
      return;
    }
    try {
      long cost = deliverSome();
      if (cost > 0 && !isClosed()) {
        events().readTurnEnded();
      }
      if (cost > 0 && !isClosed() && peer != null && other != Other.HAS_CLOSED) {
        Signals.post(peer, new Signals.Acknowledgement(peer, cost));
      }
      if (other != Other.SENDS && isReading() && inbox.isEmpty() && !isClosed()) {
        endInput();
      }
      schedule();
    } catch (Throwable t) {
      events().failed(t);
    }
  }

  /// @return the cost of the delivered messages; each costs more than 0
  private long deliverSome() {
    ChannelEvents receiver = events();
    long cost = 0;
    delivering = true;
    try {
      for (int left = receiver.settings().reads().readsPerTurn();
          left > 0 && isReading() && !isClosed();
          left--) {
        @Nullable Message message = inbox.poll();
        if (message == null) {
          break;
        }
        cost += message.cost;
        receiver.received(message.content);
      }
    } finally {
      delivering = false;
    }
    return cost;
  }

  private void endInput() {
    input = Input.ENDED;
    @Nullable IOException failure = outbox().failure();
    if (failure != null) {
      events().failed(failure);
    } else {
      events().inputEnded();
    }
  }

  /// Continues after the other channels of the loop had their turn.
  private void schedule() {
    if (isReading() && !scheduled && !delivering && (other != Other.SENDS || !inbox.isEmpty())) {
      scheduled = true;
      loop().ready(this);
    }
  }

  @Override
  public void run() {
    scheduled = false;
    readAll();
  }

  @Override
  public void startReading() {
    if (input != Input.ENDED) {
      input = Input.READING;
      schedule();
    }
  }

  @Override
  public void stopReading() {
    if (isReading()) {
      input = Input.PAUSED;
    }
  }

  // ---- writing ----

  @Override
  public void write(Object message, @Nullable Promise<Void> promise) {
    outbox().write(message, promise);
  }

  @Override
  public void flush() {
    if (outbox().flush() && !draining) {
      drain();
    }
  }

  void acknowledged(long cost) {
    if (!isClosed()) {
      outbox().acknowledged(cost);
      drain();
    }
  }

  private void drain() {
    @Nullable InVmIo to = peer;
    if (to == null) {
      return; // a channel that is not connected writes nothing
    }
    if (other == Other.HAS_CLOSED) {
      broken();
      return;
    }
    MessageList parcel = new MessageList();
    @Nullable Throwable failure = null;
    draining = true;
    try {
      outbox().fill(parcel);
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
    draining = false;
    if (!parcel.isEmpty()) {
      Signals.post(to, new Signals.Delivery(to, this, parcel));
    }
    outbox().countPieces();
    if (failure != null) {
      events().failed(failure);
    } else if (!isClosed()) {
      outbox().drained();
      if (output == Output.ENDING && !outbox().hasFlushed()) {
        endOutput();
      }
    }
    events().drained();
  }

  @Override
  public void shutdownOutput() {
    if (output == Output.OPEN) {
      output = Output.ENDING;
    }
    if (!draining && !outbox().hasFlushed()) {
      endOutput();
    }
  }

  private void endOutput() {
    @Nullable InVmIo to = peer;
    if (output == Output.ENDED || isClosed() || to == null) {
      return;
    }
    output = Output.ENDED;
    Signals.post(to, new Signals.PeerEnded(to));
    events().outputEnded();
  }

  @Override
  public long pendingBytes() {
    return outbox == null ? 0 : outbox.pendingBytes();
  }

  // ---- the rest ----

  @Override
  public void close() {
    output = Output.CLOSED;
    input = Input.ENDED;
    outbox().close();
    reportClosed(resets || !inbox.isEmpty());
  }

  private void reportClosed(boolean lost) {
    @Nullable InVmIo to = peer;
    if (to != null) {
      Signals.post(to, new Signals.PeerClosed(to, lost));
    }
  }

  @Override
  public int abandon(Throwable cause) {
    inbox.discard();
    return outbox().fail(cause);
  }

  @Override
  public <T> void setOption(SocketOption<T> option, T value) throws IOException {
    if (option == StandardSocketOptions.SO_LINGER) {
      resets = value.equals(0);
    } else {
      ConnectingIo.super.setOption(option, value);
    }
  }

  @Override
  public <T> T getOption(SocketOption<T> option) throws IOException {
    return option == StandardSocketOptions.SO_LINGER
        ? option.type().cast(resets ? 0 : -1)
        : ConnectingIo.super.getOption(option);
  }

  @Override
  public @Nullable SocketAddress localAddress() {
    return local;
  }

  @Override
  public @Nullable SocketAddress remoteAddress() {
    return remote;
  }
}

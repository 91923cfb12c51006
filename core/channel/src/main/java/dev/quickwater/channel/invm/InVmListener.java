package dev.quickwater.channel.invm;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.InVmAddress;
import dev.quickwater.channel.spi.AcceptedSocket;
import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.IoPoller;
import dev.quickwater.channel.spi.Messages;
import dev.quickwater.common.Promise;
import java.net.BindException;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The listening transport for an in-VM address. It delivers [AcceptedSocket]s.
///
/// A request is refused at once while `backlog` others wait to be accepted.
final class InVmListener implements ChannelIo, Runnable {

  static final String NOT_LISTENING = "no channel listens there";

  /// The listeners of this process by name.
  private static final ConcurrentHashMap<String, InVmListener> LISTENERS =
      new ConcurrentHashMap<>();

  private final InVmAddress local;
  private final int backlog;
  private final ArrayDeque<InVmIo> requests = new ArrayDeque<>();
  private @Nullable ChannelEvents events;

  /// Set by [#attach]. Before, the name is in use and requests are refused.
  private volatile @Nullable EventLoop loop;

  private boolean reading;
  private boolean accepting;
  private boolean scheduled;
  private boolean closed;

  private InVmListener(InVmAddress local, int backlog) {
    this.local = local;
    this.backlog = backlog;
  }

  static InVmListener open(InVmAddress address, ChannelSettings settings) throws BindException {
    int backlog = settings.sockets().backlog();
    if (!InVm.isAny(address)) {
      InVmListener listener = new InVmListener(address, backlog);
      if (!listener.claimName()) {
        throw new BindException("cannot listen on " + address + ": another channel listens there");
      }
      return listener;
    }
    InVmListener listener;
    do { // a program may have chosen a name of this form
      listener = new InVmListener(InVm.uniqueAddress(), backlog);
    } while (!listener.claimName());
    return listener;
  }

  private boolean claimName() {
    return LISTENERS.putIfAbsent(local.name(), this) == null;
  }

  /// Requests a connection for `client`; [InVmIo#accepted] or [InVmIo#refused] follows on the loop
  /// of the client.
  static void request(InVmAddress address, InVmIo client) {
    @Nullable InVmListener listener = LISTENERS.get(address.name());
    @Nullable EventLoop loop = listener == null ? null : listener.loop;
    if (listener == null || loop == null) {
      refuse(client, NOT_LISTENING);
      return;
    }
    loop.executeOrAbandon(new Signals.Request(listener, client));
  }

  static void refuse(InVmIo client, String reason) {
    Signals.post(client, new Signals.Refused(client, reason));
  }

  @Override
  public void attach(ChannelEvents receiver) {
    events = receiver;
    loop = receiver.loop();
  }

  private ChannelEvents events() {
    if (events == null) {
      throw new IllegalStateException("no channel is attached");
    }
    return events;
  }

  void requested(InVmIo client) {
    if (closed) {
      refuse(client, NOT_LISTENING);
    } else if (requests.size() >= backlog) {
      refuse(client, "its backlog of " + backlog + " connections is full");
    } else {
      requests.add(client);
      acceptAll();
    }
  }

  private void acceptAll() {
    if (accepting) {
      return;
    }
    accepting = true;
    boolean any = false;
    for (int left = events().settings().reads().readsPerTurn(); left > 0 && reading; left--) {
      @Nullable InVmIo client = requests.poll();
      if (client == null) {
        break;
      }
      any = true;
      events().received(new Accepted(client, local));
    }
    accepting = false;
    if (any && !closed) {
      events().readTurnEnded();
    }
    schedule();
  }

  private void schedule() {
    if (reading && !scheduled && !accepting && !requests.isEmpty()) {
      scheduled = true;
      events().loop().ready(this);
    }
  }

  /// Called by the loop when no caller is on the stack.
  @Override
  public void run() {
    scheduled = false;
    acceptAll();
  }

  private record Accepted(InVmIo client, InVmAddress local) implements AcceptedSocket {

    @Override
    public @Nullable SocketAddress remoteAddress() {
      return client.localAddress();
    }

    @Override
    public ChannelIo open(IoPoller poller, ChannelSettings settings) {
      return new InVmIo(client, local);
    }

    @Override
    public void close() {
      refuse(client, NOT_LISTENING);
    }
  }

  @Override
  public void startReading() {
    reading = !closed;
    schedule();
  }

  @Override
  public void stopReading() {
    reading = false;
  }

  @Override
  public void write(Object message, @Nullable Promise<Void> promise) {
    Messages.refuse(
        events(),
        message,
        promise,
        new UnsupportedOperationException("a listening channel sends nothing"));
  }

  @Override
  public void flush() {}

  @Override
  public void shutdownOutput() {}

  @Override
  public void close() {
    closed = true;
    reading = false;
    LISTENERS.remove(local.name(), this);
    @Nullable InVmIo client;
    while ((client = requests.poll()) != null) {
      refuse(client, NOT_LISTENING);
    }
  }

  @Override
  public int abandon(Throwable cause) {
    return 0;
  }

  @Override
  public long pendingBytes() {
    return 0;
  }

  @Override
  public SocketAddress localAddress() {
    return local;
  }
}

package dev.quickwater.channel;

import dev.quickwater.channel.invm.InVm;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.common.Future;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// Opens connections. Immutable; [#connect] may be called any number of times.
public final class ClientBootstrap {

  private final EventLoops loops;
  private final ChannelSettings settings;
  private final ChannelInitializer initializer;

  /// Connections have `settings`, their pipelines are filled by `initializer`, and they run on the
  /// loops of a group or on one loop.
  public ClientBootstrap(
      EventLoops loops, ChannelSettings settings, ChannelInitializer initializer) {
    this.loops = loops;
    this.settings = settings;
    this.initializer = initializer;
  }

  /// Connects. The future completes with the active channel or with the failure. Cancelling it
  /// aborts the attempt and closes the socket. An unresolved address fails: names are resolved
  /// before, because resolving would block the loop.
  public Future<Channel> connect(SocketAddress remote) {
    return connect(remote, null);
  }

  /// Connects from a local address.
  public Future<Channel> connect(SocketAddress remote, @Nullable SocketAddress local) {
    return new Connect(loops.next(), remote, local).start();
  }

  private final class Connect extends OpenTask {
    private final SocketAddress remote;
    private final @Nullable SocketAddress local;

    Connect(EventLoop loop, SocketAddress remote, @Nullable SocketAddress local) {
      super(loop);
      this.remote = remote;
      this.local = local;
    }

    @Override
    public void run() {
      if (promise.isDone()) {
        return; // cancelled
      }
      Channel channel;
      ConnectingIo io;
      try {
        io = InVm.openStream(loop.poller(), remote, settings);
        channel = new Channel(loop, io, settings);
      } catch (Throwable t) {
        promise.tryFailure(t);
        return;
      }
      try {
        channel.core().register(initializer);
        channel.core().connect(io, remote, local, promise);
      } catch (Throwable t) {
        channel.transportClose(t);
        promise.tryFailure(t);
      }
    }
  }
}

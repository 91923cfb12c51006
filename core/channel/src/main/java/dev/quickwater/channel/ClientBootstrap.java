package dev.quickwater.channel;

import dev.quickwater.channel.invm.InVm;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.common.Task;
import java.net.SocketAddress;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Opens connections. Immutable; one may connect any number of times.
public final class ClientBootstrap {

  private final EventLoops loops;
  private final ChannelSettings settings;
  private final ChannelInitializer initializer;

  /// For connections with `settings` whose pipelines `initializer` fills, on the loops of a group
  /// or on one loop.
  public ClientBootstrap(
      EventLoops loops, ChannelSettings settings, ChannelInitializer initializer) {
    this.loops = loops;
    this.settings = settings;
    this.initializer = initializer;
  }

  /// Connects; the future has the active channel, or the reason why there is none. An address that
  /// is not resolved fails: names are resolved before, not on the loop. Cancelling the future ends
  /// the attempt and closes its socket.
  public Future<Channel> connect(SocketAddress remote) {
    return connect(remote, null);
  }

  /// Connects from a local address.
  public Future<Channel> connect(SocketAddress remote, @Nullable SocketAddress local) {
    EventLoop loop = loops.next();
    Promise<Channel> promise = loop.newPromise();
    Connect connect = new Connect(loop, remote, local, promise);
    try {
      loop.execute(connect);
    } catch (RejectedExecutionException e) {
      connect.abandoned(e);
    }
    return promise;
  }

  private final class Connect implements Task {
    private final EventLoop loop;
    private final SocketAddress remote;
    private final @Nullable SocketAddress local;
    private final Promise<Channel> promise;

    Connect(
        EventLoop loop,
        SocketAddress remote,
        @Nullable SocketAddress local,
        Promise<Channel> promise) {
      this.loop = loop;
      this.remote = remote;
      this.local = local;
      this.promise = promise;
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

    @Override
    public void abandoned(Throwable cause) {
      promise.tryFailure(cause);
    }
  }
}

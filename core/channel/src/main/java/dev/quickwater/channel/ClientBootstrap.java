package dev.quickwater.channel;

import dev.quickwater.channel.invm.InVm;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import java.net.SocketAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Opens connections. Immutable; one may connect any number of times.
public final class ClientBootstrap {

  private final Supplier<EventLoop> loops;
  private final ChannelSettings settings;
  private final ChannelInitializer initializer;

  /// For connections with `settings` whose pipelines `initializer` fills.
  public ClientBootstrap(
      EventLoopGroup group, ChannelSettings settings, ChannelInitializer initializer) {
    this.loops = group::next;
    this.settings = settings;
    this.initializer = initializer;
  }

  /// Like the other constructor, for connections on one loop: a proxy connects on the loop of its
  /// front channel.
  public ClientBootstrap(EventLoop loop, ChannelSettings settings, ChannelInitializer initializer) {
    this.loops = () -> loop;
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
    EventLoop loop = loops.get();
    Promise<Channel> promise = loop.newPromise();
    try {
      loop.execute(() -> connectOn(loop, remote, local, promise));
    } catch (RejectedExecutionException e) {
      promise.tryFailure(e);
    }
    return promise;
  }

  private void connectOn(
      EventLoop loop,
      SocketAddress remote,
      @Nullable SocketAddress local,
      Promise<Channel> promise) {
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

package dev.quickwater.channel;

import dev.quickwater.channel.invm.InVm;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import java.net.SocketAddress;
import java.util.concurrent.RejectedExecutionException;

/// Opens listening channels whose connections spread over a group's loops.
///
/// Immutable; one may listen any number of times.
public final class ServerBootstrap {

  private final EventLoopGroup group;
  private final ChannelSettings settings;
  private final ChannelInitializer initializer;

  /// For connections with `settings` whose pipelines `initializer` fills.
  public ServerBootstrap(
      EventLoopGroup group, ChannelSettings settings, ChannelInitializer initializer) {
    this.group = group;
    this.settings = settings;
    this.initializer = initializer;
  }

  /// Binds and listens; the future has the listening channel, or the reason why not with the
  /// address in its message. Closing that channel ends accepting; open connections stay. The future
  /// can be cancelled until the loop gets to it.
  public Future<Channel> listen(SocketAddress address) {
    EventLoop loop = group.next();
    Promise<Channel> promise = loop.newPromise();
    try {
      loop.execute(() -> listenOn(loop, address, promise));
    } catch (RejectedExecutionException e) {
      promise.tryFailure(e);
    }
    return promise;
  }

  private void listenOn(EventLoop loop, SocketAddress address, Promise<Channel> promise) {
    if (!promise.claim()) {
      return; // cancelled
    }
    Channel channel;
    try {
      channel = new Channel(loop, InVm.listen(loop.poller(), address, settings), settings);
    } catch (Throwable t) {
      promise.tryFailure(t);
      return;
    }
    try {
      channel
          .core()
          .register(c -> c.pipeline().addLast(new Acceptor(group, settings, initializer)));
      channel.core().listen();
      promise.trySuccess(channel);
    } catch (Throwable t) {
      channel.transportClose(t);
      promise.tryFailure(t);
    }
  }
}

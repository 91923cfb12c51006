package dev.quickwater.channel;

import dev.quickwater.channel.invm.InVm;
import dev.quickwater.common.Future;
import java.net.SocketAddress;

/// Opens listening channels whose connections spread over a group's loops, or stay on one loop.
///
/// A listening channel has a separate pipeline, see [#withListener]. Immutable; one may listen any
/// number of times.
public final class ServerBootstrap {

  private final EventLoops loops;
  private final ChannelSettings settings;
  private final ChannelInitializer initializer;
  private final ChannelInitializer listener;

  /// For connections with `settings` whose pipelines `initializer` fills.
  public ServerBootstrap(
      EventLoops loops, ChannelSettings settings, ChannelInitializer initializer) {
    this(loops, settings, initializer, _ -> {});
  }

  private ServerBootstrap(
      EventLoops loops,
      ChannelSettings settings,
      ChannelInitializer initializer,
      ChannelInitializer listener) {
    this.loops = loops;
    this.settings = settings;
    this.initializer = initializer;
    this.listener = listener;
  }

  /// The same with handlers in the pipeline of listening channels, before accepted connections
  /// become channels. Their messages are [accepted
  /// sockets][dev.quickwater.channel.spi.AcceptedSocket]: a filter closes those that it does not
  /// pass on.
  public ServerBootstrap withListener(ChannelInitializer handlers) {
    return new ServerBootstrap(loops, settings, initializer, handlers);
  }

  /// Binds and listens; the future has the listening channel, or the reason why not with the
  /// address in its message. Closing that channel ends accepting; open connections stay. The future
  /// can be cancelled until the loop runs the request.
  public Future<Channel> listen(SocketAddress address) {
    return new Listen(loops.next(), address).start();
  }

  private final class Listen extends OpenTask {
    private final SocketAddress address;

    Listen(EventLoop loop, SocketAddress address) {
      super(loop);
      this.address = address;
    }

    @Override
    public void run() {
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
        channel.core().register(this::initialize);
        channel.core().listen();
        promise.trySuccess(channel);
      } catch (Throwable t) {
        channel.transportClose(t);
        promise.tryFailure(t);
      }
    }

    private void initialize(Channel listening) throws Exception {
      listener.initialize(listening);
      listening.pipeline().addLast(new Acceptor(loops, settings, initializer));
    }
  }
}

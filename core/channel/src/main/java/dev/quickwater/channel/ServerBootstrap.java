package dev.quickwater.channel;

import dev.quickwater.channel.invm.InVm;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Opens listening channels. Their connections spread over a group's loops, or stay on one loop.
///
/// A listening channel has a separate pipeline, see [#withListener]. Immutable; [#listen] may be
/// called any number of times.
public final class ServerBootstrap {

  private final EventLoops loops;
  private final ChannelSettings settings;
  private final ChannelInitializer initializer;
  private final ChannelInitializer listener;

  /// Accepted connections have `settings`, and their pipelines are filled by `initializer`.
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

  /// A copy that adds handlers to the pipeline of listening channels. They see [accepted
  /// sockets][dev.quickwater.channel.spi.AcceptedSocket] before these become channels. A filter
  /// closes the sockets that it does not pass on.
  public ServerBootstrap withListener(ChannelInitializer handlers) {
    return new ServerBootstrap(loops, settings, initializer, handlers);
  }

  /// Binds and listens. The future completes with the listening channel, or with a failure whose
  /// message has the address. Closing the listening channel ends accepting; open connections stay.
  /// The future can be cancelled until the loop runs the request.
  public Future<Channel> listen(SocketAddress address) {
    return new Listen(loops.next(), loops, address, settings).start();
  }

  /// Listens on each loop with a separate socket (`SO_REUSEPORT`). The system spreads connections
  /// over the sockets; each connection stays on its loop. Either all sockets listen or none. With
  /// port 0 all sockets share one free port. When a listening channel closes, the system resets the
  /// connections that this channel had not accepted, and gives new connections to the other
  /// sockets.
  ///
  /// The transport must support the option; Internet sockets on Linux do.
  public Future<List<Channel>> listenOnEachLoop(SocketAddress address) {
    ChannelSettings shared = settings.withOption(StandardSocketOptions.SO_REUSEPORT, true);
    Promise<List<Channel>> promise = loops.next().newPromise();
    promise.claim();
    listenOn(loops.loops().iterator(), address, shared, new ArrayList<>(), promise);
    return promise;
  }

  private void listenOn(
      Iterator<EventLoop> left,
      SocketAddress address,
      ChannelSettings shared,
      List<Channel> listening,
      Promise<List<Channel>> promise) {
    if (!left.hasNext()) {
      promise.trySuccess(List.copyOf(listening));
      return;
    }
    EventLoop loop = left.next();
    new Listen(loop, loop, address, shared)
        .start()
        .onComplete(next -> {
          @Nullable Throwable cause = next.cause();
          if (cause != null) {
            listening.forEach(Channel::close);
            promise.tryFailure(cause);
            return;
          }
          listening.add(next.value());
          @Nullable SocketAddress bound = next.value().localAddress(); // with the port
          listenOn(left, bound == null ? address : bound, shared, listening, promise);
        });
  }

  private final class Listen extends OpenTask {
    private final EventLoops connections;
    private final SocketAddress address;
    private final ChannelSettings listening;

    /// Listens on `loop`; connections run on the loops of `connections`.
    Listen(
        EventLoop loop, EventLoops connections, SocketAddress address, ChannelSettings listening) {
      super(loop);
      this.connections = connections;
      this.address = address;
      this.listening = listening;
    }

    @Override
    public void run() {
      if (!promise.claim()) {
        return; // cancelled
      }
      Channel channel;
      try {
        channel = new Channel(loop, InVm.listen(loop.poller(), address, listening), listening);
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

    private void initialize(Channel opened) throws Exception {
      listener.initialize(opened);
      opened.pipeline().addLast(new Acceptor(connections, settings, initializer));
    }
  }
}

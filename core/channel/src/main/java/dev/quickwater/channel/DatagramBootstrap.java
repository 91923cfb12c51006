package dev.quickwater.channel;

import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Opens datagram channels. Immutable; one may open any number of channels.
///
/// A datagram channel receives and sends [Datagram] messages. A bare
/// [dev.quickwater.buffer.ByteBuf] goes to the peer of a connected channel. A datagram that cannot
/// be sent fails alone: the channel and its other datagrams are not affected.
public final class DatagramBootstrap {

  private final EventLoopGroup group;
  private final ChannelSettings settings;
  private final ChannelInitializer initializer;

  /// For channels with `settings` whose pipelines `initializer` fills.
  public DatagramBootstrap(
      EventLoopGroup group, ChannelSettings settings, ChannelInitializer initializer) {
    this.group = group;
    this.settings = settings;
    this.initializer = initializer;
  }

  /// Opens a channel that is bound to `local` and receives from any peer.
  public Future<Channel> bind(SocketAddress local) {
    return open(Objects.requireNonNull(local, "local"), null);
  }

  /// Opens a channel that receives from `remote` alone. An address that is not resolved fails:
  /// names are resolved before, not on the loop.
  public Future<Channel> connect(SocketAddress remote) {
    return connect(remote, null);
  }

  /// Opens a channel that is bound to `local`, if that is not null, and receives from `remote`
  /// alone.
  public Future<Channel> connect(SocketAddress remote, @Nullable SocketAddress local) {
    return open(local, Objects.requireNonNull(remote, "remote"));
  }

  private Future<Channel> open(@Nullable SocketAddress local, @Nullable SocketAddress remote) {
    EventLoop loop = group.next();
    Promise<Channel> promise = loop.newPromise();
    try {
      loop.execute(() -> openOn(loop, local, remote, promise));
    } catch (RejectedExecutionException e) {
      promise.tryFailure(e);
    }
    return promise;
  }

  private void openOn(
      EventLoop loop,
      @Nullable SocketAddress local,
      @Nullable SocketAddress remote,
      Promise<Channel> promise) {
    if (!promise.claim()) {
      return; // cancelled
    }
    try {
      ChannelIo io = loop.poller().openDatagram(local, remote, settings);
      promise.trySuccess(Channel.open(loop, io, settings, initializer));
    } catch (Throwable t) {
      promise.tryFailure(t);
    }
  }
}

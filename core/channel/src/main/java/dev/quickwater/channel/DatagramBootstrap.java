package dev.quickwater.channel;

import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.common.Future;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Opens datagram channels. Immutable; may open any number of channels.
///
/// A datagram channel receives and sends [Datagram] messages. A bare
/// [dev.quickwater.buffer.ByteBuf] goes to the peer of a connected channel. A datagram that cannot
/// be sent fails alone: the channel and its other datagrams are not affected.
public final class DatagramBootstrap {

  private final EventLoops loops;
  private final ChannelSettings settings;
  private final ChannelInitializer initializer;

  /// Channels have `settings`, their pipelines are filled by `initializer`, and they run on the
  /// loops of a group or on one loop.
  public DatagramBootstrap(
      EventLoops loops, ChannelSettings settings, ChannelInitializer initializer) {
    this.loops = loops;
    this.settings = settings;
    this.initializer = initializer;
  }

  /// Opens a channel that is bound to `local` and receives from any peer.
  public Future<Channel> bind(SocketAddress local) {
    return open(Objects.requireNonNull(local, "local"), null);
  }

  /// Opens a channel that receives from `remote` alone. An unresolved address fails: names are
  /// resolved before, because resolving would block the loop.
  public Future<Channel> connect(SocketAddress remote) {
    return connect(remote, null);
  }

  /// Opens a channel that receives from `remote` alone and is bound to `local` unless that is null.
  public Future<Channel> connect(SocketAddress remote, @Nullable SocketAddress local) {
    return open(local, Objects.requireNonNull(remote, "remote"));
  }

  private Future<Channel> open(@Nullable SocketAddress local, @Nullable SocketAddress remote) {
    return new Open(loops.next(), local, remote).start();
  }

  private final class Open extends OpenTask {
    private final @Nullable SocketAddress local;
    private final @Nullable SocketAddress remote;

    Open(EventLoop loop, @Nullable SocketAddress local, @Nullable SocketAddress remote) {
      super(loop);
      this.local = local;
      this.remote = remote;
    }

    @Override
    public void run() {
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
}

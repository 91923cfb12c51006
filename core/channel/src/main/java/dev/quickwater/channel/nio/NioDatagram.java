package dev.quickwater.channel.nio;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.Datagram;
import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.DatagramDriver;
import dev.quickwater.channel.spi.DatagramOutput;
import dev.quickwater.channel.spi.DatagramSocket;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A UDP socket of NIO. A datagram with a segment size is sent one segment at a time.
final class NioDatagram implements DatagramSocket, NioEndpoint {

  private final NioPoller poller;
  private final DatagramChannel channel;
  private final SelectionKey key;
  private final @Nullable SocketAddress remote;
  private final List<MembershipKey> memberships = new ArrayList<>();

  /// The number of bytes of the first flushed datagram that were sent as segments.
  private int segmentsSent;

  private NioDatagram(
      NioPoller poller, DatagramChannel channel, SelectionKey key, @Nullable SocketAddress remote) {
    this.poller = poller;
    this.channel = channel;
    this.key = key;
    this.remote = remote;
  }

  static ChannelIo open(
      NioPoller poller,
      DatagramChannel channel,
      @Nullable SocketAddress local,
      @Nullable SocketAddress remote,
      ChannelSettings settings)
      throws IOException {
    channel.configureBlocking(false);
    for (Map.Entry<SocketOption<?>, Object> option : settings.sockets().options().entrySet()) {
      if (!channel.supportedOptions().contains(option.getKey())) {
        throw new UnsupportedOperationException(
            "NIO datagram sockets do not take the option "
                + option.getKey().name()
                + ", which ChannelSettings.sockets().options() has; start from"
                + " ChannelSettings.DATAGRAM");
      }
      NioEndpoint.set(channel, option.getKey(), option.getValue());
    }
    if (local != null) {
      try {
        channel.bind(local);
      } catch (BindException e) {
        throw causedBy(new BindException("cannot bind to " + local + ": " + e.getMessage()), e);
      }
    }
    if (remote != null) {
      try {
        channel.connect(remote);
      } catch (IOException e) {
        throw causedBy(
            new ConnectException("cannot connect to " + remote + ": " + e.getMessage()), e);
      }
    }
    SelectionKey key = channel.register(poller.selector, 0);
    DatagramDriver driver = new DatagramDriver(new NioDatagram(poller, channel, key, remote));
    key.attach(driver);
    return driver;
  }

  private static IOException causedBy(IOException failure, IOException cause) {
    failure.initCause(cause);
    return failure;
  }

  @Override
  public void interest(int events) {
    int ops = (events & READ) != 0 ? SelectionKey.OP_READ : 0;
    if ((events & WRITE) != 0) {
      ops |= SelectionKey.OP_WRITE;
    }
    key.interestOps(ops);
  }

  @Override
  public boolean receive(ChannelEvents events, int max) throws IOException {
    for (int left = max; left > 0; left--) {
      ByteBuffer room = poller.staging.empty();
      @Nullable SocketAddress source = channel.receive(room);
      if (source == null) {
        return false;
      }
      int length = room.position();
      ByteBuf content;
      try {
        content = events.allocator().allocate(length);
      } catch (OutOfMemoryError e) {
        events.messageFailed(e); // this datagram is lost
        continue;
      }
      UnsafeViews.byteBuffer(content, 0, length).put(room.flip());
      content.writerIndex(length);
      events.received(new Datagram(content, remote == null ? source : null, null, 0, false));
      if (!channel.isOpen() || !events.isReading()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean send(DatagramOutput output) throws IOException {
    while (output.hasFlushed() && channel.isOpen()) {
      Datagram datagram = output.flushedAt(0);
      try {
        if (!send(datagram)) {
          return false;
        }
      } catch (IOException | RuntimeException e) {
        segmentsSent = 0;
        output.fail(failure(datagram, e));
        continue;
      }
      output.sent(1);
    }
    return true;
  }

  private Throwable failure(Datagram datagram, Exception cause) {
    @Nullable SocketAddress target = datagram.remote() == null ? remote : datagram.remote();
    return new IOException(
        "cannot send a datagram to " + target + ": " + Objects.toString(cause.getMessage(), ""),
        cause);
  }

  /// Sends a datagram, or the next segments of it.
  ///
  /// @return true if the datagram is sent completely
  private boolean send(Datagram datagram) throws IOException {
    ByteBuf content = datagram.content();
    int length = content.readableBytes();
    int piece = datagram.segmentSize() == 0 ? length : datagram.segmentSize();
    do {
      int size = Math.min(piece, length - segmentsSent);
      ByteBuffer bytes =
          UnsafeViews.byteBuffer(content, content.readerIndex() + segmentsSent, size);
      if (!send(datagram, bytes, size)) {
        return false;
      }
      segmentsSent += size;
    } while (segmentsSent < length);
    segmentsSent = 0;
    return true;
  }

  private boolean send(Datagram datagram, ByteBuffer bytes, int size) throws IOException {
    @Nullable SocketAddress to = datagram.remote();
    if (to == null && remote == null) {
      throw new IllegalArgumentException(
          "the datagram has no remote address and its channel is not connected");
    }
    int sent = to == null ? channel.write(bytes) : channel.send(bytes, to);
    return sent == size;
  }

  @Override
  public void join(InetAddress group, NetworkInterface on, @Nullable InetAddress source)
      throws IOException {
    memberships.add(source == null ? channel.join(group, on) : channel.join(group, on, source));
  }

  @Override
  public void leave(InetAddress group, NetworkInterface on, @Nullable InetAddress source) {
    for (MembershipKey membership : List.copyOf(memberships)) {
      if (membership.group().equals(group)
          && membership.networkInterface().equals(on)
          && Objects.equals(membership.sourceAddress(), source)) {
        membership.drop();
        memberships.remove(membership);
      }
    }
  }

  @Override
  public @Nullable SocketAddress remoteAddress() {
    return remote;
  }

  @Override
  public DatagramChannel channel() {
    return channel;
  }
}

package dev.quickwater.testsuite.transport;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.InVmAddress;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.channel.ServerBootstrap;
import java.io.Closeable;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Creates peers of in-VM channels on a separate loop.
final class InVmPeers implements Closeable {

  private static final ChannelSettings SETTINGS =
      ChannelSettings.DEFAULT.withHalfClose(true).withWaterMarks(4 << 10, 8 << 10);

  private final EventLoopGroup group = EventLoopGroup.create(new LoopSettings(1, "nio"));

  Socket connect(SocketAddress server) throws IOException {
    InVmSocket socket = new InVmSocket();
    try {
      TransportTest.await(
          new ClientBootstrap(group, SETTINGS, channel -> channel.pipeline().addLast(socket))
              .connect(server));
    } catch (Exception e) {
      throw new IOException(e);
    }
    return socket;
  }

  ServerSocket listen() throws IOException {
    return new Listener();
  }

  private final class Listener extends ServerSocket {
    private final LinkedBlockingQueue<InVmSocket> accepted = new LinkedBlockingQueue<>();
    private final Channel channel;

    Listener() throws IOException {
      try {
        channel =
            TransportTest.await(
                new ServerBootstrap(group, SETTINGS, this::accept).listen(InVmAddress.any()));
      } catch (Exception e) {
        throw new IOException(e);
      }
    }

    private void accept(Channel opened) {
      InVmSocket socket = new InVmSocket();
      opened.pipeline().addLast(socket);
      accepted.add(socket);
    }

    @Override
    public Socket accept() throws IOException {
      try {
        @Nullable InVmSocket socket =
            accepted.poll(TransportTest.LIMIT.toSeconds(), TimeUnit.SECONDS);
        return Objects.requireNonNull(socket, "nothing was accepted");
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
      return Objects.requireNonNull(channel.localAddress());
    }

    @Override
    public void close() throws IOException {
      channel.close();
      @Nullable InVmSocket socket;
      while ((socket = accepted.poll()) != null) {
        socket.close();
      }
    }
  }

  @Override
  public void close() {
    group.close();
  }
}

package dev.quickwater.microbench.e2e;

import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.Datagram;
import dev.quickwater.channel.DatagramBootstrap;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.LoopSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// Sockets that each keep a number of datagrams on their way to an echo server and back. An answer
/// is sent again at once. Datagrams that were lost are replaced after a while.
final class UdpLoad implements AutoCloseable {

  private static final int SOCKET_BUFFER = 4 << 20;
  private static final Duration REPLACE_AFTER = Duration.ofMillis(200);

  private final EventLoopGroup group = EventLoopGroup.create(new LoopSettings(1, "epoll"));
  private final AtomicLong answers = new AtomicLong();
  private final int window;
  private final int bytes;

  UdpLoad(InetSocketAddress server, int sockets, int window, int bytes)
      throws IOException, InterruptedException {
    this.window = window;
    this.bytes = bytes;
    ChannelSettings settings =
        ChannelSettings.DATAGRAM
            .withOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER)
            .withOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER);
    for (int i = 0; i < sockets; i++) {
      try {
        new DatagramBootstrap(group, settings, c -> c.pipeline().addLast(new Repeat()))
            .connect(server)
            .await();
      } catch (java.util.concurrent.ExecutionException e) {
        throw new IOException("socket " + i, e);
      }
    }
  }

  /// Datagrams that came back so far.
  long answers() {
    return answers.get();
  }

  private final class Repeat implements ChannelHandler {
    private long received;
    private long atLastCheck = -1;

    @Override
    public void channelActive(HandlerContext context) {
      check(context);
    }

    private void check(HandlerContext context) {
      if (received == atLastCheck || atLastCheck < 0) {
        for (int i = 0; i < window; i++) {
          context.write(context.channel().loop().allocator().allocate(bytes).writerIndex(bytes));
        }
        context.flush();
      }
      atLastCheck = received;
      var _ = context.channel().loop().schedule(() -> check(context), REPLACE_AFTER);
    }

    @Override
    public void channelRead(HandlerContext context, Object message) {
      received++;
      answers.setRelease(answers.getPlain() + 1); // one loop writes
      context.write(((Datagram) message).content());
    }

    @Override
    public void channelReadComplete(HandlerContext context) {
      context.flush();
    }
  }

  @Override
  public void close() {
    group.close();
  }
}

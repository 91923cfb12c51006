package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.channel.ServerBootstrap;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/// The memory of an idle TCP channel with two handlers on epoll, after it has echoed a byte.
///
/// The figure is a slope between two counts of connections, in live heap by the class histogram.
/// The clients are sockets of the JDK in this process; what one of them takes is measured before
/// with a listener that accepts nothing, and subtracted. Buffers are counted by the loop: an idle
/// channel holds none. Less than the band also fails, so that the number stays honest.
final class IdleChannelMemoryTest {

  private static final double EXPECTED = 540;
  private static final double BAND = 0.03;
  private static final int FEW = 200;
  private static final int MANY = 1000;
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  private static final Pattern TOTAL =
      Pattern.compile("^Total\\s+\\d+\\s+(\\d+)\\s*$", Pattern.MULTILINE);

  /// Objects with which the garbage collector fills gaps.
  private static final Pattern FILLER =
      Pattern.compile(
          "^\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+\\S*jdk\\.internal\\.vm\\.Filler", Pattern.MULTILINE);

  private static final class Passer implements ChannelHandler {
    @Override
    public void channelRead(HandlerContext context, Object message) {
      context.fireChannelRead(message);
    }
  }

  private static final class Echoer implements ChannelHandler {
    @Override
    public void channelRead(HandlerContext context, Object message) {
      context.writeAndFlush(message);
    }
  }

  @Test
  void idleChannelTakesWhatIsKnown() throws Exception {
    double client;
    try (ServerSocket deaf = new ServerSocket(0, MANY + 1, LOOPBACK)) {
      client = slope((InetSocketAddress) deaf.getLocalSocketAddress(), false);
    }
    LoopSettings settings = LoopSettings.DEFAULT.withLoops(1).withTransport("epoll");
    try (EventLoopGroup group = EventLoopGroup.create(settings)) {
      Channel server =
          new ServerBootstrap(
                  group,
                  ChannelSettings.DEFAULT,
                  c -> c.pipeline().addLast(new Passer()).addLast(new Echoer()))
              .listen(new InetSocketAddress(LOOPBACK, 0))
              .await();
      InetSocketAddress address = (InetSocketAddress) Objects.requireNonNull(server.localAddress());
      double both = slope(address, true);
      EventLoop loop = group.loops().getFirst();
      assertEquals(
          0, loop.submit(() -> loop.allocator().metrics().used()).await(), "bytes of buffers");
      double channel = both - client;
      String figure = "%.0f bytes an idle channel, %.0f an idle client".formatted(channel, client);
      System.out.println(figure);
      assertEquals(EXPECTED, channel, BAND * EXPECTED, figure);
    }
  }

  /// Live heap for each further connection.
  private static double slope(InetSocketAddress address, boolean echoes) throws Exception {
    List<Socket> sockets = new ArrayList<>(MANY);
    try {
      open(address, sockets, FEW, echoes);
      long few = liveHeap();
      open(address, sockets, MANY, echoes);
      return (double) (liveHeap() - few) / (MANY - FEW);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private static void open(
      InetSocketAddress address, List<Socket> sockets, int count, boolean echoes)
      throws IOException {
    while (sockets.size() < count) {
      Socket socket = new Socket(address.getAddress(), address.getPort());
      sockets.add(socket);
      socket.getOutputStream().write(7);
      socket.getInputStream();
      if (echoes) {
        assertEquals(7, socket.getInputStream().read());
      }
    }
  }

  private static long liveHeap() throws Exception {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    String histogram =
        (String)
            beans.invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "gcClassHistogram",
                new Object[] {new String[0]},
                new String[] {String[].class.getName()});
    Matcher total = TOTAL.matcher(histogram);
    assertTrue(total.find(), histogram);
    Matcher filler = FILLER.matcher(histogram);
    long fillers = filler.find() ? Long.parseLong(filler.group(1)) : 0;
    return Long.parseLong(total.group(1)) - fillers;
  }
}

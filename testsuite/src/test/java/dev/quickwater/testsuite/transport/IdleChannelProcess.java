package dev.quickwater.testsuite.transport;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.channel.ServerBootstrap;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/// An echo server on epoll with two handlers in each channel, in a separate process.
///
/// The process prints the port. Each line of input is answered with the bytes of live heap and the
/// bytes of buffers in use; at the end of input the process exits.
final class IdleChannelProcess {

  private static final Pattern TOTAL =
      Pattern.compile("^Total\\s+\\d+\\s+(\\d+)\\s*$", Pattern.MULTILINE);

  /// Objects with which the garbage collector fills gaps.
  private static final Pattern FILLER =
      Pattern.compile(
          "^\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+\\S*jdk\\.internal\\.vm\\.Filler", Pattern.MULTILINE);

  private IdleChannelProcess() {}

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

  public static void main(String[] arguments) throws Exception {
    LoopSettings settings = LoopSettings.DEFAULT.withLoops(1).withTransport("epoll");
    try (EventLoopGroup group = EventLoopGroup.create(settings)) {
      Channel server =
          new ServerBootstrap(
                  group,
                  ChannelSettings.DEFAULT,
                  c -> c.pipeline().addLast(new Passer()).addLast(new Echoer()))
              .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .await();
      InetSocketAddress address = (InetSocketAddress) Objects.requireNonNull(server.localAddress());
      System.out.println(address.getPort());
      EventLoop loop = group.loops().getFirst();
      BufferedReader questions = new BufferedReader(new InputStreamReader(System.in));
      @Nullable String question;
      while ((question = questions.readLine()) != null) {
        long used = loop.submit(() -> loop.allocator().metrics().used()).await();
        System.out.println(liveHeap() + " " + used);
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
    if (!total.find()) {
      throw new IllegalStateException("no total in the class histogram: " + histogram);
    }
    long live = Long.parseLong(total.group(1));
    Matcher filler = FILLER.matcher(histogram);
    while (filler.find()) {
      live -= Long.parseLong(filler.group(1));
    }
    return live;
  }
}

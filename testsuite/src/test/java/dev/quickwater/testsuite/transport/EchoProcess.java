package dev.quickwater.testsuite.transport;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.LoopMetrics;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.channel.ServerBootstrap;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// An echo server in a separate process, controlled by its standard input.
///
/// The process prints the transport with its reason, and the port. It answers each line of input
/// with the turns of its loop and the number of open channels. At the end of input it exits.
final class EchoProcess {

  private EchoProcess() {}

  private static String answer(String question, EventLoopGroup group) {
    LoopMetrics metrics = group.loops().getFirst().metrics();
    return question + " " + metrics.turns() + " " + metrics.channels();
  }

  public static void main(String[] arguments) throws Exception {
    try (EventLoopGroup group = EventLoopGroup.create(new LoopSettings(1, arguments[0]))) {
      System.out.println(group.transport());
      Channel server =
          new ServerBootstrap(
                  group, ChannelSettings.DEFAULT, channel -> channel.pipeline().addLast(new Echo()))
              .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .await();
      InetSocketAddress address = (InetSocketAddress) server.localAddress();
      System.out.println(address == null ? -1 : address.getPort());
      BufferedReader questions = new BufferedReader(new InputStreamReader(System.in));
      @Nullable String question;
      while ((question = questions.readLine()) != null) {
        System.out.println(answer(question, group));
      }
    }
  }
}

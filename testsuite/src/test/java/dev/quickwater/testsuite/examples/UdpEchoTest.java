package dev.quickwater.testsuite.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.examples.UdpEcho;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class UdpEchoTest {

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  @Test
  void datagramsComeBackToEachSender() throws Exception {
    try (EventLoopGroup group = EventLoopGroup.create(LoopSettings.DEFAULT.withLoops(1));
        DatagramSocket first = new DatagramSocket(0, LOOPBACK);
        DatagramSocket second = new DatagramSocket(0, LOOPBACK)) {
      Channel echo = UdpEcho.bind(group, new InetSocketAddress(LOOPBACK, 0)).await();
      InetSocketAddress address = (InetSocketAddress) Objects.requireNonNull(echo.localAddress());
      for (int i = 0; i < 20; i++) {
        send(first, "first " + i, address);
        send(second, "second " + i, address);
      }
      assertEquals(texts("first "), receive(first, 20));
      assertEquals(texts("second "), receive(second, 20));
    }
  }

  private static List<String> texts(String prefix) {
    return IntStream.range(0, 20).mapToObj(i -> prefix + i).toList();
  }

  private static void send(DatagramSocket from, String text, InetSocketAddress to)
      throws Exception {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    from.send(new DatagramPacket(bytes, bytes.length, to));
  }

  private static List<String> receive(DatagramSocket at, int count) throws Exception {
    at.setSoTimeout(30_000);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      DatagramPacket packet = new DatagramPacket(new byte[100], 100);
      at.receive(packet);
      texts.add(new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII));
    }
    return texts;
  }
}

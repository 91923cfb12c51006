package dev.quickwater.testsuite.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.examples.ChatServer;
import dev.quickwater.examples.IdleHandler;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class ChatServerTest {

  private static Channel listen(EventLoopGroup group, Duration idleLimit) throws Exception {
    return ChatServer.listen(
            group, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), idleLimit)
        .await();
  }

  private static Socket connect(Channel server) throws Exception {
    InetSocketAddress address = (InetSocketAddress) Objects.requireNonNull(server.localAddress());
    Socket socket = new Socket(address.getAddress(), address.getPort());
    socket.setSoTimeout(30_000);
    return socket;
  }

  private static BufferedReader lines(Socket socket) throws Exception {
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
  }

  @Test
  void linesReachTheOtherClients() throws Exception {
    try (EventLoopGroup group = EventLoopGroup.create(LoopSettings.DEFAULT.withLoops(2))) {
      Channel server = listen(group, Duration.ofMinutes(1));
      try (Socket first = connect(server);
          Socket second = connect(server)) {
        BufferedReader toFirst = lines(first);
        BufferedReader toSecond = lines(second);
        assertTrue(toFirst.readLine().startsWith("welcome"));
        assertTrue(toSecond.readLine().startsWith("welcome"));
        first.getOutputStream().write("hel".getBytes());
        first.getOutputStream().write("lo\nworld\n".getBytes());
        assertEquals("hello", toSecond.readLine());
        assertEquals("world", toSecond.readLine());
        second.getOutputStream().write("thanks\n".getBytes());
        assertEquals("thanks", toFirst.readLine());
      }
    }
  }

  @Test
  void silentClientIsDisconnected() throws Exception {
    try (EventLoopGroup group = EventLoopGroup.create(LoopSettings.DEFAULT.withLoops(1))) {
      try (Socket silent = connect(listen(group, Duration.ofMillis(200)))) {
        BufferedReader lines = lines(silent);
        assertTrue(lines.readLine().startsWith("welcome"));
        assertEquals("disconnected: idle for too long", lines.readLine());
        assertNull(lines.readLine());
      }
    }
  }

  @Test
  void burstOfOneClientDoesNotDisconnectTheOthers() throws Exception {
    try (EventLoopGroup group = EventLoopGroup.create(LoopSettings.DEFAULT.withLoops(1))) {
      Channel server = listen(group, Duration.ofMinutes(1));
      try (Socket sender = connect(server);
          Socket behind = connect(server)) {
        BufferedReader lines = lines(behind);
        assertTrue(lines.readLine().startsWith("welcome"));
        byte[] burst = ("x".repeat(1000) + "\n").repeat(16_000).getBytes(StandardCharsets.UTF_8);
        sender.getOutputStream().write(burst);
        String line;
        do {
          line = lines.readLine();
          assertNotNull(line);
          // The client has no more lines to read only when the server can send it this one.
          sender.getOutputStream().write("end\n".getBytes(StandardCharsets.UTF_8));
        } while (!line.equals("end"));
      }
    }
  }

  @Test
  void clientThatSendsTooLongALineReceivesTheReasonAndNoReset() throws Exception {
    try (EventLoopGroup group = EventLoopGroup.create(LoopSettings.DEFAULT.withLoops(1))) {
      Channel server = listen(group, Duration.ofMinutes(1));
      try (Socket client = connect(server)) {
        BufferedReader lines = lines(client);
        assertTrue(lines.readLine().startsWith("welcome"));
        client.getOutputStream().write(new byte[2_000]);
        assertEquals("disconnected: a line has more than 1024 bytes", lines.readLine());
        assertNull(lines.readLine());
        // A reset would fail the second write.
        client.getOutputStream().write(new byte[1_000]);
        client.getOutputStream().write(new byte[1_000]);
      }
    }
  }

  private static final class IdleEvents implements ChannelHandler {
    int count;

    @Override
    public void userEvent(HandlerContext context, Object event) {
      count++;
    }

    @Override
    public void channelRead(HandlerContext context, Object message) {
      ((ByteBuf) message).release();
    }
  }

  @Test
  void idleEventComesOnceUntilTheChannelReceivesAgain() {
    IdleEvents events = new IdleEvents();
    try (EmbeddedChannel channel =
        new EmbeddedChannel(new IdleHandler(Duration.ofSeconds(10)), events)) {
      channel.advance(Duration.ofSeconds(9)).send("x").advance(Duration.ofSeconds(9));
      assertEquals(0, events.count);
      channel.advance(Duration.ofSeconds(1)).advance(Duration.ofMinutes(1));
      assertEquals(1, events.count);
      channel.send("x").advance(Duration.ofSeconds(10));
      assertEquals(2, events.count);
    }
  }
}

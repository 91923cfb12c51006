package dev.quickwater.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.junit.NoLeaks;
import dev.quickwater.util.net.Cidr;
import dev.quickwater.util.net.CidrSet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What handlers behind the header see, and when the connection is refused.
@NoLeaks
final class ProxyProtocolHandlerTest {

  private static final String LINE = "PROXY TCP4 192.0.2.1 192.0.2.2 5000 443\r\n";
  private static final InetSocketAddress PROXY = address("10.1.2.3", 4000);
  private static final InetSocketAddress CLIENT = address("192.0.2.1", 5000);

  private static InetSocketAddress address(String host, int port) {
    return new InetSocketAddress(InetAddress.ofLiteral(host), port);
  }

  private static final class Probe implements ChannelHandler {
    final StringBuilder events = new StringBuilder();

    boolean closesAtOnce;

    @Override
    public void channelActive(HandlerContext context) {
      events.append("active ").append(context.channel().remoteAddress()).append('\n');
      if (closesAtOnce) {
        context.channel().close();
      }
    }

    @Override
    public void exceptionCaught(HandlerContext context, Throwable cause) {
      events.append(cause.getMessage()).append('\n');
    }

    @Override
    public void channelRead(HandlerContext context, Object message) {
      ByteBuf read = (ByteBuf) message;
      events
          .append(new String(read.readBytes(read.readableBytes()), StandardCharsets.ISO_8859_1))
          .append('\n');
      read.release();
    }

    @Override
    public void channelInactive(HandlerContext context) {
      events.append("inactive\n");
    }
  }

  private final Probe probe = new Probe();

  /// The embedded channel has no address, so the test sets that of the proxy.
  private EmbeddedChannel channel(String trusted) {
    ProxyProtocolSettings settings =
        ProxyProtocolSettings.of(CidrSet.of(List.of(Cidr.of(trusted))));
    return new EmbeddedChannel(
        ChannelSettings.DEFAULT,
        c -> {
          c.replaceRemoteAddress(PROXY);
          c.pipeline().addLast(new ProxyProtocolHandler(settings)).addLast(probe);
        });
  }

  private EmbeddedChannel channel() {
    return channel("10.0.0.0/8");
  }

  @Test
  void clientIsKnownBeforeTheChannelIsActive() {
    for (int split = 1; split < LINE.length(); split++) {
      probe.events.setLength(0);
      try (EmbeddedChannel channel = channel()) {
        channel.send(LINE.substring(0, split));
        assertEquals("", probe.events.toString());
        channel.send(LINE.substring(split) + "hello");
        assertEquals("active " + CLIENT + "\nhello\n", probe.events.toString());
        Channel of = channel.channel();
        ProxyHeader header = of.attributes().get(ProxyProtocolHandler.HEADER);
        assertNotNull(header);
        assertEquals(CLIENT, header.source());
        assertNull(of.pipeline().find(ProxyProtocolHandler.class));
        channel.send("more");
        assertTrue(probe.events.toString().endsWith("more\n"));
      }
      assertTrue(probe.events.toString().endsWith("inactive\n"));
    }
  }

  @Test
  void connectionOfTheProxyItselfKeepsItsAddress() {
    for (byte[] header :
        List.of(
            ProxyHeaderWriter.version2(ProxyHeader.local()),
            "PROXY UNKNOWN\r\n".getBytes(StandardCharsets.US_ASCII))) {
      probe.events.setLength(0);
      try (EmbeddedChannel channel = channel()) {
        channel.send(ByteBuf.wrap(header));
        assertEquals("active " + PROXY + "\n", probe.events.toString());
      }
    }
  }

  private void assertRefused(EmbeddedChannel channel) {
    channel.runTasks();
    assertTrue(channel.isClosed());
    assertEquals("", probe.events.toString());
  }

  @Test
  void forgedHeaderOfAnUntrustedSenderIsRefused() {
    try (EmbeddedChannel channel = channel("10.1.2.4/32")) {
      channel.send(LINE);
      assertRefused(channel);
    }
  }

  @Test
  void connectionWithoutAHeaderIsRefused() {
    try (EmbeddedChannel channel = channel()) {
      channel.send("GET / HTTP/1.1\r\n\r\n");
      assertRefused(channel);
    }
  }

  @Test
  void datagramHeaderIsRefused() {
    ProxyHeader datagram =
        new ProxyHeader(
            ProxyHeader.Command.PROXY, ProxyHeader.Transport.DATAGRAM, CLIENT, PROXY, List.of());
    try (EmbeddedChannel channel = channel()) {
      channel.send(ByteBuf.wrap(ProxyHeaderWriter.version2(datagram)));
      assertRefused(channel);
    }
  }

  @Test
  void partialHeaderHasADeadlineThatBytesDoNotExtend() {
    try (EmbeddedChannel channel = channel()) {
      for (int i = 0; i < 10; i++) {
        assertFalse(channel.isClosed());
        channel.send(LINE.substring(i, i + 1)).advance(Duration.ofSeconds(1));
      }
      assertRefused(channel);
    }
  }

  @Test
  void endBeforeTheHeaderIsRefused() {
    try (EmbeddedChannel channel = channel()) {
      channel.send("PROXY TCP4").endInput();
      assertRefused(channel);
    }
  }

  @Test
  void handlerMayCloseTheChannelWhenItIsActive() {
    probe.closesAtOnce = true;
    try (EmbeddedChannel channel = channel()) {
      channel.send(LINE + "hello");
      assertTrue(channel.isClosed());
      assertEquals("active " + CLIENT + "\ninactive\n", probe.events.toString());
    }
  }

  @Test
  void resetBeforeTheHeaderIsNotReported() {
    try (EmbeddedChannel channel = channel()) {
      channel.send("PROXY").fail(new IOException("reset"));
      assertRefused(channel);
    }
  }

  @Test
  void failureAfterTheHeaderIsReported() {
    try (EmbeddedChannel channel = channel()) {
      channel.send(LINE).fail(new IOException("reset"));
      assertTrue(probe.events.toString().contains("reset"));
    }
  }

  /// The receive buffers of transports have space for a whole read.
  @Test
  void incompleteHeaderHoldsNoReceiveBuffer() {
    ByteBufAllocator allocator = ByteBufAllocator.shared();
    long before = allocator.metrics().used();
    try (EmbeddedChannel channel = channel()) {
      for (int i = 0; i < 3; i++) {
        ByteBuf received = allocator.allocate(1 << 20);
        channel.send(received.writeByte(LINE.charAt(i)));
        long held = allocator.metrics().used() - before;
        assertTrue(held < 16 << 10, "held " + held);
      }
    }
  }
}

package dev.quickwater.testsuite.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.Datagram;
import dev.quickwater.channel.DatagramBootstrap;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.Multicast;
import dev.quickwater.channel.Pause;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// UDP channels behave the same on every transport.
abstract class DatagramTests extends TransportTest {

  private static final ChannelSettings UDP = ChannelSettings.DATAGRAM;

  private static final SocketAddress ANY_PORT = new InetSocketAddress(LOOPBACK, 0);

  /// One received datagram, without its buffer.
  private record Seen(String text, SocketAddress remote, int segmentSize) {}

  private static class Collector implements ChannelHandler {
    final List<Seen> seen = new CopyOnWriteArrayList<>();
    final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @Override
    public void channelRead(HandlerContext context, Object message) {
      try (Datagram datagram = (Datagram) message) {
        ByteBuf content = datagram.content();
        seen.add(
            new Seen(
                content.readUtf8(content.readableBytes()),
                datagram.remote(),
                datagram.segmentSize()));
      }
    }

    @Override
    public void exceptionCaught(HandlerContext context, Throwable cause) {
      failures.add(cause);
    }

    List<String> texts() {
      return seen.stream().map(Seen::text).toList();
    }
  }

  private static final class EchoDatagrams implements ChannelHandler {
    @Override
    public void channelRead(HandlerContext context, Object message) {
      context.write(message); // its remote address is the sender
    }

    @Override
    public void channelReadComplete(HandlerContext context) {
      context.flush();
    }
  }

  private Channel bind(ChannelHandler handler) throws Exception {
    return bind(UDP, handler);
  }

  private Channel bind(ChannelSettings settings, ChannelHandler handler) throws Exception {
    return keep(
        await(
            new DatagramBootstrap(group, settings, c -> c.pipeline().addLast(handler))
                .bind(ANY_PORT)));
  }

  private Channel connect(SocketAddress remote, ChannelHandler handler) throws Exception {
    return keep(
        await(
            new DatagramBootstrap(group, UDP, c -> c.pipeline().addLast(handler)).connect(remote)));
  }

  private DatagramSocket rawSocket() throws IOException {
    DatagramSocket socket = track(new DatagramSocket(0, LOOPBACK));
    socket.setSoTimeout((int) LIMIT.toMillis());
    return socket;
  }

  private static void send(DatagramSocket from, String text, Channel to) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    from.send(new DatagramPacket(bytes, bytes.length, address(to)));
  }

  private static String receive(DatagramSocket socket) throws IOException {
    DatagramPacket packet = new DatagramPacket(new byte[65_536], 65_536);
    socket.receive(packet);
    return new String(packet.getData(), 0, packet.getLength(), UTF_8);
  }

  private static Datagram datagram(Channel channel, String text, SocketAddress to) {
    return new Datagram(channel.loop().allocator().allocate(16).writeUtf8(text), to);
  }

  private static void write(Channel channel, String text, SocketAddress to) {
    run(channel, () -> channel.writeAndFlush(datagram(channel, text, to)));
  }

  @Test
  void datagramsComeBackToTheirSenders() throws Exception {
    Channel echo = bind(new EchoDatagrams());
    DatagramSocket first = rawSocket();
    DatagramSocket second = rawSocket();
    send(first, "one", echo);
    send(second, "two", echo);
    assertEquals("one", receive(first));
    assertEquals("two", receive(second));
  }

  @Test
  void emptyAndLargestDatagramsPass() throws Exception {
    Channel echo = bind(new EchoDatagrams());
    DatagramSocket peer = rawSocket();
    send(peer, "", echo);
    assertEquals("", receive(peer));
    String large = "x".repeat(65_507);
    send(peer, large, echo);
    assertEquals(large, receive(peer));
  }

  @Test
  void manyDatagramsOfOneFlushKeepTheirBordersAndOrder() throws Exception {
    Collector collector = new Collector();
    Channel receiver = bind(UDP.withOption(StandardSocketOptions.SO_RCVBUF, 1 << 20), collector);
    Channel sender = bind(new Collector());
    run(
        sender,
        () -> {
          for (int i = 0; i < 100; i++) {
            sender.write(datagram(sender, "number " + i, address(receiver)));
          }
          sender.flush();
        });
    eventually("all datagrams", () -> collector.seen.size() == 100);
    assertEquals(IntStream.range(0, 100).mapToObj(i -> "number " + i).toList(), collector.texts());
    assertEquals(address(sender), collector.seen.getFirst().remote());
  }

  /// Transports send datagrams of one size to one destination together.
  @Test
  void datagramsOfAllSizesKeepTheirBordersOrderAndDestinations() throws Exception {
    ChannelSettings roomy = UDP.withOption(StandardSocketOptions.SO_RCVBUF, 1 << 20);
    Collector[] collectors = {new Collector(), new Collector()};
    Channel[] receivers = {bind(roomy, collectors[0]), bind(roomy, collectors[1])};
    Channel sender = bind(new Collector());
    List<List<String>> expected = List.of(new ArrayList<>(), new ArrayList<>());
    Random random = new Random(5);
    int[] sizes = {0, 10, 10, 10, 9, 1, 1200, 1200, 1452, 1453, 4000};
    for (int round = 0; round < 20; round++) {
      run(
          sender,
          () -> {
            int size = 10;
            int to = 0;
            for (int i = 0; i < 30; i++) {
              size = random.nextInt(3) == 0 ? sizes[random.nextInt(sizes.length)] : size;
              to = random.nextInt(5) == 0 ? 1 - to : to;
              String filled = "abcdefghij".substring(i % 10, i % 10 + 1).repeat(size);
              expected.get(to).add(filled);
              Datagram datagram =
                  random.nextInt(10) == 0
                      ? new Datagram(ByteBuf.utf8(filled), address(receivers[to]))
                      : datagram(sender, filled, address(receivers[to]));
              sender.write(datagram);
            }
            sender.flush();
          });
      for (int to = 0; to < 2; to++) {
        Collector collector = collectors[to];
        int count = expected.get(to).size();
        eventually("the datagrams of a round", () -> collector.seen.size() >= count);
      }
    }
    assertEquals(expected.get(0), collectors[0].texts());
    assertEquals(expected.get(1), collectors[1].texts());
  }

  @Test
  void datagramWhoseContentWasReleasedFailsAlone() throws Exception {
    DatagramSocket peer = rawSocket();
    Channel sender = bind(new Collector());
    List<Promise<Void>> promises = new ArrayList<>();
    run(
        sender,
        () -> {
          Datagram[] datagrams = new Datagram[5];
          for (int i = 0; i < datagrams.length; i++) {
            Promise<Void> promise = sender.loop().newPromise();
            promises.add(promise);
            datagrams[i] = datagram(sender, "number " + i, peer.getLocalSocketAddress());
            sender.write(datagrams[i], promise);
          }
          datagrams[1].close(); // it belongs to the channel
          datagrams[3].close();
          sender.flush();
        });
    await(promises.getLast());
    for (int released : new int[] {1, 3}) {
      Throwable failure = failureOf(promises.get(released));
      assertTrue(failure.getMessage().contains("released"), failure::toString);
    }
    assertEquals("number 0", receive(peer));
    assertEquals("number 2", receive(peer));
    assertEquals("number 4", receive(peer));
    assertEquals(0, sender.pendingBytes());
    assertTrue(sender.isActive());
  }

  @Test
  void everyDatagramToABadDestinationFails() throws Exception {
    DatagramSocket peer = rawSocket();
    Channel sender = bind(new Collector());
    SocketAddress unreachable = new InetSocketAddress(InetAddress.getByName("255.255.255.255"), 9);
    List<Promise<Void>> promises = new ArrayList<>();
    run(
        sender,
        () -> {
          for (int i = 0; i < 6; i++) {
            Promise<Void> promise = sender.loop().newPromise();
            promises.add(promise);
            boolean bad = i > 0 && i < 4;
            sender.write(
                datagram(sender, "number " + i, bad ? unreachable : peer.getLocalSocketAddress()),
                promise);
          }
          sender.flush();
        });
    await(promises.getLast());
    for (int i = 1; i < 4; i++) {
      assertInstanceOf(IOException.class, failureOf(promises.get(i)));
    }
    assertEquals("number 0", receive(peer));
    assertEquals("number 4", receive(peer));
    assertEquals("number 5", receive(peer));
  }

  @Test
  void arrayBuffersAreSent() throws Exception {
    Collector collector = new Collector();
    Channel receiver = bind(collector);
    Channel sender = bind(new Collector());
    sender.writeAndFlush(new Datagram(ByteBuf.utf8("in an array"), address(receiver)));
    eventually("the datagram", () -> collector.texts().equals(List.of("in an array")));
  }

  @Test
  void connectedChannelSendsBareBuffersAndHearsOnlyItsPeer() throws Exception {
    DatagramSocket peer = rawSocket();
    Collector collector = new Collector();
    Channel channel = connect(peer.getLocalSocketAddress(), collector);
    channel.writeAndFlush(ByteBuf.utf8("hello"));
    assertEquals("hello", receive(peer));
    send(rawSocket(), "a stranger", channel);
    send(peer, "the peer", channel);
    eventually("the peer's datagram", () -> !collector.seen.isEmpty());
    assertEquals(List.of("the peer"), collector.texts());
    assertEquals(peer.getLocalSocketAddress(), channel.remoteAddress());
  }

  @Test
  void badDestinationFailsOneDatagram() throws Exception {
    DatagramSocket peer = rawSocket();
    Channel sender = bind(new Collector());
    Promise<Void> first = sender.loop().newPromise();
    Promise<Void> bad = sender.loop().newPromise();
    Promise<Void> last = sender.loop().newPromise();
    SocketAddress unreachable = new InetSocketAddress(InetAddress.getByName("255.255.255.255"), 9);
    run(
        sender,
        () -> {
          sender.write(datagram(sender, "first", peer.getLocalSocketAddress()), first);
          sender.write(datagram(sender, "bad", unreachable), bad);
          sender.write(datagram(sender, "last", peer.getLocalSocketAddress()), last);
          sender.flush();
        });
    await(first);
    assertInstanceOf(IOException.class, failureOf(bad));
    await(last);
    assertEquals("first", receive(peer));
    assertEquals("last", receive(peer));
    assertTrue(sender.isActive());
  }

  @Test
  void datagramThatIsTooLongFailsAlone() throws Exception {
    Channel sender = bind(new Collector());
    DatagramSocket peer = rawSocket();
    Promise<Void> tooLong = sender.loop().newPromise();
    sender.writeAndFlush(
        new Datagram(ByteBuf.wrap(new byte[70_000]), peer.getLocalSocketAddress()), tooLong);
    Throwable failure = failureOf(tooLong);
    assertTrue(failure.getMessage() != null, failure::toString);
    write(sender, "after", peer.getLocalSocketAddress());
    assertEquals("after", receive(peer));
  }

  @Test
  void datagramWithoutDestinationIsRefusedWithTheReason() throws Exception {
    Channel sender = bind(new Collector());
    Promise<Void> promise = sender.loop().newPromise();
    sender.writeAndFlush(ByteBuf.utf8("whereto"), promise);
    assertTrue(failureOf(promise).getMessage().contains("not connected"));
  }

  @Test
  void failureWithoutPromiseIsOneExceptionEvent() throws Exception {
    Collector collector = new Collector();
    Channel sender = bind(collector);
    sender.writeAndFlush(ByteBuf.utf8("whereto"));
    eventually("the event", () -> !collector.failures.isEmpty());
    assertEquals(1, collector.failures.size());
    assertTrue(sender.isActive());
  }

  @Test
  void refusalByThePeerIsReportedAndTheChannelStaysOpen() throws Exception {
    DatagramSocket peer = rawSocket();
    SocketAddress address = peer.getLocalSocketAddress();
    peer.close();
    Collector collector = new Collector();
    Channel channel = connect(address, collector);
    channel.writeAndFlush(ByteBuf.utf8("is anyone there"));
    eventually("the refusal", () -> !collector.failures.isEmpty());
    assertTrue(channel.isActive());
    DatagramSocket successor = track(new DatagramSocket(address));
    successor.setSoTimeout((int) LIMIT.toMillis());
    channel.writeAndFlush(ByteBuf.utf8("again"));
    assertEquals("again", receive(successor));
  }

  @Test
  void segmentsAreDatagramsOfTheirSize() throws Exception {
    DatagramSocket peer = rawSocket();
    Channel sender = bind(new Collector());
    ByteBuf content = ByteBuf.utf8("aaaabbbbcc");
    sender.writeAndFlush(Datagram.segments(content, peer.getLocalSocketAddress(), 4));
    assertEquals("aaaa", receive(peer));
    assertEquals("bbbb", receive(peer));
    assertEquals("cc", receive(peer));
  }

  /// The first bytes of this address are those of the loopback address of IPv4.
  @Test
  void destinationOfAnotherFamilyFailsItsDatagram() throws Exception {
    DatagramSocket peer = rawSocket();
    Channel sender = bind(new Collector());
    InetAddress six = InetAddress.getByName("7f00:1::1");
    Promise<Void> failed = sender.loop().newPromise();
    SocketAddress to = new InetSocketAddress(six, peer.getLocalPort());
    sender.writeAndFlush(new Datagram(ByteBuf.utf8("for another host"), to), failed);
    sender.writeAndFlush(new Datagram(ByteBuf.utf8("next"), peer.getLocalSocketAddress()));
    assertEquals("next", receive(peer));
    eventually("the failure", failed::isDone);
    assertNotNull(failed.cause());
  }

  @Test
  void pausedChannelReceivesNothing() throws Exception {
    Collector collector = new Collector();
    Channel receiver = bind(collector);
    Pause pause = receiver.pauseReading("test");
    run(receiver, () -> {}); // the pause holds from here on
    send(rawSocket(), "waits", receiver);
    for (int i = 0; i < 20; i++) {
      run(receiver, () -> {});
    }
    assertEquals(List.of(), collector.texts());
    pause.close();
    eventually("the datagram", () -> collector.texts().equals(List.of("waits")));
  }

  @Test
  void gracefulCloseSendsWhatWasWritten() throws Exception {
    DatagramSocket peer = rawSocket();
    Channel sender = bind(new Collector());
    run(
        sender,
        () -> {
          sender.write(datagram(sender, "last words", peer.getLocalSocketAddress()));
          sender.closeAfterFlush();
        });
    assertEquals("last words", receive(peer));
    await(sender.closeFuture());
  }

  @Test
  void handlerMayCloseInTheMiddleOfABatch() throws Exception {
    Collector collector =
        new Collector() {
          @Override
          public void channelRead(HandlerContext context, Object message) {
            super.channelRead(context, message);
            context.channel().close();
          }
        };
    Channel receiver = bind(collector);
    Pause pause = receiver.pauseReading("test");
    run(receiver, () -> {}); // the pause holds from here on
    DatagramSocket peer = rawSocket();
    for (int i = 0; i < 10; i++) {
      send(peer, "number " + i, receiver);
    }
    pause.close();
    await(receiver.closeFuture());
    assertEquals(List.of("number 0"), collector.texts());
  }

  @Test
  void writesAfterCloseFail() throws Exception {
    Channel sender = bind(new Collector());
    sender.close();
    await(sender.closeFuture());
    Promise<Void> promise = sender.loop().newPromise();
    sender.writeAndFlush(
        new Datagram(ByteBuf.utf8("late"), address(bind(new Collector()))), promise);
    assertInstanceOf(ClosedChannelException.class, failureOf(promise));
  }

  @Test
  void addressInUseIsReported() throws Exception {
    Channel first = bind(new Collector());
    Throwable failure = failureOf(new DatagramBootstrap(group, UDP, _ -> {}).bind(address(first)));
    assertInstanceOf(BindException.class, failure);
    assertTrue(failure.getMessage().contains(address(first).toString()), failure::toString);
  }

  @Test
  void unresolvedAddressIsRefused() throws Exception {
    Throwable failure =
        failureOf(
            new DatagramBootstrap(group, UDP, _ -> {})
                .connect(InetSocketAddress.createUnresolved("nowhere.invalid", 9)));
    assertInstanceOf(UnknownHostException.class, failure);
  }

  @Test
  void hardLimitFailsDatagramsAndNotTheChannel() throws Exception {
    Channel sender = bind(UDP.withWaterMarks(10, 100).withHardLimit(1_000), new Collector());
    DatagramSocket peer = rawSocket();
    Promise<Void> fits = sender.loop().newPromise();
    Promise<Void> over = sender.loop().newPromise();
    run(
        sender,
        () -> {
          sender.write(
              new Datagram(ByteBuf.wrap(new byte[800]), peer.getLocalSocketAddress()), fits);
          sender.write(
              new Datagram(ByteBuf.wrap(new byte[800]), peer.getLocalSocketAddress()), over);
          sender.flush();
        });
    await(fits);
    assertTrue(failureOf(over).getMessage().contains("hardLimit"));
    assertTrue(sender.isActive());
  }

  @Test
  void memberOfAGroupReceivesWhatIsSentToTheGroup() throws Exception {
    NetworkInterface loopback = NetworkInterface.getByInetAddress(LOOPBACK);
    InetAddress multicast = InetAddress.getByName("239.1.2.3");
    Collector collector = new Collector();
    Channel member =
        keep(
            await(
                new DatagramBootstrap(group, UDP, c -> c.pipeline().addLast(collector))
                    .bind(new InetSocketAddress(InetAddress.getByName("0.0.0.0"), 0))));
    TransportTest.call(
        member.loop(),
        () -> {
          Multicast.join(member, multicast, loopback, null);
          return "joined";
        });
    DatagramSocket sender = rawSocket();
    sender.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback);
    byte[] bytes = "to all".getBytes(UTF_8);
    SocketAddress to = new InetSocketAddress(multicast, port(member));
    sender.send(new DatagramPacket(bytes, bytes.length, to));
    eventually("the datagram", () -> collector.texts().equals(List.of("to all")));
    TransportTest.call(
        member.loop(),
        () -> {
          Multicast.leave(member, multicast, loopback, null);
          return "left";
        });
    sender.send(new DatagramPacket(bytes, bytes.length, to));
    send(sender, "to one", member);
    eventually("the second datagram", () -> collector.seen.size() >= 2);
    assertEquals(List.of("to all", "to one"), collector.texts());
  }

  @Test
  void cancelledDatagramIsNotSent() throws Exception {
    DatagramSocket peer = rawSocket();
    Channel sender = bind(new Collector());
    Promise<Void> cancelled = sender.loop().newPromise();
    run(
        sender,
        () -> {
          sender.write(datagram(sender, "never", peer.getLocalSocketAddress()), cancelled);
          sender.write(datagram(sender, "sent", peer.getLocalSocketAddress()));
          cancelled.cancel();
          sender.flush();
        });
    assertEquals("sent", receive(peer));
  }

  @Test
  void localAddressHasThePort() throws Exception {
    Channel channel = bind(new Collector());
    assertTrue(port(channel) > 0);
    assertNull(channel.remoteAddress());
    assertEquals(LOOPBACK, ((InetSocketAddress) address(channel)).getAddress());
  }

  /// Pauses at each datagram.
  private static final class OneAtATime extends Collector {
    volatile @Nullable Pause pause;

    @Override
    public void channelRead(HandlerContext context, Object message) {
      super.channelRead(context, message);
      pause = context.channel().pauseReading("one at a time");
    }
  }

  @Test
  void pauseInTheMiddleOfABatchTakesEffectAtOnce() throws Exception {
    OneAtATime receiver = new OneAtATime();
    Channel channel = bind(receiver);
    List<String> sent = IntStream.range(0, 40).mapToObj(Integer::toString).toList();
    try (DatagramSocket sender = rawSocket()) {
      Pause before = channel.pauseReading("until all are there");
      channel.loop().submit(() -> true).await(LIMIT);
      for (String text : sent) {
        send(sender, text, channel);
      }
      before.close();
      for (int i = 1; i <= sent.size(); i++) {
        int expected = i;
        eventually("datagram " + i, () -> receiver.seen.size() >= expected);
        channel.loop().submit(() -> true).await(LIMIT);
        assertEquals(i, receiver.seen.size(), "datagrams after as many pauses");
        Objects.requireNonNull(receiver.pause).close();
      }
      assertEquals(sent, receiver.texts());
    }
  }

  @Test
  void datagramsThatAPauseKeptAreReleasedAtClose() throws Exception {
    OneAtATime receiver = new OneAtATime();
    Channel channel = bind(receiver);
    try (DatagramSocket sender = rawSocket()) {
      Pause before = channel.pauseReading("until all are there");
      channel.loop().submit(() -> true).await(LIMIT);
      for (int i = 0; i < 40; i++) {
        send(sender, "text", channel);
      }
      before.close();
      for (int i = 1; i <= 8; i++) {
        int expected = i;
        eventually("datagram " + i, () -> receiver.seen.size() >= expected);
        channel.loop().submit(() -> true).await(LIMIT); // until the handler has paused
        Objects.requireNonNull(receiver.pause).close();
      }
      channel.close();
      await(channel.closeFuture());
    }
  }

  @Test
  void optionOfStreamsIsRefusedWithTheSetting() {
    Throwable refused =
        assertThrows(Exception.class, () -> bind(ChannelSettings.DEFAULT, new Collector()));
    Throwable cause = refused.getCause() == null ? refused : refused.getCause();
    assertInstanceOf(UnsupportedOperationException.class, cause);
    assertTrue(cause.getMessage().contains("TCP_NODELAY"), cause.getMessage());
    assertTrue(cause.getMessage().contains("ChannelSettings.DATAGRAM"), cause.getMessage());
  }
}

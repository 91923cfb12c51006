package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.Datagram;
import dev.quickwater.channel.DatagramBootstrap;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.Pause;
import dev.quickwater.common.Promise;
import dev.quickwater.io.posix.PosixSocketOptions;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Unix datagrams with the datagram bootstrap.
abstract class UnixDatagramTests extends TransportTest {

  private static final ChannelSettings UNIX = ChannelSettings.UNIX;

  private static final class Collector implements ChannelHandler {
    final List<String> texts = new CopyOnWriteArrayList<>();
    final List<Datagram> seen = new CopyOnWriteArrayList<>();
    final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @Override
    public void channelRead(HandlerContext context, Object message) {
      try (Datagram datagram = (Datagram) message) {
        texts.add(datagram.content().readUtf8(datagram.content().readableBytes()));
        seen.add(datagram);
      }
    }

    @Override
    public void exceptionCaught(HandlerContext context, Throwable cause) {
      failures.add(cause);
    }
  }

  private Channel bind(SocketAddress address, ChannelSettings settings, ChannelHandler handler)
      throws Exception {
    return keep(
        await(
            new DatagramBootstrap(group, settings, c -> c.pipeline().addLast(handler))
                .bind(address)));
  }

  private Channel connectTo(Channel peer, ChannelHandler handler) throws Exception {
    return keep(
        await(
            new DatagramBootstrap(group, UNIX, c -> c.pipeline().addLast(handler))
                .connect(address(peer))));
  }

  private static SocketAddress free(String kind) {
    return kind.equals("path") ? UnixPaths.free() : UnixTest.freeName();
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "abstract"})
  void answerReachesTheSender(String kind) throws Exception {
    Channel echo =
        bind(
            free(kind),
            UNIX,
            new ChannelHandler() {
              @Override
              public void channelRead(HandlerContext context, Object message) {
                context.writeAndFlush(message);
              }
            });
    Collector collector = new Collector();
    Channel client = bind(free(kind), UNIX, collector);
    client.writeAndFlush(new Datagram(ByteBuf.utf8("hello"), address(echo)));
    eventually("the echo", () -> collector.texts.equals(List.of("hello")));
    assertEquals(echo.localAddress(), collector.seen.getFirst().remote());
  }

  /// Far more datagrams than the queue of a socket holds: the sender waits.
  @Test
  void connectedChannelLosesNothingToASlowReceiver() throws Exception {
    Collector collector = new Collector();
    Channel receiver = bind(UnixPaths.free(), UNIX, collector);
    Pause pause = receiver.pauseReading("test");
    Channel sender = connectTo(receiver, new Collector());
    run(
        sender,
        () -> {
          for (int i = 0; i < 2000; i++) {
            sender.write(ByteBuf.utf8("number " + i));
          }
          sender.flush();
        });
    pause.close();
    eventually("all datagrams", () -> collector.texts.size() == 2000);
    assertEquals(IntStream.range(0, 2000).mapToObj(i -> "number " + i).toList(), collector.texts);
  }

  @Test
  void fullQueueOfOneReceiverFailsItsDatagramAndHoldsUpNoOther() throws Exception {
    Channel full = bind(UnixPaths.free(), UNIX, new Collector());
    full.pauseReading("test");
    run(full, () -> {});
    Collector collector = new Collector();
    Channel other = bind(UnixPaths.free(), UNIX, collector);
    Channel sender = bind(UnixPaths.free(), UNIX, new Collector());
    @org.jspecify.annotations.Nullable Throwable cause = null;
    for (int i = 0; i < 5000 && cause == null; i++) {
      Promise<Void> promise = sender.loop().newPromise();
      sender.writeAndFlush(new Datagram(ByteBuf.utf8("x"), address(full)), promise);
      eventually("an end", promise::isDone);
      cause = promise.isSuccess() ? null : failureOf(promise);
    }
    assertInstanceOf(IOException.class, cause);
    assertTrue(cause.getMessage().contains("full"), cause.getMessage());
    sender.writeAndFlush(new Datagram(ByteBuf.utf8("to the other"), address(other)));
    eventually("the other's", () -> collector.texts.equals(List.of("to the other")));
  }

  @Test
  void datagramLongerThanTheRoomIsReportedAsTruncated() throws Exception {
    Collector collector = new Collector();
    Channel receiver = bind(UnixPaths.free(), UNIX, collector);
    Channel sender =
        bind(
            UnixPaths.free(),
            UNIX.withOption(StandardSocketOptions.SO_SNDBUF, 150_000),
            new Collector());
    run(
        sender,
        () -> {
          ByteBuf content = sender.loop().allocator().allocate(100_000);
          content.writeBytes(new byte[100_000]);
          sender.writeAndFlush(new Datagram(content, address(receiver)));
        });
    eventually("the datagram", () -> collector.seen.size() == 1);
    assertTrue(collector.seen.getFirst().truncated());
    assertEquals(64 << 10, collector.texts.getFirst().length());
  }

  @Test
  void missingReceiverFailsOneDatagram() throws Exception {
    Collector collector = new Collector();
    Channel receiver = bind(UnixPaths.free(), UNIX, collector);
    Channel sender = bind(UnixPaths.free(), UNIX, new Collector());
    Promise<Void> missing = sender.loop().newPromise();
    run(
        sender,
        () -> {
          sender.write(new Datagram(ByteBuf.utf8("a"), address(receiver)));
          sender.write(new Datagram(ByteBuf.utf8("b"), UnixPaths.free()), missing);
          sender.write(new Datagram(ByteBuf.utf8("c"), address(receiver)));
          sender.flush();
        });
    assertInstanceOf(IOException.class, failureOf(missing));
    eventually("the others", () -> collector.texts.equals(List.of("a", "c")));
  }

  @Test
  void pathInUseIsRefusedWithTheReason() throws Exception {
    Channel bound = bind(UnixPaths.free(), UNIX, new Collector());
    Throwable living = failureOf(new DatagramBootstrap(group, UNIX, _ -> {}).bind(address(bound)));
    assertInstanceOf(BindException.class, living);
    assertTrue(living.getMessage().contains("another socket"), living.getMessage());
  }

  @Test
  void limitOfDescriptorsIsAnOption() throws Exception {
    Channel channel = bind(UnixPaths.free(), UNIX, new Collector());
    run(
        channel,
        () -> {
          try {
            assertEquals(0, channel.getOption(PosixSocketOptions.MAX_DESCRIPTORS));
            channel.setOption(PosixSocketOptions.MAX_DESCRIPTORS, 5);
            assertEquals(5, channel.getOption(PosixSocketOptions.MAX_DESCRIPTORS));
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });
  }
}

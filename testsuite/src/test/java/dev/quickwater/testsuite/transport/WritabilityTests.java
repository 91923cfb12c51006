package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// Behaviour while the kernel does not take the output.
abstract class WritabilityTests extends TransportTest {

  private static final ChannelSettings SMALL_BUFFERS =
      DEFAULT.withOption(StandardSocketOptions.SO_SNDBUF, 8 << 10);

  /// A peer with a small receive buffer.
  private ServerSocket narrowPeer() throws IOException {
    if (!hasSockets()) {
      return rawListen();
    }
    ServerSocket peer = track(family().server());
    peer.setReceiveBufferSize(4 << 10);
    peer.bind(family().freeAddress());
    peer.setSoTimeout((int) LIMIT.toMillis());
    return peer;
  }

  @Test
  void marksTurnWritabilityOffAndOn() throws Exception {
    ServerSocket peer = narrowPeer();
    Recorder recorder = new Recorder();
    Channel channel =
        connect(peer.getLocalSocketAddress(), SMALL_BUFFERS.withWaterMarks(1000, 2000), recorder);
    Socket socket = rawAccept(peer);
    assertTrue(channel.isWritable());
    channel.writeAndFlush(ByteBuf.wrap(new byte[1 << 20]));
    eventually("unwritable", () -> !channel.isWritable());
    socket.getInputStream().readNBytes(1 << 20);
    eventually("writable", channel::isWritable);
    assertEquals(List.of("active", "unwritable", "writable"), recorder.events);
  }

  @Test
  void lowMarkOfZeroMeansEmpty() throws Exception {
    needsSockets();
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT.withWaterMarks(0, 0), recorder);
    rawAccept(peer);
    channel.writeAndFlush(ByteBuf.utf8("x"));
    eventually("writable again", () -> recorder.events.size() == 3);
    assertEquals(List.of("active", "unwritable", "writable"), recorder.events);
  }

  @Test
  void aboveTheHardLimitTheChannelCloses() throws Exception {
    ServerSocket peer = narrowPeer();
    Recorder recorder = new Recorder();
    Channel channel =
        connect(peer.getLocalSocketAddress(), SMALL_BUFFERS.withHardLimit(1 << 20), recorder);
    rawAccept(peer);
    Promise<Void> promise = channel.loop().newPromise();
    channel.write(ByteBuf.wrap(new byte[900_000]), promise);
    channel.write(ByteBuf.wrap(new byte[900_000]));
    Throwable cause = failureOf(promise);
    assertTrue(cause.getMessage().contains("hardLimit"), cause.getMessage());
    Recorder.await(recorder.inactive);
    assertEquals(List.of(cause), recorder.failures);
  }

  @Test
  void manyTinyMessagesReachTheHardLimitToo() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel =
        connect(peer.getLocalSocketAddress(), DEFAULT.withHardLimit(1 << 20), recorder);
    rawAccept(peer);
    run(
        channel,
        () -> {
          for (int i = 0; i < 20_000; i++) {
            channel.write(ByteBuf.wrap());
          }
        });
    Recorder.await(recorder.inactive);
  }

  @Test
  void stalledFlushClosesTheChannel() throws Exception {
    needsSockets();
    ServerSocket peer = narrowPeer();
    Recorder recorder = new Recorder();
    Channel channel =
        connect(
            peer.getLocalSocketAddress(),
            SMALL_BUFFERS.withStallTimeout(Duration.ofMillis(300)),
            recorder);
    rawAccept(peer);
    Promise<Void> promise = channel.loop().newPromise();
    channel.writeAndFlush(ByteBuf.wrap(new byte[1 << 20]), promise);
    Throwable cause = assertInstanceOf(SocketTimeoutException.class, failureOf(promise));
    assertTrue(cause.getMessage().contains("stallTimeout"), cause.getMessage());
    Recorder.await(recorder.inactive);
    assertEquals(List.of(cause), recorder.failures);
  }

  @Test
  void slowProgressIsNoStall() throws Exception {
    ServerSocket peer = narrowPeer();
    Recorder recorder = new Recorder();
    Channel channel =
        connect(
            peer.getLocalSocketAddress(),
            SMALL_BUFFERS.withStallTimeout(Duration.ofMillis(600)),
            recorder);
    Socket socket = rawAccept(peer);
    Promise<Void> promise = channel.loop().newPromise();
    int all = 300_000;
    channel.writeAndFlush(ByteBuf.wrap(new byte[all]), promise);
    InputStream in = socket.getInputStream();
    long began = System.nanoTime();
    int read = 0;
    // Spread over more than two stall timeouts.
    while (read < all) {
      read += in.readNBytes(Math.min(20_000, all - read)).length;
      LockSupport.parkNanos(100_000_000);
    }
    await(promise);
    assertTrue(System.nanoTime() - began > 1_200_000_000L);
    assertFalse(recorder.events.contains("exception"));
  }

  @Test
  void slowReaderGetsEveryByteOfGatheredAndSingleWrites() throws Exception {
    ServerSocket peer = narrowPeer();
    Channel channel = connect(peer.getLocalSocketAddress(), SMALL_BUFFERS, new Recorder());
    Socket socket = rawAccept(peer);
    Random random = new Random(7);
    long sent = 0;
    for (int round = 0; round < 40; round++) {
      int messages = round % 3 == 0 ? 1 : random.nextInt(200);
      for (int i = 0; i < messages; i++) {
        int length = messages == 1 ? 40_000 : random.nextInt(700);
        channel.write(Payloads.any(random, sent, length));
        sent += length;
      }
      channel.flush();
    }
    InputStream in = socket.getInputStream();
    byte[] chunk = new byte[1777];
    for (long position = 0; position < sent; ) {
      int read = in.read(chunk, 0, 1 + random.nextInt(chunk.length));
      assertTrue(read > 0, "the stream ended at " + position + " of " + sent);
      for (int i = 0; i < read; i++) {
        assertEquals(Payloads.at(position + i), chunk[i], "byte " + (position + i));
      }
      position += read;
    }
  }

  @Test
  void unflushedIsNeverSent() throws Exception {
    ServerSocket peer = rawListen();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, new Recorder());
    Socket socket = rawAccept(peer);
    run(
        channel,
        () -> {
          channel.write(ByteBuf.utf8("flushed"));
          channel.flush();
          channel.write(ByteBuf.utf8("not"));
        });
    channel.close();
    assertEquals("flushed", new String(socket.getInputStream().readAllBytes()));
  }

  /// A producer that writes while the channel is writable, with a peer that takes everything.
  /// Neither the stack grows nor do other tasks of the loop starve.
  @Test
  void producerThatFillsUpWheneverItIsWritableDoesNotNest() throws Exception {
    int[] depth = new int[2];
    int[] left = {20_000};
    Recorder producer =
        new Recorder() {
          @Override
          public void channelWritabilityChanged(HandlerContext context) {
            depth[1] = Math.max(depth[1], ++depth[0]);
            while (left[0] > 0 && context.channel().isWritable()) {
              left[0]--;
              context.write(ByteBuf.wrap(new byte[1000]));
            }
            context.flush();
            depth[0]--;
          }
        };
    ServerSocket peer = rawListen();
    Channel channel =
        connect(peer.getLocalSocketAddress(), DEFAULT.withWaterMarks(500, 500), producer);
    Socket socket = rawAccept(peer);
    channel.writeAndFlush(ByteBuf.wrap(new byte[1000]));
    assertEquals(20_001_000, socket.getInputStream().readNBytes(20_001_000).length);
    run(channel, () -> assertTrue(depth[1] <= 2, "depth " + depth[1]));
  }
}

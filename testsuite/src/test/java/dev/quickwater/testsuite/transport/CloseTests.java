package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelState;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.common.Promise;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// A channel may be closed at any point, and closes once.
abstract class CloseTests extends TransportTest {

  @Test
  void unflushedWritesFail() throws Exception {
    ServerSocket peer = rawListen();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, new Recorder());
    Promise<Void> promise = channel.loop().newPromise();
    channel.write(
        Payloads.allocated(dev.quickwater.buffer.ByteBufAllocator.shared(), 0, 9), promise);
    channel.close();
    assertInstanceOf(ClosedChannelException.class, failureOf(promise));
  }

  @Test
  void aClosedChannelStaysClosed() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    channel.close();
    channel.close();
    await(channel.closeFuture());
    assertEquals(ChannelState.CLOSED, channel.state());
    assertFalse(channel.isActive());
    assertFalse(channel.isWritable());
    assertNull(channel.localAddress());
    assertNull(channel.remoteAddress());
    Promise<Void> promise = channel.loop().newPromise();
    channel.writeAndFlush(ByteBuf.utf8("late"), promise);
    assertInstanceOf(ClosedChannelException.class, failureOf(promise));
    channel.shutdownOutput();
    channel.pauseReading("test").close();
    channel.closeGracefully(LIMIT, 0);
    run(channel, () -> {});
    assertEquals(List.of("active", "inactive"), recorder.events);
    assertTrue(channel.closeFuture().isSuccess());
  }

  @Test
  void closeInsideARead() throws Exception {
    needsSockets();
    Recorder recorder =
        new Recorder() {
          @Override
          public void channelRead(HandlerContext context, Object message) throws Exception {
            context.close();
            super.channelRead(context, message);
          }
        };
    ServerSocket peer = rawListen();
    connect(peer.getLocalSocketAddress(), DEFAULT.withReadSize(64, 64), recorder);
    Socket socket = rawAccept(peer);
    socket.getOutputStream().write(new byte[640]);
    Recorder.await(recorder.inactive);
    eventually("one buffer and no more", () -> recorder.received == 64);
  }

  @Test
  void handlerThatClosesInItsLoopFinishesTheLoopBeforeItIsRemoved() throws Exception {
    Recorder decoder =
        new Recorder() {
          @Override
          public void channelRead(HandlerContext context, Object message) throws Exception {
            ((ByteBuf) message).release();
            for (int i = 0; i < 3; i++) {
              events.add("message");
              context.close();
            }
          }
        };
    ServerSocket peer = rawListen();
    connect(peer.getLocalSocketAddress(), DEFAULT, decoder);
    rawAccept(peer).getOutputStream().write(1);
    Recorder.await(decoder.inactive);
    assertEquals(List.of("active", "message", "message", "message", "inactive"), decoder.events);
  }

  @Test
  void writesWithoutPromiseThatAreLostAreReportedByOneEvent() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    run(
        channel,
        () -> {
          channel.write(ByteBuf.utf8("a"));
          channel.write(ByteBuf.utf8("b"));
          channel.close();
        });
    Recorder.await(recorder.inactive);
    assertEquals(List.of("active", "exception", "inactive"), recorder.events);
  }

  @Test
  void closeInsideActive() throws Exception {
    Recorder recorder =
        new Recorder() {
          @Override
          public void channelActive(HandlerContext context) throws Exception {
            super.channelActive(context);
            context.close();
          }
        };
    Channel server = listen(DEFAULT, channel -> channel.pipeline().addLast(recorder));
    assertEquals(-1, rawConnect(server).getInputStream().read());
    Recorder.await(recorder.inactive);
    assertEquals(List.of("active", "inactive"), recorder.events);
  }

  @Test
  void closeInsideAListenerOfAWrite() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    Socket socket = rawAccept(peer);
    Promise<Void> first = channel.loop().newPromise();
    Promise<Void> third = channel.loop().newPromise();
    first.onComplete(_ -> channel.close());
    run(
        channel,
        () -> {
          // One gathering write sends all three messages. The listener of the first runs before the
          // other two are completed.
          channel.write(ByteBuf.utf8("a"), first);
          channel.write(ByteBuf.utf8("b"));
          channel.write(ByteBuf.utf8("c"), third);
          channel.flush();
        });
    Recorder.await(recorder.inactive);
    assertEquals("abc", new String(socket.getInputStream().readAllBytes()));
    assertTrue(third.isDone());
    assertEquals(List.of(), recorder.failures);
  }

  @Test
  void writeAndFlushInsideAListenerOfAWrite() throws Exception {
    ServerSocket peer = rawListen();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, new Recorder());
    Socket socket = rawAccept(peer);
    run(channel, () -> countDown(channel, 1000));
    assertEquals(1000, socket.getInputStream().readNBytes(1000).length);
  }

  private static void countDown(Channel channel, int left) {
    if (left > 0) {
      Promise<Void> promise = channel.loop().newPromise();
      promise.onComplete(_ -> countDown(channel, left - 1));
      channel.writeAndFlush(ByteBuf.utf8("x"), promise);
    }
  }

  @Test
  void closeInsideWritabilityChanged() throws Exception {
    Recorder recorder =
        new Recorder() {
          @Override
          public void channelWritabilityChanged(HandlerContext context) {
            super.channelWritabilityChanged(context);
            context.close();
          }
        };
    ServerSocket peer = rawListen();
    Channel channel =
        connect(peer.getLocalSocketAddress(), DEFAULT.withWaterMarks(10, 10), recorder);
    Promise<Void> promise = channel.loop().newPromise();
    channel.writeAndFlush(ByteBuf.wrap(new byte[100]), promise);
    assertInstanceOf(ClosedChannelException.class, failureOf(promise));
    Recorder.await(recorder.inactive);
    assertEquals(List.of("active", "unwritable", "inactive"), recorder.events);
  }

  @Test
  void closeInsideInputClosedAndException() throws Exception {
    Recorder recorder =
        new Recorder() {
          @Override
          public void channelInputClosed(HandlerContext context) {
            super.channelInputClosed(context);
            context.close();
          }

          @Override
          public void exceptionCaught(HandlerContext context, Throwable cause) {
            super.exceptionCaught(context, cause);
            context.writeAndFlush(ByteBuf.utf8("nobody reads this"));
            context.close();
          }
        };
    ServerSocket peer = rawListen();
    connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    rawAccept(peer).close();
    Recorder.await(recorder.inactive);
    Recorder second =
        new Recorder() {
          @Override
          public void exceptionCaught(HandlerContext context, Throwable cause) {
            recorder.exceptionCaught(context, cause);
          }
        };
    connect(peer.getLocalSocketAddress(), DEFAULT, second);
    reset(rawAccept(peer));
    Recorder.await(second.inactive);
    assertEquals(1, recorder.failures.size());
  }

  @Test
  void handlersThatThrowWhileClosingDoNotKeepItOpen() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder =
        new Recorder() {
          @Override
          public void channelInactive(HandlerContext context) {
            super.channelInactive(context);
            throw new IllegalStateException("on purpose");
          }

          @Override
          public void handlerRemoved(HandlerContext context) {
            throw new IllegalStateException("on purpose, too");
          }
        };
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    channel.close();
    await(channel.closeFuture());
    Recorder.await(recorder.inactive);
  }

  @Test
  void closedFromTheLoopOfAnotherChannel() throws Exception {
    Channel server = listen(DEFAULT, channel -> channel.pipeline().addLast(new Echo()));
    Recorder first = new Recorder();
    Recorder second = new Recorder();
    Channel one = connect(server, DEFAULT, first);
    Channel two = connect(server, DEFAULT, second);
    CountDownLatch closed = new CountDownLatch(2);
    one.closeFuture().onComplete(_ -> closed.countDown());
    two.closeFuture().onComplete(_ -> closed.countDown());
    run(one, two::close);
    run(two, one::close);
    Recorder.await(closed);
  }

  @Test
  void endOfTheGroupClosesItsChannels() throws Exception {
    Recorder recorder = new Recorder();
    ServerSocket peer = rawListen();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    Promise<Void> promise = channel.loop().newPromise();
    channel.write(ByteBuf.utf8("never flushed"), promise);
    run(channel, () -> {});
    group.close();
    assertEquals(List.of("active", "inactive"), recorder.events);
    assertTrue(promise.isDone());
    assertTrue(channel.closeFuture().isSuccess());
    channel.write(ByteBuf.utf8("nothing happens"));
    Promise<Void> late = channel.loop().newPromise();
    channel.write(ByteBuf.utf8("nothing happens"), late);
    assertInstanceOf(ClosedChannelException.class, failureOf(late));
  }
}

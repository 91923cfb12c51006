package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.Pause;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Reading resumes when no pause is held.
abstract class PauseTests extends TransportTest {

  @Test
  void everyPauseHasToBeClosed() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    Socket socket = rawAccept(peer);
    Pause first = channel.pauseReading("first");
    Pause second = channel.pauseReading("second");
    run(channel, () -> assertEquals(List.of("second", "first"), channel.pauses()));
    socket.getOutputStream().write("x".getBytes());
    first.close();
    first.close();
    assertTrue(call(channel.loop(), channel::isReadingPaused));
    assertEquals(List.of("second"), call(channel.loop(), channel::pauses));
    assertEquals(0, recorder.received);
    second.close();
    eventually("the byte", () -> recorder.received == 1);
    assertFalse(call(channel.loop(), channel::isReadingPaused));
  }

  @Test
  void initializerMayPause() throws Exception {
    Recorder recorder = new Recorder();
    CountDownLatch accepted = new CountDownLatch(1);
    Channel[] end = new Channel[1];
    Pause[] pause = new Pause[1];
    Channel server =
        listen(
            DEFAULT,
            channel -> {
              pause[0] = channel.pauseReading("test");
              channel.pipeline().addLast(recorder);
              end[0] = channel;
              accepted.countDown();
            });
    Socket socket = rawConnect(server);
    socket.getOutputStream().write("x".getBytes());
    Recorder.await(accepted);
    Recorder.await(recorder.active);
    run(end[0], () -> {});
    assertEquals(0, recorder.received);
    pause[0].close();
    eventually("the byte", () -> recorder.received == 1);
  }

  @Test
  void pausingInsideAReadLetsNoFurtherBufferThrough() throws Exception {
    needsSockets();
    AtomicInteger reads = new AtomicInteger();
    AtomicReference<Pause> pause = new AtomicReference<>();
    Recorder recorder =
        new Recorder() {
          @Override
          public void channelRead(HandlerContext context, Object message) throws Exception {
            reads.incrementAndGet();
            pause.set(context.channel().pauseReading("test"));
            super.channelRead(context, message);
          }
        };
    ServerSocket peer = rawListen();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT.withReadSize(64, 64), recorder);
    Socket socket = rawAccept(peer);
    socket.getOutputStream().write(new byte[640]);
    for (int i = 1; i <= 10; i++) {
      int expected = i;
      eventually("read " + i, () -> recorder.received == expected * 64L);
      run(channel, () -> {});
      assertEquals(i, reads.get());
      pause.get().close();
    }
  }

  @Test
  void resumingInsideAReadContinuesInOrderWithoutNesting() throws Exception {
    int[] depth = new int[1];
    int[] deepest = new int[1];
    Recorder recorder =
        new Recorder() {
          @Override
          public void channelRead(HandlerContext context, Object message) throws Exception {
            deepest[0] = Math.max(deepest[0], ++depth[0]);
            Pause pause = context.channel().pauseReading("test");
            super.channelRead(context, message);
            pause.close();
            depth[0]--;
          }
        };
    ServerSocket peer = rawListen();
    connect(peer.getLocalSocketAddress(), DEFAULT.withReadSize(64, 64), recorder);
    Socket socket = rawAccept(peer);
    socket.getOutputStream().write(Payloads.bytes(0, 100_000));
    eventually("all", () -> recorder.received == 100_000);
    assertEquals(1, deepest[0]);
    byte[] bytes = recorder.bytes();
    for (int i = 0; i < bytes.length; i++) {
      assertEquals(Payloads.at(i), bytes[i]);
    }
  }

  @Test
  void thePeersEndWaitsToo() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    Socket socket = rawAccept(peer);
    Pause pause = channel.pauseReading("test");
    run(channel, () -> {});
    socket.getOutputStream().write("x".getBytes());
    socket.close();
    run(channel, () -> {});
    assertEquals(List.of("active"), recorder.events);
    pause.close();
    Recorder.await(recorder.inactive);
    assertEquals("x", recorder.text());
  }

  @Test
  void writingContinuesWhileReadingIsPaused() throws Exception {
    ServerSocket peer = rawListen();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, new Recorder());
    Socket socket = rawAccept(peer);
    channel.pauseReading("test");
    channel.writeAndFlush(ByteBuf.wrap(new byte[1 << 20]));
    assertEquals(1 << 20, socket.getInputStream().readNBytes(1 << 20).length);
  }
}

package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Calls of other threads on a channel.
abstract class OffLoopTests extends TransportTest {

  @Test
  void producerThatObeysIsWritableStopsWhileTheLoopIsBusy() throws Exception {
    ServerSocket peer = rawListen();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, new Recorder());
    Socket socket = rawAccept(peer);
    CountDownLatch busy = new CountDownLatch(1);
    channel
        .loop()
        .execute(() -> {
          try {
            busy.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    int written = 0;
    while (channel.isWritable() && written < 1000) {
      channel.writeAndFlush(ByteBuf.wrap(new byte[8 << 10]));
      written++;
    }
    busy.countDown();
    assertTrue(written <= 9, written + " messages of 8 KiB beyond a mark of 64 KiB");
    assertEquals(
        written * (8 << 10), socket.getInputStream().readNBytes(written * (8 << 10)).length);
    eventually("writable", channel::isWritable);
  }

  @Test
  void manyThreadsWriteAndTheirOrderIsKept() throws Exception {
    ServerSocket peer = rawListen();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, new Recorder());
    Socket socket = rawAccept(peer);
    int threads = 4;
    int messages = 5000;
    for (int t = 0; t < threads; t++) {
      int thread = t;
      Thread.ofPlatform()
          .start(() -> {
            for (int i = 0; i < messages; i++) {
              byte[] bytes = {(byte) thread, (byte) i};
              channel.write(ByteBuf.wrap(bytes));
              if (i % 7 == 0) {
                channel.flush();
              }
            }
            channel.flush();
          });
    }
    byte[] all = socket.getInputStream().readNBytes(threads * messages * 2);
    byte[] next = new byte[threads];
    for (int i = 0; i < all.length; i += 2) {
      assertEquals(next[all[i]]++, all[i + 1]);
    }
  }

  @Test
  void addressReadBeforeTheConnectIsNotKept() throws Exception {
    assumeTcp();
    ServerSocket peer = rawListen();
    AtomicReference<Channel> early = new AtomicReference<>();
    Recorder recorder =
        new Recorder() {
          @Override
          public void handlerAdded(dev.quickwater.channel.HandlerContext context) {
            early.set(context.channel());
            context.channel().localAddress();
          }
        };
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    Socket socket = rawAccept(peer);
    assertEquals(channel, early.get());
    assertEquals(socket.getPort(), ((InetSocketAddress) address(channel)).getPort());
  }
}

package dev.quickwater.io.linux;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.CompositeByteBuf;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.common.Future;
import dev.quickwater.common.VirtualClock;
import dev.quickwater.io.posix.gate.Errno;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A channel on epoll whose kernel takes little, refuses often and wakes for nothing.
final class ScriptedKernelTest {

  private final ScriptedKernel kernel = new ScriptedKernel();
  private final VirtualClock clock = new VirtualClock();
  private EpollPoller poller;
  private EventLoop loop;
  private ServerSocket server;
  private Socket peer;
  private Channel channel;
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();

  @BeforeEach
  void connect() throws Exception {
    poller = EpollPoller.open(kernel);
    loop = EventLoop.stepped(poller, clock);
    loop.step();
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    channel = open();
    peer = server.accept();
    peer.setSoTimeout(10_000);
  }

  private Channel open() throws Exception {
    Future<Channel> opening =
        new ClientBootstrap(loop, ChannelSettings.DEFAULT, c -> c.pipeline().addLast(new Collect()))
            .connect(server.getLocalSocketAddress());
    for (int i = 0; i < 1000 && !opening.isDone(); i++) {
      loop.step();
    }
    return opening.await(Duration.ZERO);
  }

  private final class Collect implements ChannelHandler {
    @Override
    public void channelRead(HandlerContext context, Object message) {
      ByteBuf buffer = (ByteBuf) message;
      received.writeBytes(buffer.readBytes(buffer.readableBytes()));
      buffer.release();
    }
  }

  @AfterEach
  void close() throws IOException {
    channel.close();
    loop.endStepped();
    peer.close();
    server.close();
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private byte[] stepUntilSent(int length) throws IOException {
    for (int i = 0; i < 2_000_000 && channel.pendingBytes() > 0; i++) {
      loop.step();
    }
    for (int i = 0; i < 1000 && peer.getInputStream().available() < length; i++) {
      loop.step();
    }
    return peer.getInputStream().readNBytes(length);
  }

  private void writeInPieces(byte[] all) {
    Random random = new Random(1);
    for (int from = 0; from < all.length; ) {
      int length = Math.min(all.length - from, random.nextInt(300));
      ByteBuf heap = ByteBuf.wrap(all, from, length);
      switch (random.nextInt(3)) {
        case 0 -> channel.write(heap);
        case 1 -> channel.write(loop.allocator().allocate(length).writeBytes(all, from, length));
        default -> channel.write(CompositeByteBuf.of(ByteBuf.wrap(), heap));
      }
      from += length;
      if (random.nextInt(10) == 0) {
        channel.flush();
      }
    }
    channel.flush();
  }

  @Test
  void kernelThatTakesAFewBytesAtATime() throws Exception {
    kernel.maxBytes = 7;
    byte[] all = random(30_000);
    writeInPieces(all);
    assertArrayEquals(all, stepUntilSent(all.length));
  }

  @Test
  void kernelThatWouldBlockMostOfTheTime() throws Exception {
    kernel.takeEvery = 5;
    kernel.maxBytes = 1000;
    byte[] all = random(200_000);
    writeInPieces(all);
    assertArrayEquals(all, stepUntilSent(all.length));
  }

  @Test
  void partialSendfileGoesOnWhereItStopped(@TempDir Path folder) throws Exception {
    kernel.maxBytes = 11;
    kernel.takeEvery = 2;
    byte[] all = random(5000);
    Path file = Files.write(folder.resolve("file"), all);
    channel.write(new FileRegion(loop.openFile(file), 0, all.length));
    channel.writeAndFlush(ByteBuf.wrap(new byte[] {1}));
    byte[] sent = stepUntilSent(all.length + 1);
    assertArrayEquals(all, java.util.Arrays.copyOf(sent, all.length));
    assertEquals(1, sent[all.length]);
  }

  @Test
  void interruptedWaitIsTriedAgain() throws Exception {
    kernel.next("epollWait", -Errno.EINTR, -Errno.EINTR, -Errno.EINTR);
    peer.getOutputStream().write("hello".getBytes());
    int before = kernel.waits;
    for (int i = 0; i < 1000 && received.size() < 5; i++) {
      loop.step();
    }
    assertEquals("hello", received.toString());
    assertTrue(kernel.waits - before >= 4);
  }

  @Test
  void spuriousReadinessIsHarmless() throws Exception {
    kernel.spuriousMask = 1 | 4;
    kernel.spuriousData = kernel.latestData;
    for (int i = 0; i < 50; i++) {
      loop.step();
    }
    assertTrue(channel.isActive());
    assertEquals(0, received.size());
  }

  @Test
  void storedEventOfAClosedChannelReachesNoChannel() throws Exception {
    long stale = kernel.latestData;
    channel.close();
    channel = open(); // in the slot, and most likely on the descriptor, of the first
    try (Socket second = server.accept()) {
      assertEquals((int) stale, (int) kernel.latestData, "the same slot");
      kernel.spuriousMask = 16; // a hang-up, which would end the wrong channel
      kernel.spuriousData = stale;
      for (int i = 0; i < 50; i++) {
        loop.step();
      }
      assertTrue(channel.isActive());
      assertTrue(second.isConnected());
    }
  }

  @Test
  void errorOfAReadIsReportedOnce() {
    kernel.spuriousMask = 1;
    kernel.spuriousData = kernel.latestData;
    kernel.next("recv", -Errno.ETIMEDOUT);
    loop.step();
    assertEquals(dev.quickwater.channel.ChannelState.CLOSED, channel.state());
    loop.step();
  }

  @Test
  void pollerThatFailsToOpenClosesItsDescriptors() throws Exception {
    kernel.next("eventfd", -Errno.EMFILE);
    long before = descriptors();
    assertThrows(IOException.class, () -> EpollPoller.open(kernel));
    assertEquals(before, descriptors());
    kernel.next("listen", -Errno.EADDRINUSE);
    assertThrows(
        java.net.BindException.class,
        () ->
            poller.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                ChannelSettings.DEFAULT));
    assertEquals(before, descriptors());
  }

  @Test
  void fileThatCannotBeOpenedFailsAsAFile(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "content");
    kernel.next("open", -Errno.EACCES, -Errno.EMFILE);
    assertThrows(AccessDeniedException.class, () -> poller.openFile(file));
    FileSystemException e = assertThrows(FileSystemException.class, () -> poller.openFile(file));
    assertEquals(file + ": too many open files, see ulimit -n (EMFILE)", e.getMessage());
  }

  private static long descriptors() throws IOException {
    try (var entries = Files.list(Path.of("/proc/self/fd"))) {
      return entries.count();
    }
  }
}

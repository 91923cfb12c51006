package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.FileSource;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.channel.DatagramBootstrap;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.ServerBootstrap;
import dev.quickwater.common.Promise;
import dev.quickwater.io.posix.DescriptorMessage;
import dev.quickwater.io.posix.OwnedDescriptor;
import dev.quickwater.io.posix.PosixSocketOptions;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Passing descriptors over Unix sockets. After each test no descriptor may be left open.
abstract class DescriptorTests extends TransportTest {

  private static final ChannelSettings UNIX = ChannelSettings.UNIX;
  private static final ChannelSettings RECEIVING =
      UNIX.withOption(PosixSocketOptions.MAX_DESCRIPTORS, 16);

  @TempDir Path folder;

  /// Keeps the bytes of all messages, and the messages with descriptors.
  private static final class Collector extends Recorder {
    final List<DescriptorMessage> messages = new CopyOnWriteArrayList<>();

    @Override
    public void channelRead(HandlerContext context, Object message) throws Exception {
      if (message instanceof DescriptorMessage descriptors) {
        super.channelRead(context, descriptors.content());
        messages.add(descriptors);
      } else {
        super.channelRead(context, message);
      }
    }
  }

  private OwnedDescriptor file(String content) throws IOException {
    return OwnedDescriptor.open(Files.writeString(folder.resolve(content), content));
  }

  private List<OwnedDescriptor> files(int number) throws IOException {
    List<OwnedDescriptor> files = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      files.add(file("content"));
    }
    return files;
  }

  private Channel pair(ChannelSettings settings, ChannelHandler receiver) throws Exception {
    AtomicReference<Channel> accepted = new AtomicReference<>();
    ServerBootstrap bootstrap =
        new ServerBootstrap(
            group,
            settings,
            channel -> {
              keep(channel);
              channel.pipeline().addLast(receiver);
              accepted.set(channel);
            });
    Channel server = keep(await(bootstrap.listen(family().freeAddress())));
    Channel client = connect(address(server), UNIX, new Recorder());
    eventually("the accepted end", () -> accepted.get() != null);
    return client;
  }

  private static Promise<Void> write(Channel channel, Object message) {
    Promise<Void> promise = channel.loop().newPromise();
    channel.writeAndFlush(message, promise);
    return promise;
  }

  private static String read(FileSource file) throws IOException {
    try (file) {
      ByteBuf target = dev.quickwater.buffer.ByteBufAllocator.shared().allocate(100);
      file.read(0, target, 100);
      String text = target.readUtf8(target.readableBytes());
      target.release();
      return text;
    }
  }

  @Test
  void fileThatIsPassedCanBeReadAndIsClosedByItsSender() throws Exception {
    Collector collector = new Collector();
    Channel client = pair(RECEIVING, collector);
    OwnedDescriptor mine = file("content of the file");
    await(write(client, new DescriptorMessage(ByteBuf.utf8("take this"), List.of(mine))));
    eventually("the descriptor", () -> collector.messages.size() == 1);
    assertFalse(mine.isOpen());
    DescriptorMessage message = collector.messages.getFirst();
    assertFalse(message.truncated());
    assertEquals("content of the file", read(message.descriptors().getFirst().toFile()));
    eventually("the bytes", () -> collector.text().equals("take this"));
    message.closeAttachment();
  }

  @Test
  void bytesKeepTheirOrderAndDescriptorsComeWithTheFirstByteOfTheirMessage() throws Exception {
    Collector collector = new Collector();
    Channel client = pair(RECEIVING, collector);
    OwnedDescriptor first = file("first");
    OwnedDescriptor second = file("second");
    run(
        client,
        () -> {
          client.write(ByteBuf.utf8("before "));
          client.write(new DescriptorMessage(ByteBuf.utf8("one "), List.of(first)));
          client.write(ByteBuf.utf8("between "));
          client.write(new DescriptorMessage(ByteBuf.wrap(new byte[300_000]), List.of(second)));
          client.write(ByteBuf.utf8("after"));
          client.flush();
        });
    int all = "before one between after".length() + 300_000;
    eventually("all bytes", () -> collector.received == all);
    assertTrue(collector.text().startsWith("before one between \0"), "order");
    assertTrue(collector.text().endsWith("\0after"), "order");
    assertEquals(2, collector.messages.size());
    assertEquals("first", read(collector.messages.get(0).descriptors().getFirst().toFile()));
    assertEquals("second", read(collector.messages.get(1).descriptors().getFirst().toFile()));
  }

  @Test
  void descriptorsThatAreNotExpectedAreClosedAndTheirBytesArrive() throws Exception {
    Recorder recorder = new Recorder();
    Channel client = pair(UNIX, recorder);
    long before = Baseline.openDescriptors();
    for (int i = 0; i < 20; i++) {
      await(write(client, new DescriptorMessage(ByteBuf.utf8("x"), files(10))));
    }
    eventually("the bytes", () -> recorder.received == 20);
    eventually("descriptors", () -> Baseline.openDescriptors() <= before);
    assertEquals(List.of(), recorder.failures);
  }

  @Test
  void moreDescriptorsThanTheLimitAreCutAndReported() throws Exception {
    Collector collector = new Collector();
    Channel client = pair(UNIX.withOption(PosixSocketOptions.MAX_DESCRIPTORS, 3), collector);
    await(write(client, new DescriptorMessage(ByteBuf.utf8("x"), files(20))));
    eventually("the message", () -> collector.messages.size() == 1);
    DescriptorMessage message = collector.messages.getFirst();
    assertTrue(message.truncated());
    assertEquals(3, message.descriptors().size());
    message.closeAttachment();
  }

  @Test
  void asManyDescriptorsAsTheKernelPassesArriveInOrder() throws Exception {
    int most = DescriptorMessage.MAX_DESCRIPTORS;
    Collector collector = new Collector();
    Channel client = pair(UNIX.withOption(PosixSocketOptions.MAX_DESCRIPTORS, most), collector);
    await(write(client, new DescriptorMessage(ByteBuf.utf8("x"), files(most))));
    eventually("the message", () -> collector.messages.size() == 1);
    DescriptorMessage message = collector.messages.getFirst();
    assertEquals(most, message.descriptors().size());
    assertFalse(message.truncated());
    message.closeAttachment();
    List<OwnedDescriptor> tooMany = files(most + 1);
    assertThrows(
        IllegalArgumentException.class, () -> new DescriptorMessage(ByteBuf.utf8("x"), tooMany));
    tooMany.forEach(OwnedDescriptor::close);
  }

  @Test
  void messageThatNoHandlerTakesIsClosed() throws Exception {
    Channel client = pair(RECEIVING, new ChannelHandler() {});
    await(write(client, new DescriptorMessage(ByteBuf.utf8("x"), files(5))));
  }

  @Test
  void messagesThatAreNotSentAreClosed() throws Exception {
    Channel client = pair(RECEIVING, new Recorder());
    Promise<Void> cancelled = client.loop().newPromise();
    Promise<Void> lost = client.loop().newPromise();
    DescriptorMessage first = new DescriptorMessage(ByteBuf.utf8("x"), files(2));
    DescriptorMessage second = new DescriptorMessage(ByteBuf.utf8("x"), files(2));
    run(
        client,
        () -> {
          client.write(first, cancelled);
          cancelled.cancel();
          client.flush();
          client.write(second, lost);
          client.close();
        });
    failureOf(lost);
    run(client, () -> {}); // the turn that failed the promise has released the messages
    assertFalse(first.descriptors().getFirst().isOpen());
    assertFalse(second.descriptors().getFirst().isOpen());
  }

  @Test
  void streamRefusesDescriptorsWithoutAByte() throws Exception {
    Channel client = pair(RECEIVING, new Recorder());
    Throwable cause = failureOf(write(client, new DescriptorMessage(ByteBuf.wrap(), files(1))));
    assertInstanceOf(IllegalArgumentException.class, cause);
  }

  @Test
  void otherTransportsRefuseDescriptorsAndCloseThem() throws Exception {
    Channel server =
        keep(
            await(
                new ServerBootstrap(group, DEFAULT, this::keep)
                    .listen(AddressFamily.TCP.freeAddress())));
    Channel tcp =
        keep(await(new ClientBootstrap(group, DEFAULT, _ -> {}).connect(address(server))));
    OwnedDescriptor descriptor = file("x");
    Throwable cause =
        failureOf(write(tcp, new DescriptorMessage(ByteBuf.utf8("x"), List.of(descriptor))));
    assertInstanceOf(UnsupportedOperationException.class, cause);
    assertFalse(descriptor.isOpen());
  }

  @Test
  void ownedDescriptorRefusesUseAfterItsEnd() throws Exception {
    OwnedDescriptor descriptor = file("x");
    OwnedDescriptor other = descriptor.transfer();
    assertThrows(IllegalStateException.class, descriptor::number);
    descriptor.close();
    assertTrue(other.isOpen());
    other.close();
    other.close();
    assertThrows(IllegalStateException.class, other::take);
    assertThrows(IllegalStateException.class, other::toFile);
    assertThrows(IllegalArgumentException.class, () -> OwnedDescriptor.adopt(-1));
  }

  @Test
  void connectionMovesToAnotherProcessAsAChannel() throws Exception {
    ServerSocket peer = track(new ServerSocket(0, 1, LOOPBACK));
    Channel given =
        await(
            new ClientBootstrap(group, DEFAULT, this::keep).connect(peer.getLocalSocketAddress()));
    Socket socket = track(peer.accept());
    Collector collector = new Collector();
    Channel client = pair(RECEIVING, collector);
    OwnedDescriptor copy = call(given.loop(), () -> OwnedDescriptor.duplicateOf(given));
    await(write(client, new DescriptorMessage(ByteBuf.utf8("x"), List.of(copy))));
    given.close();
    eventually("the message", () -> collector.messages.size() == 1);
    OwnedDescriptor mine = collector.messages.getFirst().descriptors().getFirst();
    Recorder recorder = new Recorder();
    Channel taken =
        keep(
            await(
                new ClientBootstrap(group, DEFAULT, c -> c.pipeline().addLast(recorder))
                    .connect(mine.asAddress())));
    assertFalse(mine.isOpen());
    assertEquals(peer.getLocalSocketAddress(), taken.remoteAddress());
    taken.writeAndFlush(ByteBuf.utf8("hello"));
    assertEquals("hello", new String(socket.getInputStream().readNBytes(5)));
    socket.getOutputStream().write("back".getBytes());
    eventually("the answer", () -> recorder.text().equals("back"));
  }

  @Test
  void listeningSocketMovesToAnotherChannelAndKeepsAccepting() throws Exception {
    Channel first = listen(UNIX, channel -> channel.pipeline().addLast(new Echo()));
    OwnedDescriptor copy = call(first.loop(), () -> OwnedDescriptor.duplicateOf(first));
    java.net.SocketAddress address = address(first);
    first.close();
    await(first.closeFuture());
    Channel second =
        keep(
            await(
                new ServerBootstrap(
                        group,
                        UNIX,
                        channel -> {
                          keep(channel);
                          channel.pipeline().addLast(new Echo());
                        })
                    .listen(copy.asAddress())));
    assertEquals(address, second.localAddress());
    Recorder recorder = new Recorder();
    connect(address, UNIX, recorder).writeAndFlush(ByteBuf.utf8("hello"));
    eventually("the echo", () -> recorder.text().equals("hello"));
  }

  /// The duplicate keeps the socket open, and the kernel keeps reporting its events.
  @Test
  void closedChannelWithADuplicateDoesNotOccupyItsLoop() throws Exception {
    ServerSocket peer = rawListen();
    Channel given = connect(peer.getLocalSocketAddress(), UNIX, new Recorder());
    Socket socket = rawAccept(peer);
    EventLoop loop = given.loop();
    try (OwnedDescriptor copy = call(loop, () -> OwnedDescriptor.duplicateOf(given))) {
      given.close();
      await(given.closeFuture());
      socket.getOutputStream().write(1); // the socket that the loop has left is readable
      assertTrue(turnsOfAnIdleLoop(loop) < 100);
      Channel taken =
          keep(await(new ClientBootstrap(loop, UNIX, _ -> {}).connect(copy.asAddress())));
      OwnedDescriptor further = call(loop, () -> OwnedDescriptor.duplicateOf(taken));
      taken.close();
      await(taken.closeFuture());
      assertTrue(turnsOfAnIdleLoop(loop) < 100);
      further.close();
    }
  }

  /// The number of turns of the loop in 50 ms.
  private static long turnsOfAnIdleLoop(EventLoop loop) throws Exception {
    Promise<Long> promise = loop.newPromise();
    loop.execute(() -> {
      long before = loop.metrics().turns();
      loop.schedule(
          () -> promise.trySuccess(loop.metrics().turns() - before), Duration.ofMillis(50));
    });
    return await(promise);
  }

  @Test
  void descriptorOfTheWrongKindStaysOpenAndIsNamed() throws Exception {
    OwnedDescriptor file = file("x");
    Throwable listen =
        failureOf(new ServerBootstrap(group, UNIX, _ -> {}).listen(file.asAddress()));
    Throwable connect =
        failureOf(new ClientBootstrap(group, UNIX, _ -> {}).connect(file.asAddress()));
    assertTrue(listen.getMessage().contains("descriptor " + file.number()), listen.getMessage());
    assertInstanceOf(IOException.class, connect);
    file.close();
  }

  @Test
  void receivedFileIsSentToAnotherPeer() throws Exception {
    ServerSocket peer = rawListen();
    Channel channel = connect(peer.getLocalSocketAddress(), UNIX, new Recorder());
    Socket socket = rawAccept(peer);
    FileSource source = file("by sendfile").toFile();
    await(write(channel, new FileRegion(source, 0, source.size())));
    assertEquals("by sendfile", new String(socket.getInputStream().readNBytes(11)));
  }

  @Test
  void datagramsCarryDescriptorsAndTheirSender() throws Exception {
    Collector collector = new Collector();
    Channel receiver =
        keep(
            await(
                new DatagramBootstrap(group, RECEIVING, c -> c.pipeline().addLast(collector))
                    .bind(UnixPaths.free())));
    Channel sender =
        keep(await(new DatagramBootstrap(group, UNIX, _ -> {}).bind(UnixTest.freeName())));
    DescriptorMessage message =
        new DescriptorMessage(ByteBuf.utf8("x"), files(2), address(receiver));
    await(write(sender, message));
    eventually("the message", () -> collector.messages.size() == 1);
    DescriptorMessage arrived = collector.messages.getFirst();
    assertEquals(2, arrived.descriptors().size());
    assertEquals(sender.localAddress(), arrived.remote());
    arrived.closeAttachment();
  }
}

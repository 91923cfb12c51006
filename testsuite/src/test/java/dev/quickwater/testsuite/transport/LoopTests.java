package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.LoopSettings;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Loops and their threads.
abstract class LoopTests extends TransportTest {

  @Test
  void twoHundredGroupsLeaveNothingBehind() throws Exception {
    long threads = Thread.getAllStackTraces().keySet().stream().filter(LoopTests::ours).count();
    long descriptors = Baseline.openDescriptors();
    for (int i = 0; i < 200; i++) {
      try (EventLoopGroup brief = EventLoopGroup.create(new LoopSettings(2, transport()))) {
        brief.next().execute(() -> {});
      }
    }
    eventually(
        "threads back at " + threads,
        () ->
            Thread.getAllStackTraces().keySet().stream().filter(LoopTests::ours).count()
                <= threads);
    eventually(
        "descriptors back at " + descriptors, () -> Baseline.openDescriptors() <= descriptors);
  }

  private static boolean ours(Thread thread) {
    return thread.getName().startsWith("quickwater-");
  }

  @Test
  void aLoopThatIsClosedTwiceOrFromInsideEnds() throws Exception {
    EventLoopGroup brief = EventLoopGroup.create(new LoopSettings(1, transport()));
    dev.quickwater.common.Promise<Void> seen = brief.next().newPromise();
    brief
        .next()
        .execute(() -> {
          brief.close();
          seen.success(null);
        });
    await(seen);
    brief.close();
    brief.close();
    assertThrows(
        java.util.concurrent.RejectedExecutionException.class,
        () -> brief.next().execute(() -> {}));
  }

  @Test
  void contextMethodsAreForTheLoop() throws Exception {
    Channel server = listen(DEFAULT, channel -> channel.pipeline().addLast(new Echo()));
    Recorder recorder = new Recorder();
    Channel channel = connect(server, DEFAULT, recorder);
    HandlerContext context = java.util.Objects.requireNonNull(recorder.context);
    List<Executable> calls =
        List.of(
            context::flush,
            context::close,
            context::shutdownOutput,
            context::fireChannelActive,
            context::fireChannelInactive,
            context::fireChannelReadComplete,
            context::fireChannelInputClosed,
            context::fireChannelWritabilityChanged,
            () -> context.fireUserEvent("x"),
            () -> context.fireChannelRead("x"),
            () -> context.fireExceptionCaught(new Exception()),
            () -> context.write("x"),
            () -> channel.pipeline().addLast(new Recorder()),
            () -> channel.pipeline().remove(recorder),
            () -> channel.pipeline().fireUserEvent("x"),
            () -> channel.getOption(java.net.StandardSocketOptions.TCP_NODELAY),
            () -> channel.loop().allocator().allocate(10));
    for (Executable call : calls) {
      IllegalStateException e = assertThrows(IllegalStateException.class, call);
      assertTrue(
          e.getMessage().contains("loop") || e.getMessage().contains("thread"), e.getMessage());
    }
    assertTrue(channel.isActive());
  }

  @Test
  void waitingOnTheLoopForTheLoopThrows() throws Exception {
    Channel server = listen(DEFAULT, _ -> {});
    Channel channel = connect(server, DEFAULT, new Recorder());
    assertThrows(
        IllegalStateException.class,
        () -> call(channel.loop(), () -> channel.closeFuture().await()));
  }

  @Test
  void closingTheGroupWhileConnectionsComeInLeavesNoneOpen() throws Exception {
    for (int round = 0; round < 10; round++) {
      try (EventLoopGroup brief = EventLoopGroup.create(new LoopSettings(2, transport()))) {
        Channel server =
            await(
                new dev.quickwater.channel.ServerBootstrap(brief, DEFAULT, _ -> {})
                    .listen(anyAddress()));
        dev.quickwater.channel.ClientBootstrap client =
            new dev.quickwater.channel.ClientBootstrap(brief, DEFAULT, _ -> {});
        java.net.SocketAddress address = address(server);
        for (int i = 0; i < 50; i++) {
          client.connect(address);
        }
      }
    }
  }

  /// Connections close and their descriptors get new owners while old events are queued. No channel
  /// may receive an event of another.
  @Test
  void descriptorsThatFindNewOwnersAtOnce() throws Exception {
    needsSockets();
    ChannelSettings settings = DEFAULT.withReadSize(64, 1024);
    Channel server =
        listen(
            settings,
            channel ->
                channel
                    .pipeline()
                    .addLast(
                        new Recorder() {
                          @Override
                          public void channelRead(HandlerContext context, Object message) {
                            int length = ((ByteBuf) message).readableBytes();
                            context.writeAndFlush(message);
                            if (length % 2 == 0) {
                              context.shutdownOutput();
                            }
                          }
                        }));
    List<Thread> clients = new ArrayList<>();
    List<String> wrong = new java.util.concurrent.CopyOnWriteArrayList<>();
    for (int c = 0; c < 8; c++) {
      int number = c;
      // No virtual threads: the JDK keeps extra descriptors for their sockets.
      clients.add(Thread.ofPlatform().start(() -> churn(server, number, wrong)));
    }
    for (Thread client : clients) {
      client.join();
    }
    assertEquals(List.of(), wrong);
    eventually(
        "only the server is left",
        () -> group.loops().stream().mapToInt(loop -> loop.metrics().channels()).sum() == 1);
  }

  private static void churn(Channel server, int number, List<String> wrong) {
    Random random = new Random(number);
    for (int i = 0; i < 300; i++) {
      byte[] mine = (number + ":" + i + ";").getBytes();
      try (Socket socket = new Socket(LOOPBACK, port(server))) {
        socket.setSoTimeout((int) LIMIT.toMillis());
        socket.setSoLinger(true, 0);
        socket.getOutputStream().write(mine);
        if (random.nextBoolean()) {
          byte[] answer = socket.getInputStream().readNBytes(mine.length);
          if (!java.util.Arrays.equals(mine, answer)) {
            wrong.add(new String(mine) + " got " + new String(answer));
          }
        }
      } catch (java.io.IOException e) {
        wrong.add(new String(mine) + " " + e);
      }
    }
  }

  @Test
  void aMessageThatNoTransportWritesIsRefusedClearly() throws Exception {
    needsSockets();
    Channel server = listen(DEFAULT, _ -> {});
    Recorder recorder = new Recorder();
    Channel channel = connect(server, DEFAULT, recorder);
    dev.quickwater.common.Promise<Void> promise = channel.loop().newPromise();
    channel.write("text", promise);
    Throwable cause = assertInstanceOf(UnsupportedOperationException.class, failureOf(promise));
    assertTrue(cause.getMessage().contains("java.lang.String"), cause.getMessage());
    channel.write("text");
    eventually("an exception event", () -> recorder.failures.size() == 1);
    assertTrue(channel.isActive());
  }

  @Test
  void metricsCountTurnsAndBusyTimeAndNotWaiting() throws Exception {
    Channel server = listen(DEFAULT, channel -> channel.pipeline().addLast(new Echo()));
    Recorder recorder = new Recorder();
    Channel channel = connect(server, DEFAULT, recorder);
    long began = System.nanoTime();
    long before = channel.loop().metrics().busyNanos();
    dev.quickwater.common.Promise<Void> later = channel.loop().newPromise();
    channel.loop().schedule(() -> later.success(null), java.time.Duration.ofMillis(300));
    await(later);
    long idle = channel.loop().metrics().busyNanos() - before;
    assertTrue(idle < (System.nanoTime() - began) / 2, idle + " ns busy while idle");
    run(
        channel,
        () -> {
          long until = System.nanoTime() + 50_000_000;
          while (System.nanoTime() < until) {
            Thread.onSpinWait();
          }
        });
    eventually("50 ms more", () -> channel.loop().metrics().busyNanos() - before >= 50_000_000);
  }
}

package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.nio.NioProvider;
import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.ConnectingIo;
import dev.quickwater.channel.spi.IoPoller;
import dev.quickwater.common.ExecutorState;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.common.VirtualClock;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A loop that a host steps.
final class EventLoopTest {

  private final VirtualClock clock = new VirtualClock();
  private EventLoop loop;

  @BeforeEach
  void open() throws Exception {
    loop = EventLoop.stepped(new NioProvider().openPoller(), clock);
    loop.step();
  }

  @AfterEach
  void end() {
    loop.endStepped();
  }

  @Test
  void tasksRunInStepsAndInOrder() {
    List<Integer> ran = new ArrayList<>();
    loop.execute(() -> ran.add(1));
    loop.execute(() -> {
      ran.add(2);
      loop.execute(() -> ran.add(3));
    });
    while (loop.step() > 0) {
      // until nothing is left
    }
    assertEquals(List.of(1, 2, 3), ran);
  }

  @Test
  void timersFollowTheClock() {
    List<String> ran = new ArrayList<>();
    loop.schedule(() -> ran.add("late"), Duration.ofSeconds(2));
    loop.schedule(() -> ran.add("early"), Duration.ofSeconds(1));
    loop.scheduleAtFixedRate(() -> ran.add("tick"), Duration.ofSeconds(1), Duration.ofSeconds(1));
    loop.step();
    assertEquals(List.of(), ran);
    clock.advance(Duration.ofSeconds(1));
    loop.step();
    assertEquals(List.of("early", "tick"), ran);
    clock.advance(Duration.ofSeconds(1));
    loop.step();
    assertEquals(List.of("early", "tick", "late", "tick"), ran);
    assertEquals(clock.nanoTime(), loop.now());
    assertThrows(
        IllegalArgumentException.class,
        () -> loop.scheduleAtFixedRate(() -> {}, Duration.ZERO, Duration.ZERO));
  }

  @Test
  void aSecondThreadMayNotDriveIt() throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread other =
        Thread.ofPlatform()
            .start(() -> {
              try {
                loop.step();
              } catch (Throwable t) {
                failure.set(t);
              }
            });
    other.join();
    assertInstanceOf(IllegalStateException.class, failure.get());
    assertTrue(failure.get().getMessage().contains("driven by"), failure.get().getMessage());
  }

  @Test
  void aVirtualThreadMayNotDriveIt() throws Exception {
    EventLoop fresh = EventLoop.stepped(new NioProvider().openPoller(), clock);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread.startVirtualThread(
            () -> {
              try {
                fresh.step();
              } catch (Throwable t) {
                failure.set(t);
              }
            })
        .join();
    assertInstanceOf(IllegalStateException.class, failure.get());
    fresh.step();
    fresh.endStepped();
  }

  @Test
  void hostsTimeBetweenStepsIsNotBusy() {
    loop.step();
    long before = loop.metrics().busyNanos();
    clock.advance(Duration.ofHours(1));
    loop.step();
    assertEquals(before, loop.metrics().busyNanos());
    loop.execute(() -> clock.advance(Duration.ofSeconds(1)));
    loop.step();
    loop.execute(() -> {});
    long turns = loop.metrics().turns();
    loop.step();
    assertEquals(turns + 1, loop.metrics().turns());
  }

  @Test
  void anEndedLoopTakesNothing() {
    EventLoop other;
    try {
      other = EventLoop.stepped(new NioProvider().openPoller(), clock);
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
    boolean[] ran = new boolean[1];
    other.execute(() -> ran[0] = true);
    other.endStepped();
    assertTrue(ran[0], "what was accepted before the end still runs");
    assertEquals(ExecutorState.ENDED, other.state());
    assertThrows(RejectedExecutionException.class, () -> other.execute(() -> {}));
    assertFalse(other.ended().cause() != null);
  }

  @Test
  void steppedLoopEndsInTheStepAfterAShutdown() {
    List<String> order = new ArrayList<>();
    loop.ended().onComplete(_ -> order.add("ended"));
    loop.submit(() -> order.add("task"));
    Future<Boolean> timer = loop.submit(() -> order.add("timer"), Duration.ofSeconds(1));
    loop.shutdown();
    assertEquals(ExecutorState.STOPPING, loop.state());
    assertEquals(1, loop.step());
    assertEquals(ExecutorState.ENDED, loop.state());
    assertEquals(List.of("task", "ended"), order);
    assertTrue(timer.isCancelled());
    assertEquals(0, loop.step());
    loop.endStepped();
  }

  @Test
  void loopThatIsEndedInsideATaskEndsAfterIt() {
    List<ExecutorState> seen = new ArrayList<>();
    loop.execute(() -> {
      loop.endStepped();
      seen.add(loop.state());
    });
    loop.step();
    loop.step();
    assertEquals(List.of(ExecutorState.STOPPING), seen);
    assertEquals(ExecutorState.ENDED, loop.state());
  }

  @Test
  void whatIsLeftAtTheLimitFails() {
    loop.execute(() -> clock.advance(Duration.ofHours(2)));
    Future<Integer> left = loop.submit(() -> 1);
    loop.shutdown(Duration.ofHours(1));
    loop.step();
    assertInstanceOf(RejectedExecutionException.class, left.cause());
    assertTrue(loop.ended().isSuccess());
  }

  /// Closing channels may queue tasks, such as one that connects again.
  @Test
  void lastTasksStillHaveThePoller() {
    List<String> events = new ArrayList<>();
    IoPoller poller =
        (IoPoller)
            Proxy.newProxyInstance(
                IoPoller.class.getClassLoader(),
                new Class<?>[] {IoPoller.class},
                (_, method, _) -> {
                  events.add(method.getName());
                  return null;
                });
    EventLoop ending = EventLoop.stepped(poller, clock);
    ending.step();
    events.clear();
    ending.ready(() -> ending.execute(() -> events.add("task")));
    ending.endStepped();
    assertEquals(List.of("task", "close"), events);
  }

  @Test
  void loopWhoseHandlerLeftItInterruptedBlocks() throws Exception {
    LoopSettings nio = LoopSettings.DEFAULT.withLoops(1).withTransport("nio");
    try (EventLoopGroup group = EventLoopGroup.create(nio)) {
      EventLoop idle = group.next();
      idle.submit(
              () -> {
                Thread.currentThread().interrupt();
                return true;
              })
          .await(Duration.ofSeconds(30));
      long before = idle.metrics().turns();
      idle.submit(() -> true, Duration.ofMillis(200)).await(Duration.ofSeconds(30));
      long turns = idle.metrics().turns() - before;
      assertTrue(turns < 50, turns + " turns of an idle loop");
    }
  }

  @Test
  void groupEndsAllItsLoops() throws Exception {
    EventLoopGroup group = EventLoopGroup.create(LoopSettings.DEFAULT.withLoops(2));
    Future<Void> ended = group.shutdown(Duration.ofSeconds(5));
    assertFalse(ended.cancel());
    ended.await(Duration.ofSeconds(30));
    group.loops().forEach(each -> assertEquals(ExecutorState.ENDED, each.state()));
    group.close();
  }

  @Test
  void transportThatCannotAttachDoesNotTakeAnotherChannelFromTheLoop() {
    Channel other = new QuietIo().open(loop);
    QuietIo failing =
        new QuietIo() {
          @Override
          public void attach(ChannelEvents events) {
            throw new IllegalStateException("no memory");
          }
        };
    assertThrows(IllegalStateException.class, () -> failing.open(loop));
    loop.step();
    assertEquals(1, loop.metrics().channels());
    loop.endStepped();
    assertFalse(other.isActive());
  }

  @Test
  @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void loopEndsThoughATransportFailsToAbandon() throws Exception {
    EventLoop ending = EventLoop.stepped(new NioProvider().openPoller(), clock);
    ending.step();
    QuietIo failing =
        new QuietIo() {
          @Override
          public int abandon(Throwable cause) {
            throw new IllegalStateException("the transport is broken");
          }
        };
    Channel channel = failing.open(ending);
    ending.endStepped();
    assertTrue(channel.closeFuture().isDone());
    assertEquals(ExecutorState.ENDED, ending.state());
  }

  @Test
  @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void loopEndsThoughAnActionAddsItselfAgain() throws Exception {
    EventLoop ending = EventLoop.stepped(new NioProvider().openPoller(), clock);
    ending.step();
    Runnable[] again = new Runnable[1];
    again[0] = () -> ending.ready(again[0]);
    ending.ready(again[0]);
    ending.endStepped();
    assertEquals(ExecutorState.ENDED, ending.state());
  }

  @Test
  @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void handlerMayStepAndEndItsLoop() throws Exception {
    EventLoop ending = EventLoop.stepped(new NioProvider().openPoller(), clock);
    ending.step();
    Channel channel = new QuietIo().open(ending);
    channel
        .pipeline()
        .addLast(
            new ChannelHandler() {
              @Override
              public void channelInactive(HandlerContext context) {
                ending.endStepped();
                ending.step();
              }
            });
    channel.close();
    ending.step();
    ending.step();
    assertEquals(ExecutorState.ENDED, ending.state());
  }

  /// Opens another channel whenever its channel ends.
  private static final class Successor implements ChannelHandler {
    int opened;
    @Nullable Throwable refused;

    @Override
    public void channelInactive(HandlerContext context) {
      if (opened > 1000) {
        return;
      }
      try {
        open(context.channel().loop());
      } catch (Exception e) {
        refused = e;
      }
    }

    @Override
    public boolean isShareable() {
      return true;
    }

    void open(EventLoop on) throws Exception {
      opened++;
      var _ =
          Channel.open(on, new QuietIo(), ChannelSettings.DEFAULT, c -> c.pipeline().addLast(this));
    }
  }

  @Test
  @Timeout(10)
  void handlerThatOpensAChannelAtEachEndDoesNotKeepTheLoop() throws Exception {
    EventLoop ending = EventLoop.stepped(new IdlePoller(), clock);
    ending.step();
    Successor successor = new Successor();
    successor.open(ending);
    ending.endStepped();
    assertEquals(ExecutorState.ENDED, ending.state());
    assertInstanceOf(RejectedExecutionException.class, successor.refused);
  }

  @Test
  void turnsWorkIsRefusedOnOtherThreads() throws Exception {
    List<Throwable> refused = new ArrayList<>();
    List<Runnable> calls =
        List.of(
            () -> loop.ready(() -> {}), () -> loop.defer(() -> {}), () -> loop.takeUnit(calls()));
    Thread other =
        Thread.ofPlatform()
            .start(() ->
                calls.forEach(
                    call -> refused.add(assertThrows(IllegalStateException.class, call::run))));
    other.join();
    assertEquals(3, refused.size());
  }

  private static Object calls() {
    return new Object();
  }

  /// A transport that connects at once and cannot be read.
  private static final class Unreadable extends QuietIo implements ConnectingIo {
    private @Nullable ChannelEvents events;

    @Override
    public void attach(ChannelEvents receiver) {
      events = receiver;
    }

    @Override
    public void connect(SocketAddress remote, @Nullable SocketAddress local) {
      Objects.requireNonNull(events).connected();
    }

    @Override
    public void startReading() {
      throw new IllegalStateException("cannot be read");
    }
  }

  @Test
  void connectThatCannotStartToReadFailsItsFuture() throws Exception {
    Unreadable io = new Unreadable();
    Channel channel = new Channel(loop, io, ChannelSettings.DEFAULT);
    Promise<Channel> promise = loop.newPromise();
    channel.core().register(_ -> {});
    try {
      channel.core().connect(io, new InetSocketAddress(0), null, promise);
    } catch (IllegalStateException _) {
      // a transport reports what its channel throws as its failure
    }
    loop.step();
    assertTrue(promise.isDone());
    assertEquals("cannot be read", Objects.requireNonNull(promise.cause()).getMessage());
    assertEquals(ChannelState.CLOSED, channel.state());
  }
}

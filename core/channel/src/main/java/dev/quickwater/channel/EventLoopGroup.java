package dev.quickwater.channel;

import dev.quickwater.channel.spi.TransportProvider;
import dev.quickwater.common.Clock;
import dev.quickwater.common.EventExecutor;
import dev.quickwater.common.ExecutorState;
import dev.quickwater.common.Future;
import dev.quickwater.common.LogReadiness;
import dev.quickwater.common.LoopThread;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/// A fixed number of event loops on one transport.
///
/// [#close] ends the loops and closes their channels. A server that should finish its work drains
/// before. Any thread except the group's loops.
public final class EventLoopGroup implements EventLoops, AutoCloseable {

  private static final System.Logger LOG = System.getLogger(EventLoopGroup.class.getName());

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);
  private static final AtomicInteger GROUPS = new AtomicInteger();

  private final List<EventLoop> loops;
  private final TransportChoice transport;
  private final Future<Void> ended;
  private final AtomicInteger turn = new AtomicInteger();

  private EventLoopGroup(TransportChoice transport, List<EventLoop> loops) {
    this.transport = transport;
    this.loops = List.copyOf(loops);
    EventLoop first = loops.getFirst();
    Promise<Void> end = first.newPromise();
    end.claim();
    first.all(loops.stream().map(EventLoop::ended).toList()).onComplete(_ -> end.success(null));
    this.ended = end;
  }

  /// Starts one loop per processor, on the best transport.
  public static EventLoopGroup create() {
    return create(LoopSettings.DEFAULT);
  }

  /// Starts loops with `settings`.
  ///
  /// @throws UnsupportedOperationException if `settings` name a transport that is not usable here;
  ///   the message has the reason
  public static EventLoopGroup create(LoopSettings settings) {
    LogReadiness.prepare();
    TransportChoice choice = TransportChoice.of(settings.transport());
    TransportProvider provider = choice.provider();
    int group = GROUPS.incrementAndGet();
    List<EventLoop> loops = new ArrayList<>();
    try {
      for (int i = 0; i < settings.loops(); i++) {
        String name = "quickwater-" + provider.name() + "-" + group + "-" + (i + 1);
        loops.add(new EventLoop(name, provider.openPoller(), Clock.system()));
      }
    } catch (IOException e) {
      loops.forEach(loop -> loop.poller().close());
      throw new UncheckedIOException("a loop of transport " + provider.name() + " cannot open", e);
    } catch (RuntimeException | Error e) {
      loops.forEach(loop -> loop.poller().close());
      throw e;
    }
    start(loops);
    if (!settings.stallLimit().isZero()) {
      Watchdog.start("quickwater-watchdog-" + group, loops, settings.stallLimit());
    }
    return new EventLoopGroup(choice, loops);
  }

  /// Starts all loops or none: the system may refuse a thread.
  private static void start(List<EventLoop> loops) {
    int started = 0;
    try {
      for (EventLoop loop : loops) {
        loop.start();
        started++;
      }
    } catch (Throwable t) {
      loops.subList(0, started).forEach(EventLoop::shutdown);
      loops.subList(started, loops.size()).forEach(loop -> loop.poller().close());
      throw t;
    }
  }

  /// The next loop, round robin.
  @Override
  public EventLoop next() {
    return loops.size() == 1
        ? loops.get(0)
        : loops.get(Math.floorMod(turn.getAndIncrement(), loops.size()));
  }

  @Override
  public List<EventLoop> loops() {
    return loops;
  }

  /// The transport in use, and the reason for the choice.
  public TransportChoice transport() {
    return transport;
  }

  /// Ends all loops at the same time, within `limit`; see [EventLoop#shutdown].
  ///
  /// @return succeeds when the last has ended
  public Future<Void> shutdown(Duration limit) {
    loops.forEach(loop -> loop.shutdown(limit));
    return ended;
  }

  /// Succeeds when the last loop has ended.
  public Future<Void> ended() {
    return ended;
  }

  /// Ends all loops and waits at most 10 s for them. A loop that has not ended by then is logged.
  /// Does not wait if the caller runs on an event loop of any group.
  @Override
  public void close() {
    Future<Void> ended = shutdown(EventExecutor.SHUTDOWN_LIMIT);
    if (Thread.currentThread() instanceof LoopThread) {
      return;
    }
    try {
      ended.await(CLOSE_LIMIT);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException _) {
      LOG.log(
          System.Logger.Level.WARNING, "after " + CLOSE_LIMIT + " have not ended: " + running());
    }
  }

  private List<EventLoop> running() {
    return loops.stream().filter(loop -> loop.state() != ExecutorState.ENDED).toList();
  }
}

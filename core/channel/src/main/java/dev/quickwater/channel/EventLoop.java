package dev.quickwater.channel;

import dev.quickwater.buffer.AllocatorMetrics;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.FileSource;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.channel.spi.IoPoller;
import dev.quickwater.common.Clock;
import dev.quickwater.common.EventExecutor;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.common.RunQueue;
import dev.quickwater.common.Timer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One platform thread that owns channels, timers and memory, and runs their handlers.
///
/// - It is driven by a thread of its own ([#start]) or stepped by a host ([#step]); the first
///   thread that drives it owns it for good.
/// - A turn is: timers that are due, tasks, then I/O events. Time is read before each of the two
///   halves ([#now]).
/// - Blocking in a handler stops every channel of the loop.
public final class EventLoop implements EventExecutor {

  private static final System.Logger LOG = System.getLogger(EventLoop.class.getName());
  private static final int TASKS_PER_TURN = 4096;

  /// A poller that fails this often without a success in between, for about ten seconds, is broken.
  private static final int MOST_FAILED_POLLS = 1000;

  private static final long POLL_REST = 10_000_000;

  /// A loop to which nothing happens for this long gives memory back that no buffer is in.
  private static final long IDLE = 1_000_000_000;

  private final String name;
  private final IoPoller poller;
  private final RunQueue queue;
  private final LoopAllocator allocator = new LoopAllocator();
  private final Promise<Void> ended;

  private final Runnable awake = this::awake;

  private boolean attached;
  private boolean blocked;
  private int failedPolls;
  private volatile boolean stopping;

  // Written by the loop alone.
  private final AtomicInteger channels = new AtomicInteger();
  private final AtomicLong turns = new AtomicLong();
  private final AtomicLong busyNanos = new AtomicLong();

  /// Up to when [#busyNanos] is counted.
  private long counted;

  EventLoop(String name, IoPoller poller, Clock clock) {
    this.name = name;
    this.poller = poller;
    this.queue = new RunQueue(clock, poller::wakeup);
    this.ended = new Promise<>(this);
    this.counted = queue.now();
  }

  /// A loop on `poller` that a host steps.
  public static EventLoop stepped(IoPoller poller, Clock clock) {
    return new EventLoop("stepped", poller, clock);
  }

  void start() {
    Thread.ofPlatform().name(name).start(this::run);
  }

  private void run() {
    bind();
    try {
      while (!stopping) {
        turn(true);
      }
    } finally {
      end();
    }
  }

  /// Goes round once without blocking; the host's thread owns the loop from the first step on.
  ///
  /// @return how many tasks and timers ran
  public int step() {
    bind();
    queue.awake();
    counted = queue.now();
    return turn(false);
  }

  /// Ends a stepped loop: its channels close, its timers are dropped. On the host's thread, once.
  public void endStepped() {
    bind();
    end();
  }

  private void bind() {
    if (!attached) {
      queue.bind();
      allocator.attach(queue::wake);
      attached = true;
    } else if (!queue.inLoop()) {
      queue.bind();
    }
  }

  private int turn(boolean mayBlock) {
    int ran = queue.runReady(TASKS_PER_TURN);
    long now = queue.now();
    busyNanos.setRelease(busyNanos.getPlain() + now - counted);
    turns.setRelease(turns.getPlain() + 1);
    counted = now;
    long wait = ran > 0 || !mayBlock || stopping ? 0 : queue.prepareToBlock();
    blocked = wait > 0;
    try {
      poller.poll(blocked ? settleMemory(wait) : 0, awake);
      failedPolls = 0;
    } catch (Throwable t) {
      pollFailed(t);
    }
    return ran;
  }

  /// Takes released memory over before the loop blocks. Comes after the announcement that it does,
  /// so that memory which gathers from now on wakes it.
  ///
  /// @return how long to block: not for ever while there is memory to give back
  private long settleMemory(long wait) {
    allocator.collect();
    return wait > IDLE && allocator.canTrim() ? IDLE : wait;
  }

  /// The poller has done waiting: time goes on before the first event is handled.
  private void awake() {
    queue.awake();
    if (blocked) {
      blocked = false;
      long slept = queue.now() - counted;
      counted = queue.now();
      if (slept >= IDLE && allocator.canTrim()) {
        allocator.trim();
      }
    }
  }

  private void pollFailed(Throwable cause) {
    awake();
    failedPolls++;
    if ((failedPolls & failedPolls - 1) == 0) {
      LOG.log(
          System.Logger.Level.ERROR, failedPolls + " polls in a row have failed on " + name, cause);
    }
    if (failedPolls == MOST_FAILED_POLLS) {
      LOG.log(System.Logger.Level.ERROR, "nothing else happens on " + name + ", it ends");
      stopping = true;
    } else {
      LockSupport.parkNanos(POLL_REST);
    }
  }

  private void end() {
    stopping = true;
    try {
      poller.closeChannels();
      queue.end();
      poller.closeChannels(); // those that the last tasks have opened
      poller.close();
    } finally {
      giveMemoryUp();
    }
  }

  /// However the rest has ended: a heap that a dead thread holds would take nothing over any more.
  private void giveMemoryUp() {
    try {
      allocator.detach();
    } finally {
      ended.trySuccess(null);
    }
  }

  /// Asks the loop to end; [#ended] tells when it has. Any thread.
  void stop() {
    stopping = true;
    try {
      queue.execute(() -> {});
    } catch (java.util.concurrent.RejectedExecutionException _) {
      // it has ended already
    }
  }

  Future<Void> ended() {
    return ended;
  }

  boolean hasEnded() {
    return queue.hasEnded();
  }

  void channelOpened() {
    channels.setRelease(channels.getPlain() + 1);
  }

  void channelClosed() {
    channels.setRelease(channels.getPlain() - 1);
  }

  /// The allocator of this loop; for its thread.
  public ByteBufAllocator allocator() {
    return allocator;
  }

  /// Nanoseconds of [#clock] as read before the tasks, or the events, of the current turn. Loop
  /// only.
  public long now() {
    return queue.now();
  }

  /// The I/O side of this loop. Loop only.
  public IoPoller poller() {
    return poller;
  }

  /// Opens a file in the way that channels of this loop send best. Loop only; it may block for the
  /// disk.
  public FileSource openFile(Path path) throws IOException {
    return poller.openFile(path);
  }

  /// Figures of now; any thread.
  public LoopMetrics metrics() {
    AllocatorMetrics memory = allocator.metrics();
    return new LoopMetrics(
        name, channels.get(), turns.get(), busyNanos.get(), memory.used(), memory.reserved());
  }

  /// The name of the loop's thread.
  public String name() {
    return name;
  }

  @Override
  public boolean inLoop() {
    return queue.inLoop();
  }

  @Override
  public Clock clock() {
    return queue.clock();
  }

  @Override
  public void execute(Runnable task) {
    queue.execute(task);
  }

  @Override
  public void dispatch(Runnable task) {
    if (queue.hasEnded() && !queue.inLoop()) {
      // The last promises of a loop end after it; their listeners have no other thread to run on.
      task.run();
    } else {
      queue.dispatch(task);
    }
  }

  @Override
  public Timer schedule(Runnable task, Duration delay) {
    return queue.schedule(task, delay, Duration.ZERO);
  }

  @Override
  public Timer scheduleAtFixedRate(Runnable task, Duration initialDelay, Duration period) {
    if (!period.isPositive()) {
      throw new IllegalArgumentException("period is " + period + ", expected more than zero");
    }
    return queue.schedule(task, initialDelay, period);
  }

  @Override
  public String toString() {
    return "EventLoop[" + name + "]";
  }

  static void join(Iterable<EventLoop> loops, Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    for (EventLoop loop : loops) {
      @Nullable Throwable failure = null;
      try {
        loop.ended.await(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
      } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
        failure = e;
      }
      if (failure != null) {
        LOG.log(System.Logger.Level.WARNING, "loop " + loop.name + " did not end", failure);
      }
    }
  }
}

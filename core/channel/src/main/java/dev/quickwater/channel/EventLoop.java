package dev.quickwater.channel;

import dev.quickwater.buffer.AllocatorMetrics;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.FileSource;
import dev.quickwater.buffer.LoopAllocator;
import dev.quickwater.buffer.MemoryPressure;
import dev.quickwater.channel.spi.IoPoller;
import dev.quickwater.common.Clock;
import dev.quickwater.common.ExecutorState;
import dev.quickwater.common.LoopThread;
import dev.quickwater.common.SerialExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One platform thread that owns channels, timers and memory, and runs their handlers.
///
/// - It is driven by a separate thread ([#start]) or stepped by a host ([#step]); the first thread
///   that drives it owns it for good.
/// - A turn is: timers that are due, tasks, then I/O events; after each of the two halves the
///   notifications of channels that had to wait until no caller was on the stack.
/// - Time is read when the poller has done waiting, and once more before the loop blocks: a read
///   costs as much as a small event. [#now] is the time of the last read.
/// - The loop owns the list of its channels, on every transport.
/// - Blocking in a handler stops every channel of the loop.
/// - A [#shutdown] closes its channels first, then runs what is queued; channels that handlers or
///   tasks would open then are refused. A server that should finish its work drains before. A
///   stepped loop ends in the step after it.
public final class EventLoop extends SerialExecutor implements EventLoops {

  private static final System.Logger LOG = System.getLogger(EventLoop.class.getName());
  private static final int TASKS_PER_TURN = 4096;

  /// A poller that fails this often without a success in between, for about ten seconds, is broken.
  private static final int MAX_FAILED_POLLS = 1000;

  private static final long POLL_REST = 10_000_000;

  /// A loop to which nothing happens for this long gives memory back that no buffer is in.
  private static final long IDLE = 1_000_000_000;

  private final IoPoller poller;
  private final LoopAllocator allocator = new LoopAllocator();

  private final Runnable awake = this::awake;

  private final LoopChannels channels = new LoopChannels();
  private final ReadyList ready = new ReadyList();
  private final ReadyList deferred = new ReadyList();
  private final Completions completions = new Completions();
  private final LoopProgress progress = new LoopProgress();
  private final TurnBudget budget;
  private final MemoryGuard memoryGuard = new MemoryGuard(this, MemoryPressure::isHigh);

  /// The thread that drives this loop; null if a host steps it.
  private volatile @Nullable Thread thread;

  private boolean attached;

  /// A turn, or the end of the loop, is on the stack: also while events and notifications are
  /// handled, when the queue is in no turn.
  private boolean turning;

  /// The loop closes its channels and takes no more of them.
  private boolean ending;

  private boolean blocked;

  /// The time that was read for this turn is exact enough for its events: a host steps the loop,
  /// and nothing ran since.
  private boolean timeIsFresh;

  private int failedPolls;

  // Written by the loop alone.
  private final AtomicLong turns = new AtomicLong();
  private final AtomicLong busyNanos = new AtomicLong();

  /// Up to when [#busyNanos] is counted.
  private long counted;

  EventLoop(String name, IoPoller poller, Clock clock) {
    super(name, clock);
    this.poller = poller;
    this.budget = new TurnBudget(clock);
    this.counted = queue.now();
  }

  /// A loop on `poller` that a host steps.
  public static EventLoop stepped(IoPoller poller, Clock clock) {
    return new EventLoop("stepped", poller, clock);
  }

  void start() {
    LoopThread started = new LoopThread(name(), this::run);
    thread = started;
    started.start();
  }

  @Override
  protected void wakeDriver() {
    poller.wakeup();
  }

  private void run() {
    bind();
    queue.awake();
    counted = queue.now();
    try {
      while (queue.state() == ExecutorState.RUNNING) {
        turn(true);
      }
    } finally {
      end();
    }
  }

  /// Goes round once without blocking; the host's thread owns the loop from the first step on. A
  /// task may step the loop that runs it.
  ///
  /// @return how many tasks and timers ran
  public int step() {
    bind();
    queue.awake();
    counted = queue.now();
    return switch (queue.state()) {
      case RUNNING -> turn(false);
      case STOPPING -> turning ? turn(false) : end();
      case ENDED -> 0;
    };
  }

  /// Ends a stepped loop: its channels close, its timers are cancelled. On the host's thread;
  /// inside a task, the step that runs it ends the loop.
  public void endStepped() {
    bind();
    shutdown();
    if (!turning && queue.state() == ExecutorState.STOPPING) {
      end();
    }
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
    boolean nested = turning; // a task or a handler steps the loop: its callers are on the stack
    turning = true;
    try {
      return turn(mayBlock, nested);
    } finally {
      turning = nested;
    }
  }

  private int turn(boolean mayBlock, boolean nested) {
    budget.reset();
    progress.busy();
    int ran = mayBlock ? queue.runBatch(TASKS_PER_TURN) : queue.runReady(TASKS_PER_TURN);
    if (!nested) {
      ran += ready.run() + deferred.run();
    }
    turns.setRelease(turns.getPlain() + 1);
    allocator.publishReleased();
    boolean mustNotBlock = ran > 0 || !mayBlock || !ready.isEmpty() || !deferred.isEmpty();
    long wait = mustNotBlock ? 0 : queue.prepareToBlock();
    blocked = wait > 0;
    timeIsFresh = ran == 0 && !mayBlock;
    if (blocked) {
      countBusy();
      Thread.interrupted(); // a handler may have left the flag set, and a selector heeds it
      progress.waiting();
    }
    try {
      poller.poll(blocked ? collectMemory(wait) : 0, awake);
      failedPolls = 0;
    } catch (Throwable t) {
      pollFailed(t);
    }
    return nested ? ran : ran + ready.run();
  }

  /// Counts the time since the last call, or since the loop woke up, as busy.
  private void countBusy() {
    long now = queue.now();
    busyNanos.setRelease(busyNanos.getPlain() + now - counted);
    counted = now;
  }

  /// Takes released memory over before the loop blocks. Comes after the announcement that it does,
  /// so that memory which gathers from now on wakes it.
  ///
  /// @return how long to block: not for ever while there is memory to return
  private long collectMemory(long wait) {
    allocator.collect();
    return wait > IDLE && allocator.canTrim() ? IDLE : wait;
  }

  /// The poller has done waiting: the time is updated before the first event is handled.
  private void awake() {
    progress.busy();
    allocator.collectIfRequested();
    if (timeIsFresh) {
      return;
    }
    queue.awake();
    if (!blocked) {
      countBusy();
      return;
    }
    blocked = false;
    long slept = queue.now() - counted;
    counted = queue.now();
    if (slept >= IDLE && allocator.canTrim()) {
      allocator.trimIdle();
    }
  }

  private void pollFailed(Throwable cause) {
    awake();
    failedPolls++;
    if ((failedPolls & failedPolls - 1) == 0) {
      LOG.log(
          System.Logger.Level.ERROR,
          failedPolls + " polls in a row have failed on " + name(),
          cause);
    }
    if (failedPolls == MAX_FAILED_POLLS) {
      LOG.log(System.Logger.Level.ERROR, "nothing else happens on " + name() + ", it ends");
      shutdown();
    } else {
      LockSupport.parkNanos(POLL_REST);
    }
  }

  private int end() {
    turning = true;
    ending = true;
    shutdown(); // unless it was requested, an error ends it
    try {
      closeChannels();
      return queue.drain();
    } finally {
      endQueue();
    }
  }

  /// Closes the channels and notifies their handlers. Actions that then add further actions do not
  /// keep the loop.
  private void closeChannels() {
    channels.closeAll();
    do {
      ready.run();
    } while (channels.count() > 0);
    ready.run();
  }

  /// Runs however the rest has ended: a thread that waits for a task or for the end must not wait
  /// for ever.
  private void endQueue() {
    try {
      queue.end();
    } finally {
      closePoller();
    }
  }

  /// After the queue, whose last tasks may use it: they came while those before them ended.
  private void closePoller() {
    try {
      closeChannels();
    } finally {
      freePoller();
    }
  }

  private void freePoller() {
    try {
      poller.close();
    } finally {
      giveMemoryUp();
    }
  }

  /// A heap that a dead thread holds would take nothing over any more.
  private void giveMemoryUp() {
    try {
      allocator.detach();
    } finally {
      tellEnded();
    }
  }

  /// This loop: a bootstrap on it makes all its channels here.
  @Override
  public EventLoop next() {
    return this;
  }

  @Override
  public List<EventLoop> loops() {
    return List.of(this);
  }

  /// The channels of this loop. Loop only.
  LoopChannels channels() {
    return channels;
  }

  /// What the watchdog looks at.
  LoopProgress progress() {
    return progress;
  }

  /// The stack of the loop's thread; empty without one. Any thread.
  StackTraceElement[] stack() {
    @Nullable Thread driver = thread;
    return driver == null ? new StackTraceElement[0] : driver.getStackTrace();
  }

  /// Promises that wait for the end of a drain. Loop only.
  Completions completions() {
    return completions;
  }

  /// What pauses channels while memory is short. Loop only.
  MemoryGuard memoryGuard() {
    return memoryGuard;
  }

  /// Takes one unit of `owner`'s work in this turn: a message, a request. A protocol that handles
  /// many of them takes a unit before each. When the answer is false, the protocol stops, and
  /// continues with an action of [#defer]: one peer that has sent very much then does not delay the
  /// other channels of the loop. Loop only.
  ///
  /// @return false after 256 units or 0.25 ms
  public boolean takeUnit(Object owner) {
    requireLoop();
    return budget.take(owner, turns.getPlain());
  }

  /// Runs `action` after the tasks or the events that are being handled, when no handler is on the
  /// stack. An action that is added by another waits until after the next tasks or events. What an
  /// action throws is logged. Loop only.
  public void ready(Runnable action) {
    requireLoop();
    ready.add(action);
  }

  /// Runs `action` in the next turn, once the events that are ready by then have been handled. For
  /// work that a handler divides so that other channels get their turn. An action that is still
  /// deferred when the loop ends does not run. Loop only.
  public void defer(Runnable action) {
    requireLoop();
    deferred.add(action);
  }

  private void requireLoop() {
    if (!inLoop()) {
      throw new IllegalStateException(
          "only the thread of "
              + name()
              + " may do this; called by "
              + Thread.currentThread().getName());
    }
  }

  /// A handler that opens a channel whenever one closes would otherwise keep the loop.
  void requireNotEnding() {
    if (ending) {
      throw new RejectedExecutionException(name() + " is ending and takes no more channels");
    }
  }

  /// The allocator of this loop; for its thread.
  public ByteBufAllocator allocator() {
    return allocator;
  }

  /// Nanoseconds of [#clock] as the loop last read them: when its poller had done waiting, or when
  /// its host stepped it. Loop only.
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

  /// Opens a file below a folder. Links that stay below the folder are followed. What is opened is
  /// below the folder even if another process replaces folders by links in the meantime. It may
  /// block: for virtual threads.
  ///
  /// @param root a real path ([Path#toRealPath])
  /// @throws java.nio.file.NoSuchFileException if there is no such file, or it is not below `root`
  public FileSource openFile(Path root, String relative) throws IOException {
    return poller.openFile(root, relative);
  }

  /// Figures of now; any thread.
  public LoopMetrics metrics() {
    AllocatorMetrics memory = allocator.metrics();
    return new LoopMetrics(
        name(), channels.count(), turns.get(), busyNanos.get(), memory.used(), memory.reserved());
  }
}

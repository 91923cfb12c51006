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

/// A platform thread that owns channels, timers and memory, and runs the handlers of its channels.
///
/// - A dedicated thread drives the loop ([#start]), or a host steps it ([#step]). The first thread
///   that drives the loop owns it permanently.
/// - A turn runs due timers and tasks, then I/O events. After the tasks, and again after the
///   events, the loop runs the actions of [#ready], such as notifications that must not run inside
///   a handler.
/// - The loop reads the time when its poller stops waiting, and again before it blocks: a read
///   costs as much as a small event. [#now] is the time of the last read.
/// - The loop has one list of its channels for all transports.
/// - Blocking in a handler stops every channel of the loop.
/// - [#shutdown] closes the channels first and then runs queued tasks. Handlers and tasks cannot
///   open channels any more. A server that should finish its work drains before the shutdown. A
///   stepped loop ends in its next step.
public final class EventLoop extends SerialExecutor implements EventLoops {

  private static final System.Logger LOG = System.getLogger(EventLoop.class.getName());
  private static final int TASKS_PER_TURN = 4096;

  /// The number of failures in a row, about ten seconds, after which a poller counts as broken.
  private static final int MAX_FAILED_POLLS = 1000;

  private static final long POLL_RETRY_NANOS = 10_000_000;

  /// The idle time after which a loop returns unused memory to the system.
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

  /// The thread that drives this loop; null if a host steps the loop.
  private volatile @Nullable Thread thread;

  private boolean attached;

  /// True while a turn or the end of the loop is on the stack, including the events and
  /// notifications outside a turn of the task queue.
  private boolean turning;

  /// True once the loop closes its channels and refuses new ones.
  private boolean ending;

  private TimeUpdate timeUpdate = TimeUpdate.BUSY;

  /// How [#awake] updates the time after the poller has waited.
  private enum TimeUpdate {

    /// The time is not updated: a host steps the loop, and no task has run since the step read the
    /// time.
    NONE,

    /// The loop did not block: the time since the last count was busy.
    BUSY,

    /// The loop blocked.
    BLOCKED
  }

  private int failedPolls;

  // Written by the loop alone.
  private final AtomicLong turns = new AtomicLong();
  private final AtomicLong busyNanos = new AtomicLong();

  /// The time up to which [#busyNanos] is counted.
  private long counted;

  EventLoop(String name, IoPoller poller, Clock clock) {
    super(name, clock);
    this.poller = poller;
    this.budget = new TurnBudget(clock);
    this.counted = queue.now();
  }

  /// Creates a loop on `poller` that a host steps.
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

  /// Runs one turn without blocking. The thread that calls this first owns the loop. A task may
  /// step the loop that runs it.
  ///
  /// @return the number of tasks and timers that ran
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

  /// Ends a stepped loop: its channels close, its timers are cancelled. Called on the host's
  /// thread. Inside a task, the loop ends when the current step does.
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
    boolean blocks = wait > 0;
    if (blocks) {
      timeUpdate = TimeUpdate.BLOCKED;
      countBusy();
      Thread.interrupted(); // a handler may have left the flag set, and a selector heeds it
      progress.waiting();
    } else {
      timeUpdate = ran == 0 && !mayBlock ? TimeUpdate.NONE : TimeUpdate.BUSY;
    }
    try {
      poller.poll(blocks ? collectMemory(wait) : 0, awake);
      failedPolls = 0;
    } catch (Throwable t) {
      pollFailed(t);
    }
    return nested ? ran : ran + ready.run();
  }

  /// Counts the time since the last call or wake-up as busy.
  private void countBusy() {
    long now = queue.now();
    busyNanos.setRelease(busyNanos.getPlain() + now - counted);
    counted = now;
  }

  /// Collects memory that other threads released. Called after the loop has announced that it
  /// blocks: memory that is released later wakes the loop.
  ///
  /// @return how long to block; limited while there is memory to return
  private long collectMemory(long wait) {
    allocator.collect();
    return wait > IDLE && allocator.canTrim() ? IDLE : wait;
  }

  /// Updates the time after the poller has waited, before the first event.
  private void awake() {
    progress.busy();
    allocator.collectIfRequested();
    if (timeUpdate == TimeUpdate.NONE) {
      return;
    }
    queue.awake();
    if (timeUpdate == TimeUpdate.BUSY) {
      countBusy();
      return;
    }
    timeUpdate = TimeUpdate.BUSY;
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
      LOG.log(System.Logger.Level.ERROR, "the poller of " + name() + " is broken; the loop ends");
      shutdown();
    } else {
      LockSupport.parkNanos(POLL_RETRY_NANOS);
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

  /// Closes the channels and notifies their handlers. Actions that are added during the last run do
  /// not run.
  private void closeChannels() {
    channels.closeAll();
    do {
      ready.run();
    } while (channels.count() > 0);
    ready.run();
  }

  /// Runs even if the steps before it failed, because other threads wait for tasks and for the end
  /// of the loop.
  private void endQueue() {
    try {
      queue.end();
    } finally {
      closePoller();
    }
  }

  /// Runs after the queue, whose last tasks may still use the allocator.
  private void closePoller() {
    try {
      closeChannels();
    } finally {
      releasePoller();
    }
  }

  private void releasePoller() {
    try {
      poller.close();
    } finally {
      detachAllocator();
    }
  }

  /// The heap of a thread that has ended would not collect released memory any more.
  private void detachAllocator() {
    try {
      allocator.detach();
    } finally {
      completeEnd();
    }
  }

  /// This loop: a bootstrap on it opens all its channels here.
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

  /// The progress that the watchdog reads.
  LoopProgress progress() {
    return progress;
  }

  /// The stack of the loop's thread; empty if no thread drives the loop. Any thread.
  StackTraceElement[] stack() {
    @Nullable Thread driver = thread;
    return driver == null ? new StackTraceElement[0] : driver.getStackTrace();
  }

  /// Promises that wait for the end of a drain. Loop only.
  Completions completions() {
    return completions;
  }

  /// Pauses channels while memory is short. Loop only.
  MemoryGuard memoryGuard() {
    return memoryGuard;
  }

  /// Counts one unit of work of `owner` in this turn: a message or a request. A protocol that
  /// handles many units in a row calls this before each unit. If the result is false, the protocol
  /// stops and continues in an action of [#defer]. This keeps one busy peer from delaying the other
  /// channels of the loop. Loop only.
  ///
  /// @return false after 256 units or 0.25 ms in this turn
  public boolean takeUnit(Object owner) {
    requireLoop();
    return budget.take(owner, turns.getPlain());
  }

  /// Runs `action` after the current tasks or events, when no handler is on the stack. An action
  /// that another action adds runs after the next tasks or events. An exception is logged. Loop
  /// only.
  public void ready(Runnable action) {
    requireLoop();
    ready.add(action);
  }

  /// Runs `action` in the next turn, after the events that are ready then. Lets a handler divide
  /// long work between turns. An action that is still deferred when the loop ends does not run.
  /// Loop only.
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

  /// Refuses channels once the loop ends: a handler that opens a channel whenever another closes
  /// would keep the loop running.
  void requireNotEnding() {
    if (ending) {
      throw new RejectedExecutionException(name() + " is ending and takes no more channels");
    }
  }

  /// The allocator of this loop. Loop only.
  public ByteBufAllocator allocator() {
    return allocator;
  }

  /// The time of [#clock] in nanoseconds at the loop's last read: when its poller stopped waiting,
  /// or when its host stepped it. Loop only.
  public long now() {
    return queue.now();
  }

  /// The I/O side of this loop. Loop only.
  public IoPoller poller() {
    return poller;
  }

  /// Opens a file in the form that channels of this loop send fastest. May block for the disk. Loop
  /// only.
  public FileSource openFile(Path path) throws IOException {
    return poller.openFile(path);
  }

  /// Opens a file below a folder. Links are followed if their target is below the folder. The
  /// opened file is below the folder even if another process replaces folders by links at the same
  /// time. May block; called on virtual threads.
  ///
  /// @param root a real path ([Path#toRealPath])
  /// @throws java.nio.file.NoSuchFileException if there is no such file, or it is not below `root`
  public FileSource openFile(Path root, String relative) throws IOException {
    return poller.openFile(root, relative);
  }

  /// The current figures. Any thread.
  public LoopMetrics metrics() {
    AllocatorMetrics memory = allocator.metrics();
    return new LoopMetrics(
        name(), channels.count(), turns.get(), busyNanos.get(), memory.used(), memory.reserved());
  }
}

package dev.quickwater.buffer.allocation;

import dev.quickwater.common.LoopLocal;
import dev.quickwater.common.LoopThread;
import org.jspecify.annotations.Nullable;

/// Blocks of one other heap that a loop has freed and not yet published.
///
/// Publishing each block separately costs atomic changes in memory that the other loop is using. A
/// loop publishes its blocks at the end of its turn, when there are [#CAPACITY] blocks, or when the
/// next block belongs to another heap. This costs one change for each run of blocks of the same
/// page. Until then the blocks count as used. Owned by one loop thread.
final class Outbox {

  private static final int CAPACITY = 64;

  private static final LoopLocal<@Nullable Outbox> OF_LOOP =
      LoopLocal.withInitial("freed blocks of other loops", () -> null, Outbox::end);

  private final @Nullable Page[] pages = new @Nullable Page[CAPACITY];
  private final char[] blocks = new char[CAPACITY];
  private int count;
  private @Nullable Heap target;

  /// The number of heaps that the loop has attached.
  private int heaps;

  private Outbox() {}

  /// The outbox of the calling thread, which has attached a heap; null if the thread is not a loop
  /// thread. All heaps of a thread use the same outbox.
  static @Nullable Outbox open() {
    if (!(Thread.currentThread() instanceof LoopThread)) {
      return null;
    }
    @Nullable Outbox outbox = OF_LOOP.getIfSet();
    if (outbox == null) {
      outbox = new Outbox();
      OF_LOOP.set(outbox);
    }
    outbox.heaps++;
    return outbox;
  }

  /// Publishes all blocks. With the last heap that its thread detaches, the outbox is removed.
  void close() {
    publish();
    heaps--;
    if (heaps == 0) {
      OF_LOOP.remove();
    }
  }

  /// The outbox of the calling thread.
  static @Nullable Outbox ofCaller() {
    return Thread.currentThread() instanceof LoopThread ? OF_LOOP.getIfSet() : null;
  }

  private static void end(@Nullable Outbox outbox) {
    if (outbox != null) {
      outbox.publish();
    }
  }

  /// Adds a block that the caller has freed.
  void add(Heap heap, Page page, int block) {
    if (heap != target || count == CAPACITY) {
      publish();
      target = heap;
    }
    pages[count] = page;
    blocks[count] = (char) block;
    count++;
  }

  /// Publishes all blocks.
  void publish() {
    if (count == 0 || target == null) {
      return;
    }
    int end = count;
    count = 0;
    target.freeRemotely(pages, blocks, end);
  }
}

package dev.quickwater.buffer;

import dev.quickwater.common.LoopLocal;
import dev.quickwater.common.LoopThread;
import org.jspecify.annotations.Nullable;

/// Blocks of one other heap that a loop has freed and not handed over yet.
///
/// Handing blocks over one by one costs atomic changes in memory that the other loop is using. A
/// loop hands them over at the end of its turn, or when there are [#CAPACITY] or the next one
/// belongs to another heap: one change for each run of blocks of the same page. Until then they
/// count as used. Owned by one loop thread.
final class Outbox {

  private static final int CAPACITY = 64;

  private static final LoopLocal<@Nullable Outbox> OF_LOOP =
      LoopLocal.withInitial("freed blocks of other loops", () -> null, Outbox::end);

  private final @Nullable Page[] pages = new @Nullable Page[CAPACITY];
  private final char[] blocks = new char[CAPACITY];
  private int count;
  private @Nullable Heap target;

  private Outbox() {}

  /// The outbox of the calling thread, which owns a heap from here on; null if it is no loop
  /// thread.
  static @Nullable Outbox open() {
    if (!(Thread.currentThread() instanceof LoopThread)) {
      return null;
    }
    @Nullable Outbox outbox = OF_LOOP.getIfSet();
    if (outbox == null) {
      outbox = new Outbox();
      OF_LOOP.set(outbox);
    }
    return outbox;
  }

  /// Hands over what is left; from here on the calling thread has none.
  static void close() {
    OF_LOOP.remove();
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

  /// Keeps a block that the caller has freed.
  void add(Heap heap, Page page, int block) {
    if (heap != target || count == CAPACITY) {
      publish();
      target = heap;
    }
    pages[count] = page;
    blocks[count] = (char) block;
    count++;
  }

  /// Hands over all blocks.
  void publish() {
    if (count == 0 || target == null) {
      return;
    }
    int end = count;
    count = 0;
    target.freeRemotely(pages, blocks, end);
    for (int i = 0; i < end; i++) {
      pages[i] = null;
    }
  }
}

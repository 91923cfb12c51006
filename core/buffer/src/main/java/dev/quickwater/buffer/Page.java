package dev.quickwater.buffer;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A region cut into blocks of one size, with the stack of those that are free. Guarded by whoever
/// drives its heap.
///
/// The stack is a Java array, outside the memory it speaks of, so that a stale write cannot corrupt
/// it. Blocks are cut one by one when nothing is free, so that a page costs what is used of it.
final class Page {

  private static final @Nullable Block[] NO_BLOCKS = {};

  /// Stands where a heap has no page: nothing is free in it and nothing can be cut.
  static final Page NONE = new Page();

  final int sizeClass;
  final int blockSize;
  private final int count;
  private final @Nullable Region region;
  private final @Nullable Block[] stack;

  /// How many blocks are free.
  int free;

  /// How many blocks have been cut.
  private int cut;

  // The heap's list of pages with free blocks.
  @Nullable Page next;
  @Nullable Page previous;

  private Page() {
    this.sizeClass = SizeClasses.COUNT;
    this.blockSize = 0;
    this.count = 0;
    this.region = null;
    this.stack = NO_BLOCKS;
  }

  Page(int sizeClass, int blockSize, Region region) {
    this.sizeClass = sizeClass;
    this.blockSize = blockSize;
    this.count = region.length() / blockSize;
    this.region = region;
    this.stack = new Block[count];
  }

  Region region() {
    return Objects.requireNonNull(region, "the page that stands for none has no memory");
  }

  /// True when no block is in use.
  boolean isEmpty() {
    return free == cut;
  }

  boolean canCut() {
    return cut < count;
  }

  /// A block that was never in use.
  Block cut(Heap heap) {
    Region memory = region();
    Block block = new Block(heap, this, memory.array(), memory.address() + (long) cut * blockSize);
    cut++; // not before there is a block, or the page would never be empty again
    return block;
  }

  @SuppressWarnings("NullAway") // slots below free are set
  Block pop() {
    return stack[--free];
  }

  void push(Block block) {
    stack[free++] = block;
  }

  /// The free blocks, for checks of their content.
  @SuppressWarnings("NullAway") // slots below free are set
  Block freeBlock(int index) {
    return stack[index];
  }
}

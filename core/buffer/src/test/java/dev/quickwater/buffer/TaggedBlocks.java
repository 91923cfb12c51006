package dev.quickwater.buffer;

import dev.quickwater.common.LeakTracker;
import dev.quickwater.system.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The blocks behind a set of handles, each filled with a tag that no other live block has.
///
/// - A tag is a byte from 1 to 127 that fills the whole block, including the bytes behind the limit
///   of its handle. Any byte that is read identifies its block, in both byte orders and at every
///   width.
/// - A dead block is filled with [#DEAD]. At the paranoid level the allocator fills dead blocks
///   with its own pattern and would report this one as a stray write.
/// - The location of a block comes from [UnsafeViews]. Its length is the change of the bytes in use
///   during an allocation. The length of a block that a buffer grew into is the length that the
///   buffer can see.
/// - A handle without capacity is on a byte of the block that it holds, into which it may grow.
///   Such a handle on memory of the garbage collector is excluded, because nothing can be read
///   through it.
final class TaggedBlocks {

  private static final byte DEAD = (byte) 0xee;
  private static final boolean POISONED = LeakTracker.LEVEL == LeakTracker.Level.PARANOID;

  /// A live block.
  static final class Tagged {
    final byte @Nullable [] array;
    final long from;
    final byte tag;
    int length;

    /// True if the length is that of the block, false if it is the capacity of its first handle.
    final boolean exact;

    boolean held;

    Tagged(byte @Nullable [] array, long from, int length, byte tag, boolean exact) {
      this.array = array;
      this.from = from;
      this.length = length;
      this.tag = tag;
      this.exact = exact;
    }

    boolean has(byte @Nullable [] memory, long at, int bytes) {
      return array == memory && at >= from && at + bytes <= from + length;
    }

    MemorySegment memory() {
      return array == null
          ? Memory.segment(from, length)
          : MemorySegment.ofArray(array).asSlice(from, length);
    }

    @Override
    public String toString() {
      return "block %d of %d bytes at %x".formatted(tag, length, from);
    }
  }

  private final List<Tagged> blocks = new ArrayList<>();
  private final ArrayDeque<Byte> freeTags = new ArrayDeque<>();
  private Map<ByteBuf, Tagged> byHandle = new IdentityHashMap<>();
  private @Nullable ByteBuf fresh;
  private int freshLength;

  TaggedBlocks() {
    for (int tag = 1; tag < 128; tag++) {
      freeTags.add((byte) tag);
    }
  }

  static long used() {
    return AllocatorMetrics.total(true).used() + AllocatorMetrics.total(false).used();
  }

  boolean hasRoom() {
    return freeTags.size() > 40;
  }

  /// Adds the tag of a handle's block to `tags`, if the handle is live.
  void addTag(@Nullable ByteBuf handle, BitSet tags) {
    if (handle != null && handle.isLive()) {
      @Nullable Tagged block = byHandle.get(handle);
      if (block != null) {
        tags.set(block.tag);
      }
    }
  }

  /// Sets the length of the block of a handle that was just allocated.
  void allocated(ByteBuf handle, long length) {
    fresh = handle;
    freshLength = Math.toIntExact(length);
  }

  /// Finds the blocks of these handles after a call, tags the new blocks, and marks blocks without
  /// handles as dead.
  void update(List<ByteBuf> handles) {
    Map<ByteBuf, Tagged> next = new IdentityHashMap<>();
    List<ByteBuf> strangers = new ArrayList<>();
    blocks.forEach(block -> block.held = false);
    for (ByteBuf handle : handles) {
      if (handle.isLive() && (handle.capacity() > 0 || handle.page != null)) {
        @Nullable Tagged block = find(handle);
        if (block == null) {
          strangers.add(handle);
        } else {
          block.held = true;
          next.put(handle, block);
        }
      }
    }
    bury();
    for (ByteBuf stranger : strangers) {
      @Nullable Tagged block = find(stranger);
      if (block == null) {
        block = add(stranger);
      }
      next.put(stranger, block);
    }
    byHandle = next;
    fresh = null;
  }

  /// Fills the blocks that have these tags again, after a call that may have written to them.
  void tagAgain(BitSet tags) {
    for (Tagged block : blocks) {
      if (tags.get(block.tag)) {
        fill(block, block.tag);
      }
    }
  }

  private @Nullable Tagged find(ByteBuf handle) {
    byte @Nullable [] array = array(handle);
    long at = at(handle, array);
    int bytes = Math.max(handle.capacity(), 1);
    for (Tagged block : blocks) {
      if (block.has(array, at, bytes)) {
        return block;
      }
    }
    return extended(array, at, bytes);
  }

  /// A block of unknown length may be longer than assumed, which a handle shows when it grows in
  /// place.
  private @Nullable Tagged extended(byte @Nullable [] array, long at, int bytes) {
    for (Tagged block : blocks) {
      if (!block.exact && block.has(array, at, 1)) {
        block.length = (int) (at - block.from) + bytes;
        fill(block, block.tag);
        return block;
      }
    }
    return null;
  }

  private static byte @Nullable [] array(ByteBuf handle) {
    return UnsafeViews.isNative(handle) ? null : UnsafeViews.array(handle);
  }

  private static long at(ByteBuf handle, byte @Nullable [] array) {
    return array == null ? UnsafeViews.address(handle, 0) : UnsafeViews.arrayOffset(handle);
  }

  private void bury() {
    for (int i = blocks.size() - 1; i >= 0; i--) {
      Tagged block = blocks.get(i);
      if (!block.held) {
        blocks.remove(i);
        freeTags.addLast(block.tag);
        if (!POISONED) {
          fill(block, DEAD);
        }
      }
    }
  }

  private Tagged add(ByteBuf handle) {
    byte @Nullable [] array = array(handle);
    long at = at(handle, array);
    boolean isKnown = handle == fresh && freshLength >= handle.capacity();
    int length = isKnown ? freshLength : Math.max(handle.capacity(), 1);
    Tagged block = new Tagged(array, at, length, freeTags.removeFirst(), isKnown);
    for (Tagged other : blocks) {
      if (other.array == array
          && other.from < block.from + block.length
          && block.from < other.from + other.length) {
        throw new AssertionError(block + " overlaps " + other);
      }
    }
    blocks.add(block);
    fill(block, block.tag);
    return block;
  }

  private static void fill(Tagged block, byte value) {
    block.memory().fill(value);
  }

  /// @throws AssertionError if a block contains a byte other than its tag
  void check() {
    blocks.forEach(TaggedBlocks::check);
  }

  private static void check(Tagged block) {
    MemorySegment memory = block.memory();
    long length = memory.byteSize();
    if (length == 0) {
      return;
    }
    // Each byte equals the first if it equals its neighbour.
    byte first = memory.get(ValueLayout.JAVA_BYTE, 0);
    long same = MemorySegment.mismatch(memory, 0, length - 1, memory, 1, length);
    if (first != block.tag || same >= 0) {
      long wrong = first == block.tag ? same + 1 : 0;
      throw new AssertionError(
          "%s has %d at %d, written through another block"
              .formatted(block, memory.get(ValueLayout.JAVA_BYTE, wrong), wrong));
    }
  }
}

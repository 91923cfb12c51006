package dev.quickwater.buffer;

import dev.quickwater.buffer.allocation.Heap;
import dev.quickwater.buffer.allocation.Page;
import dev.quickwater.buffer.memory.Raw;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How a [ByteBuf] gets room: in the rest of its block, in another block, or behind bytes that it
/// leaves to other handles.
///
/// A racing thread that has read the capacity of a buffer stays inside the memory: the address
/// changes before the capacity grows, and after the capacity shrinks.
final class Growth {

  /// After a split, little of the block is left, but the next writes are likely to need as much
  /// room as the previous ones. The next block therefore has the size of the last one, up to this
  /// many bytes.
  private static final int REFILL = 64 << 10;

  private Growth() {}

  /// Makes room for `length` bytes behind the writer index, which does not have it.
  ///
  /// Fields are read once. If they were read twice, a racing thread could make the copy longer than
  /// the new block.
  static void grow(ByteBuf buffer, int length) {
    int written = buffer.writer;
    int growthLimit = buffer.growthLimit;
    long needed = (long) written + length;
    if (needed > growthLimit) {
      throw new IndexOutOfBoundsException(
          "cannot write %d bytes at %d, the maximum capacity is %d"
              .formatted(length, written, buffer.maxCapacity()));
    }
    Page page =
        Objects.requireNonNull(buffer.page, "memory of the garbage collector has a fixed capacity");
    long address = buffer.address;
    long room = Math.min(page.endOf(page.indexOf(address)) - address, growthLimit);
    if (needed <= room && !isUsedUp(buffer)) {
      // No other handle has bytes behind the limit, because the capacity of other handles is fixed.
      buffer.limit = (int) room;
      buffer.updateWriteEnd();
    } else {
      long wanted = Math.max(2L * buffer.limit, Math.min(page.blockSize, REFILL));
      ByteBuf larger = new ByteBuf(growthLimit, null);
      takeLarger(page.heap(), larger, (int) needed, (int) Math.min(wanted, growthLimit));
      move(buffer, larger, 0, written, Math.min(blockSize(larger), growthLimit));
    }
  }

  /// Copies the readable bytes to memory that no other handle sees; the capacity stays. The new
  /// memory is at least as large as the capacity, so a racing thread that has read the capacity
  /// stays inside the memory.
  static void copyToNewMemory(ByteBuf buffer, int length) {
    int capacity = buffer.limit;
    @Nullable Page page = buffer.page;
    ByteBuf fresh;
    if (page != null) {
      fresh = new ByteBuf(buffer.growthLimit, null);
      Blocks.takeLarger(page.heap(), capacity, fresh);
    } else {
      fresh = ByteBuf.wrap(new byte[capacity]);
    }
    move(buffer, fresh, buffer.reader, length, capacity);
  }

  /// Makes `start` the new index 0. The bytes before it become inaccessible to this handle.
  ///
  /// When nothing of the block is left, the address stays on the last byte of the block and that
  /// byte is frozen, because the address behind the block belongs to the next block.
  static void advance(ByteBuf buffer, int start) {
    @Nullable Page page = buffer.page;
    long address = buffer.address;
    boolean usedUp =
        page != null && start > 0 && address + start == page.endOf(page.indexOf(address));
    buffer.limit -= start;
    VarHandle.storeStoreFence();
    buffer.address = address + (usedUp ? start - 1 : start);
    buffer.frozen = usedUp ? 1 : Math.max(buffer.frozen - start, 0);
    buffer.reader = 0;
    buffer.writer = 0;
    buffer.updateWriteEnd();
  }

  /// True when [#advance] has left nothing of the block. The next write then takes another block.
  static boolean isUsedUp(ByteBuf buffer) {
    return buffer.frozen > buffer.limit;
  }

  /// Moves written bytes to the start of another block, which no other handle sees, and releases
  /// the previous block.
  private static void move(ByteBuf buffer, ByteBuf target, int index, int length, int capacity) {
    if (buffer.limit < 0) { // released by a callback of the allocator
      target.release();
      buffer.requireLive();
    }
    @Nullable Page page = buffer.page;
    long address = buffer.address;
    Raw.copy(buffer.array, address + index, target.array, target.address, length);
    buffer.page = target.page;
    buffer.array = target.array;
    buffer.address = target.address;
    buffer.frozen = 0;
    buffer.reader -= index;
    buffer.writer = length;
    VarHandle.storeStoreFence();
    buffer.limit = capacity;
    buffer.writeEnd = capacity;
    if (page != null) {
      page.release(address);
    }
  }

  private static int blockSize(ByteBuf buffer) {
    return buffer.page == null ? 0 : buffer.page.blockSize;
  }

  /// Takes a block of `wanted` bytes, or of `needed` bytes if there is no memory for more.
  private static void takeLarger(Heap heap, ByteBuf larger, int needed, int wanted) {
    if (wanted > needed) {
      try {
        Blocks.takeLarger(heap, wanted, larger);
        return;
      } catch (OutOfMemoryError e) {
        // the smaller block may succeed
      }
    }
    Blocks.takeLarger(heap, needed, larger);
  }
}

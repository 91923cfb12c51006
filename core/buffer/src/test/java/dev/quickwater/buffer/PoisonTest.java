package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.quickwater.testkit.Threads;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Tests run at the paranoid level, where memory that was released is watched.
class PoisonTest extends Buffers {

  @EachStorage
  void writeThroughABareViewAfterTheReleaseIsNoticedOnReuse(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    ByteBuf buffer = allocator.allocate(256);
    ByteBuffer view = UnsafeViews.byteBuffer(buffer, 0, 256);
    buffer.release();
    view.put(17, (byte) 0x41);
    assertEquals(
        "memory was written after its release: byte 17 of a block of 256 bytes is 0x41",
        assertThrows(IllegalStateException.class, () -> allocator.allocate(256)).getMessage());
    // that block is never used again, others are
    ByteBuf other = allocator.allocate(256);
    other.release();
  }

  @EachStorage
  void readOfReleasedMemoryFindsThePattern(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    ByteBuf buffer = allocator.allocate(64).setLong(0, 42);
    ByteBuffer view = UnsafeViews.byteBuffer(buffer, 0, 64);
    buffer.release();
    assertEquals(0xdbdbdbdb_dbdbdbdbL, view.getLong(0));
  }

  @EachStorage
  void writeIsNoticedBeforeAPageGoesBack(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    ByteBuf buffer = allocator.allocate(100_000);
    ByteBuffer view = UnsafeViews.byteBuffer(buffer, 0, 100_000);
    buffer.release();
    view.put(99_999, (byte) 0);
    assertThrows(IllegalStateException.class, allocator::trim);
    view.put(99_999, (byte) 0xdb);
    allocator.trim();
  }

  @EachStorage
  void blockThatWasWrittenKeepsNoOtherFromComingBack(Storage storage) throws Exception {
    LoopAllocator allocator = allocator(storage);
    List<ByteBuf> buffers = new ArrayList<>();
    for (int i = 0; i < 22; i++) {
      buffers.add(allocator.allocate(100_000));
    }
    ByteBuffer view = UnsafeViews.byteBuffer(buffers.get(16), 0, 1);
    Threads.elsewhere(() -> buffers.reversed().forEach(ByteBuf::release));
    view.put(0, (byte) 1);
    assertThrows(IllegalStateException.class, allocator::collect);
    assertEquals(0, allocator.metrics().used());
    view.put(0, (byte) 0xdb);
  }

  @EachStorage
  void allocatorDetachesWhateverWasWritten(Storage storage) {
    LoopAllocator allocator = storage.attach();
    ByteBuf buffer = allocator.allocate(100_000);
    ByteBuffer view = UnsafeViews.byteBuffer(buffer, 0, 1);
    buffer.release();
    view.put(0, (byte) 1);
    assertThrows(IllegalStateException.class, allocator::detach);
    view.put(0, (byte) 0xdb);
    allocator.attach();
    allocator.detach();
  }
}

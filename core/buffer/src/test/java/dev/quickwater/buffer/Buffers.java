package dev.quickwater.buffer;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/// Base of tests that need buffers in both kinds of memory. The allocators of this thread are
/// detached after each test, which fails if a buffer was not released.
public abstract class Buffers {

  private final List<LoopAllocator> attached = new ArrayList<>();

  public LoopAllocator allocator(Storage storage) {
    LoopAllocator allocator = storage.attach();
    attached.add(allocator);
    return allocator;
  }

  public ByteBuf buffer(Storage storage, int capacity) {
    return allocator(storage).allocate(capacity);
  }

  /// A buffer whose readable bytes are 0, 1, 2 and so on.
  public ByteBuf counting(Storage storage, int length) {
    ByteBuf buffer = buffer(storage, length);
    for (int i = 0; i < length; i++) {
      buffer.writeByte(i);
    }
    return buffer;
  }

  @AfterEach
  public void everythingWasReleased() {
    for (LoopAllocator allocator : attached) {
      long used = allocator.metrics().used();
      allocator.detach();
      if (used != 0) {
        throw new AssertionError(used + " bytes were not released");
      }
    }
  }
}

package dev.quickwater.buffer;

import dev.quickwater.system.NativeAccess;
import java.util.stream.Stream;

/// The two kinds of memory that this JVM can give a buffer; one when native access is not granted.
public enum Storage {
  NATIVE,
  ARRAY;

  static Stream<Storage> all() {
    return NativeAccess.enabled() ? Stream.of(values()) : Stream.of(ARRAY);
  }

  /// An allocator attached to the calling thread; the caller detaches it.
  LoopAllocator attach() {
    LoopAllocator allocator = new LoopAllocator(this == NATIVE);
    allocator.attach();
    return allocator;
  }

  SharedAllocator shared() {
    return SharedAllocator.of(this == NATIVE);
  }
}

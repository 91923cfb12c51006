package dev.quickwater.http.engine;

import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.Payload;
import dev.quickwater.common.Promise;

/// The effects of an [OutputBuffer]. Loop only.
public interface OutputIo {

  ByteBufAllocator allocator();

  /// Queues bytes; takes ownership.
  void write(Payload payload);

  /// Queues a file; takes ownership. `sent` completes when the kernel has taken it.
  void write(FileRegion file, Promise<Void> sent);

  void flush();

  /// The number of bytes that were written and not sent, without files.
  long pendingBytes();
}

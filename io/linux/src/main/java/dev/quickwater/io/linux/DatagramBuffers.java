package dev.quickwater.io.linux;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.UnsafeViews;

/// The native memory by which all datagram sockets of a loop receive and send: a batch of messages,
/// and room for a datagram of the maximum size for each of them. Received bytes are copied from
/// here to a buffer of their size, so no datagram is ever truncated for want of a guess, and a
/// small one holds no large buffer.
///
/// The room takes 1 MiB of addresses. Only pages that datagrams have reached take memory.
final class DatagramBuffers implements AutoCloseable {

  /// Messages that one system call receives or sends.
  static final int MESSAGES = 16;

  /// The maximum size of a UDP datagram, and of datagrams that the kernel joins.
  static final int ROOM = 64 << 10;

  /// Rooms are not a power of two apart, or their first bytes would share one set of the cache.
  private static final int DISTANCE = ROOM + 5 * 64;

  /// Room for the control messages of a UDP datagram: segment size and local address.
  static final int CONTROL_BYTES = 128;

  final MessageBatch batch;
  private final ByteBuf rooms;

  DatagramBuffers(ByteBufAllocator allocator) {
    batch = new MessageBatch(MESSAGES, 1, CONTROL_BYTES);
    try {
      rooms = allocator.allocate(MESSAGES * DISTANCE);
    } catch (RuntimeException | Error e) {
      batch.close();
      throw e;
    }
  }

  /// The address of the room of a message. While datagrams are sent, rooms hold the bytes of array
  /// buffers.
  long room(int index) {
    return UnsafeViews.address(rooms, index * DISTANCE);
  }

  @Override
  public void close() {
    batch.close();
    rooms.release();
  }
}

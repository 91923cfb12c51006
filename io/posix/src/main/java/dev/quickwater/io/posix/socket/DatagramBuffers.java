package dev.quickwater.io.posix.socket;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.UnsafeViews;

/// The native memory with which all datagram sockets of a loop receive and send: a batch of
/// messages, each with space for a datagram of the maximum size. Received bytes are copied to a
/// buffer of their size. No datagram is truncated because of a wrong guess, and a small datagram
/// holds no large buffer.
///
/// The memory takes 1 MiB of addresses. Only pages that datagrams have reached are resident.
final class DatagramBuffers implements AutoCloseable {

  /// The maximum number of messages per system call.
  static final int MESSAGES = 16;

  /// The maximum size of a UDP datagram and of datagrams that the kernel joins.
  static final int ROOM = 64 << 10;

  /// The distance of the spaces is not a power of two: their first bytes would share one set of the
  /// cache.
  private static final int DISTANCE = ROOM + 5 * 64;

  /// The bytes of the control messages of a UDP datagram: segment size and local address.
  static final int CONTROL_BYTES = 128;

  final MessageBatch batch;

  /// For each message to send: the number of flushed datagrams up to its end.
  final int[] ends = new int[MESSAGES];

  private final ByteBuf rooms;

  DatagramBuffers(ByteBufAllocator allocator) {
    batch = new MessageBatch(MESSAGES, DatagramBatches.MAX_MERGED, CONTROL_BYTES);
    try {
      rooms = allocator.allocate(MESSAGES * DISTANCE);
    } catch (RuntimeException | Error e) {
      batch.close();
      throw e;
    }
  }

  /// The address of the space of a message. While datagrams are sent, the spaces hold the bytes of
  /// array buffers.
  long room(int index) {
    return UnsafeViews.address(rooms, index * DISTANCE);
  }

  @Override
  public void close() {
    batch.close();
    rooms.release();
  }
}

package dev.quickwater.io.posix.socket;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.io.posix.DescriptorMessage;
import dev.quickwater.io.posix.OwnedDescriptor;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The descriptors of one received message, until they have an owner.
final class ReceivedDescriptors {

  private static final int CREDENTIALS = ControlMessages.credentialsSpace();

  private final int[] numbers;
  private final boolean truncated;

  private ReceivedDescriptors(int[] numbers, boolean truncated) {
    this.numbers = numbers;
    this.truncated = truncated;
  }

  /// The bytes of control messages for `max` descriptors and the sender's credentials, which a
  /// socket may report before them; 0 for no descriptors.
  static int room(int max) {
    return max == 0 ? 0 : ControlMessages.space(max * Integer.BYTES) + CREDENTIALS;
  }

  /// Takes the descriptors of a received message. Descriptors above `max` that fitted into the room
  /// are closed.
  ///
  /// @return null if the message has none
  static @Nullable ReceivedDescriptors take(MessageBatch batch, int index, int max) {
    if (max == 0) {
      return null; // without room, the kernel has closed them
    }
    int[] all = batch.descriptors(index);
    boolean truncated = batch.isControlTruncated(index) || all.length > max;
    if (all.length == 0 && !truncated) {
      return null;
    }
    for (int i = max; i < all.length; i++) {
      OffLoopCalls.close(all[i]);
    }
    int[] kept = all.length > max ? Arrays.copyOf(all, max) : all;
    return new ReceivedDescriptors(kept, truncated);
  }

  /// Creates a message that owns the descriptors. If this throws, the caller closes them.
  DescriptorMessage message(ByteBuf content, @Nullable SocketAddress remote, boolean lostBytes) {
    return new DescriptorMessage(
        content,
        IntStream.of(numbers).mapToObj(OwnedDescriptor::adopt).toList(),
        remote,
        truncated || lostBytes);
  }

  void close() {
    for (int number : numbers) {
      OffLoopCalls.close(number);
    }
  }
}

package dev.quickwater.io.linux;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.spi.AttachedMessage;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A message of a Unix socket that passes open descriptors to another process, or brings them.
///
/// - **Sending:** the kernel takes the descriptors together with the first byte of the content,
///   which therefore never shares a system call with the bytes before it. They are closed here once
///   they were sent. A stream needs at least one byte.
/// - **Receiving:** off until [LinuxSocketOptions#MAX_DESCRIPTORS] is set; the kernel closes what
///   comes before. A stream keeps the order of its bytes, and the descriptors arrive in the message
///   that has the first byte of their content. The kernel may put bytes that were sent before in
///   front of it, and the rest of the content follows as plain buffers: a protocol on a stream
///   marks its messages in its bytes.
/// - **Ownership:** the message owns its content and its descriptors. The receiver closes it, which
///   closes the descriptors that were not taken with [OwnedDescriptor#transfer] or by a channel or
///   file. A message that no handler took is closed by the pipeline.
///
/// @param content the bytes
/// @param descriptors at most 253, in the order of the sender
/// @param remote the sender or the destination of a datagram; null on a stream, for the peer of a
///   connected channel, and for a sender that is bound to no name
/// @param truncated true for an incoming message that lost descriptors, because there were more
///   than the channel receives or the process may open, or lost a part of its datagram
public record DescriptorMessage(
    ByteBuf content,
    List<OwnedDescriptor> descriptors,
    @Nullable SocketAddress remote,
    boolean truncated)
    implements AttachedMessage {

  /// What the kernel passes with one message (`SCM_MAX_FD`).
  public static final int MAX_DESCRIPTORS = 253;

  /// @throws IllegalArgumentException if there are more than 253 descriptors
  public DescriptorMessage {
    descriptors = List.copyOf(descriptors);
    if (descriptors.size() > MAX_DESCRIPTORS) {
      throw new IllegalArgumentException(
          descriptors.size() + " descriptors, expected at most " + MAX_DESCRIPTORS);
    }
  }

  /// A message to the peer.
  ///
  /// @throws IllegalArgumentException if there are more than 253 descriptors
  public DescriptorMessage(ByteBuf content, List<OwnedDescriptor> descriptors) {
    this(content, descriptors, null, false);
  }

  /// A datagram to an address.
  ///
  /// @throws IllegalArgumentException if there are more than 253 descriptors
  public DescriptorMessage(
      ByteBuf content, List<OwnedDescriptor> descriptors, SocketAddress remote) {
    this(content, descriptors, remote, false);
  }

  @Override
  public void closeAttachment() {
    descriptors.forEach(OwnedDescriptor::close);
  }

  /// The open numbers.
  ///
  /// @throws IllegalStateException if one was closed or taken
  int[] numbers() {
    return descriptors.stream().mapToInt(OwnedDescriptor::number).toArray();
  }
}

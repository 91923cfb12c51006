package dev.quickwater.io.posix;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.spi.AttachedMessage;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A message of a Unix socket with open descriptors, sent to or received from another process.
///
/// - **Sending:** the kernel takes the descriptors with the first byte of the content. This byte
///   therefore never shares a system call with earlier bytes. The descriptors are closed here once
///   they are sent. A stream needs at least one byte.
/// - **Receiving:** off until [PosixSocketOptions#MAX_DESCRIPTORS] is set; until then, the kernel
///   closes received descriptors. On a stream, the descriptors arrive in the message that has the
///   first byte of their content. The kernel may put earlier bytes in front of it, and the rest of
///   the content follows as plain buffers: a protocol on a stream marks its messages in its bytes.
/// - **Ownership:** the message owns its content and its descriptors. The receiver closes the
///   message. Closing it closes the descriptors that were not taken by [OwnedDescriptor#transfer],
///   a channel or a file. The pipeline closes a message that no handler took.
///
/// @param content the bytes
/// @param descriptors at most 253, in the order of the sender
/// @param remote the sender or the destination of a datagram; null on a stream, for the peer of a
///   connected channel, and for an unbound sender
/// @param truncated true for an incoming message that lost a part of its datagram, or descriptors
///   above the limit of the channel or the process
public record DescriptorMessage(
    ByteBuf content,
    List<OwnedDescriptor> descriptors,
    @Nullable SocketAddress remote,
    boolean truncated)
    implements AttachedMessage {

  /// The maximum number of descriptors of one message (`SCM_MAX_FD`).
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
}

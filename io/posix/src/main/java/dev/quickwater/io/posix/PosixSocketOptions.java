package dev.quickwater.io.posix;

import java.net.SocketOption;

/// Socket options of Quickwater that no kernel has.
public final class PosixSocketOptions {

  /// On a Unix socket: the maximum number of descriptors per message, 0 to 253. With 0, the
  /// default, the kernel closes received descriptors and messages are plain bytes. Above 0, a
  /// message with descriptors is a [DescriptorMessage].
  public static final SocketOption<Integer> MAX_DESCRIPTORS = new MaxDescriptors();

  private PosixSocketOptions() {}

  private record MaxDescriptors() implements SocketOption<Integer> {
    @Override
    public String name() {
      return "MAX_DESCRIPTORS";
    }

    @Override
    public Class<Integer> type() {
      return Integer.class;
    }

    @Override
    public String toString() {
      return name();
    }
  }
}

package dev.quickwater.io.posix.socket;

import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.io.posix.gate.Kernel;
import dev.quickwater.io.posix.gate.SocketAddresses;
import dev.quickwater.io.posix.gate.SocketConstants;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import org.jspecify.annotations.Nullable;

/// The multicast memberships of a datagram socket, by the protocol-independent calls of RFC 3678.
///
/// A membership is for a group on one interface, and for all sources or for one. A socket may have
/// several memberships for single sources. Closing the socket ends them. Any thread; each call
/// allocates its memory.
final class Multicast {

  private static final MemoryLayout STORAGE =
      MemoryLayout.sequenceLayout(16, ValueLayout.JAVA_LONG);

  /// `struct group_source_req`, whose first part is `struct group_req`.
  private static final StructLayout REQUEST =
      MemoryLayout.structLayout(
          ValueLayout.JAVA_INT.withName("interface"),
          MemoryLayout.paddingLayout(4),
          STORAGE.withName("group"),
          STORAGE.withName("source"));

  private static final long GROUP = REQUEST.byteOffset(PathElement.groupElement("group"));
  private static final long SOURCE = REQUEST.byteOffset(PathElement.groupElement("source"));

  private Multicast() {}

  /// Joins a group for one source or, if `source` is null, for all.
  static void join(
      Kernel kernel, int fd, InetAddress group, NetworkInterface on, @Nullable InetAddress source)
      throws IOException {
    int option =
        source == null ? SocketConstants.MCAST_JOIN_GROUP : SocketConstants.MCAST_JOIN_SOURCE_GROUP;
    request(kernel, fd, option, "join", group, on, source);
  }

  /// Leaves a group that was joined with the same arguments.
  static void leave(
      Kernel kernel, int fd, InetAddress group, NetworkInterface on, @Nullable InetAddress source)
      throws IOException {
    int option =
        source == null
            ? SocketConstants.MCAST_LEAVE_GROUP
            : SocketConstants.MCAST_LEAVE_SOURCE_GROUP;
    request(kernel, fd, option, "leave", group, on, source);
  }

  private static void request(
      Kernel kernel,
      int fd,
      int option,
      String verb,
      InetAddress group,
      NetworkInterface on,
      @Nullable InetAddress source)
      throws IOException {
    if (!group.isMulticastAddress()) {
      throw new IllegalArgumentException("not a multicast group: " + group.getHostAddress());
    }
    boolean four = group instanceof Inet4Address;
    if (source != null && source instanceof Inet4Address != four) {
      throw new IllegalArgumentException(
          "group "
              + group.getHostAddress()
              + " and source "
              + source.getHostAddress()
              + " are of different families");
    }
    int family = four ? SocketConstants.AF_INET : SocketConstants.AF_INET6;
    int level = four ? SocketConstants.IPPROTO_IP : SocketConstants.IPPROTO_IPV6;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(REQUEST);
      request.set(ValueLayout.JAVA_INT, 0, on.getIndex());
      long at = request.address();
      SocketAddresses.encode(new InetSocketAddress(group, 0), family, at + GROUP);
      long length = SOURCE;
      if (source != null) {
        SocketAddresses.encode(new InetSocketAddress(source, 0), family, at + SOURCE);
        length = REQUEST.byteSize();
      }
      int result = kernel.setsockopt(fd, level, option, at, (int) length);
      if (result < 0) {
        throw Errno.failure(
            "cannot " + verb + " group " + group.getHostAddress() + " on " + on.getName(), result);
      }
    }
  }
}

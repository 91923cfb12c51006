package dev.quickwater.io.posix.gate;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;

/// The structures of `sendmsg`, `recvmsg` and their variants, as Linux has them on x86-64 and
/// aarch64.
public final class MessageLayouts {

  public static final StructLayout IOVEC =
      MemoryLayout.structLayout(JAVA_LONG.withName("iov_base"), JAVA_LONG.withName("iov_len"));

  public static final StructLayout MSGHDR =
      MemoryLayout.structLayout(
          JAVA_LONG.withName("msg_name"),
          JAVA_INT.withName("msg_namelen"),
          MemoryLayout.paddingLayout(4),
          JAVA_LONG.withName("msg_iov"),
          JAVA_LONG.withName("msg_iovlen"),
          JAVA_LONG.withName("msg_control"),
          JAVA_LONG.withName("msg_controllen"),
          JAVA_INT.withName("msg_flags"),
          MemoryLayout.paddingLayout(4));

  public static final StructLayout MMSGHDR =
      MemoryLayout.structLayout(
          MSGHDR.withName("msg_hdr"), JAVA_INT.withName("msg_len"), MemoryLayout.paddingLayout(4));

  public static final StructLayout CMSGHDR =
      MemoryLayout.structLayout(
          JAVA_LONG.withName("cmsg_len"),
          JAVA_INT.withName("cmsg_level"),
          JAVA_INT.withName("cmsg_type"));

  /// The distance of two messages of `sendmmsg`.
  public static final int MMSGHDR_SIZE = (int) MMSGHDR.byteSize();

  public static final int NAME = offset("msg_name");
  public static final int NAME_LENGTH = offset("msg_namelen");
  public static final int IOVECS = offset("msg_iov");
  public static final int IOVEC_COUNT = offset("msg_iovlen");
  public static final int CONTROL = offset("msg_control");
  public static final int CONTROL_LENGTH = offset("msg_controllen");
  public static final int FLAGS = offset("msg_flags");
  public static final int LENGTH = (int) MMSGHDR.byteOffset(PathElement.groupElement("msg_len"));

  private MessageLayouts() {}

  private static int offset(String field) {
    return (int) MSGHDR.byteOffset(PathElement.groupElement(field));
  }
}

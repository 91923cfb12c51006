package dev.quickwater.io.posix.gate;

import dev.quickwater.system.Platform;

/// The numbers of the socket interface, for Linux (x86-64 and aarch64) and for macOS: where the two
/// differ, a row has both.
///
/// A number that only Linux has and that the shared sockets use is [#NONE] elsewhere. Constants
/// that only the transports of Linux use are in the gate of Linux.
public final class SocketConstants {

  /// The number of an option or message that this system does not have. A call with it fails.
  public static final int NONE = -1;

  public static final int AF_UNIX = 1;
  public static final int AF_INET = 2;
  public static final int AF_INET6 = number(10, 30);
  public static final int SOCK_STREAM = 1;
  public static final int SOCK_DGRAM = 2;

  public static final int SOL_SOCKET = number(1, 0xffff);
  public static final int SO_REUSEADDR = number(2, 0x4);
  public static final int SO_TYPE = number(3, 0x1008);
  public static final int SO_ERROR = number(4, 0x1007);
  public static final int SO_BROADCAST = number(6, 0x20);
  public static final int SO_SNDBUF = number(7, 0x1001);
  public static final int SO_RCVBUF = number(8, 0x1002);
  public static final int SO_KEEPALIVE = number(9, 0x8);

  /// Seconds on both systems; the option of this name on macOS takes ticks.
  public static final int SO_LINGER = number(13, 0x1080);

  public static final int SO_REUSEPORT = number(15, 0x200);
  public static final int SO_ACCEPTCONN = number(30, 0x2);

  public static final int IPPROTO_IP = 0;
  public static final int IP_TOS = number(1, 3);
  public static final int IP_PKTINFO = number(8, 26);
  public static final int IP_MULTICAST_IF = number(32, 9);
  public static final int IP_MULTICAST_TTL = number(33, 10);
  public static final int IP_MULTICAST_LOOP = number(34, 11);
  public static final int MCAST_JOIN_GROUP = number(42, 80);
  public static final int MCAST_LEAVE_GROUP = number(45, 81);
  public static final int MCAST_JOIN_SOURCE_GROUP = number(46, 82);
  public static final int MCAST_LEAVE_SOURCE_GROUP = number(47, 83);

  public static final int IPPROTO_TCP = 6;
  public static final int TCP_NODELAY = 1;

  /// `TCP_KEEPALIVE` on macOS.
  public static final int TCP_KEEPIDLE = number(4, 0x10);

  public static final int TCP_KEEPINTVL = number(5, 0x101);
  public static final int TCP_KEEPCNT = number(6, 0x102);
  public static final int TCP_NOTSENT_LOWAT = number(25, 0x201);

  public static final int IPPROTO_UDP = 17;
  public static final int UDP_SEGMENT = number(103, NONE);
  public static final int UDP_GRO = number(104, NONE);

  public static final int IPPROTO_IPV6 = 41;
  public static final int IPV6_MULTICAST_IF = number(17, 9);
  public static final int IPV6_MULTICAST_HOPS = number(18, 10);
  public static final int IPV6_MULTICAST_LOOP = number(19, 11);
  public static final int IPV6_V6ONLY = number(26, 27);
  public static final int IPV6_RECVPKTINFO = number(49, 61);
  public static final int IPV6_PKTINFO = number(50, 46);
  public static final int IPV6_TCLASS = number(67, 36);

  public static final int SCM_RIGHTS = 1;
  public static final int SCM_CREDENTIALS = number(2, NONE);

  public static final int MSG_CTRUNC = number(0x8, 0x20);
  public static final int MSG_TRUNC = number(0x20, 0x10);
  public static final int MSG_NOSIGNAL = number(0x4000, 0x80000);

  /// Received descriptors are close-on-exec; macOS has no such flag.
  public static final int MSG_CMSG_CLOEXEC = number(0x4000_0000, 0);

  public static final int SHUT_WR = 1;

  public static final int O_RDONLY = 0;
  public static final int O_NONBLOCK = number(0x800, 0x4);
  public static final int O_CLOEXEC = number(0x80000, 0x1000000);

  /// Refuses a link as the last element of the path. On Linux the number differs between machines.
  public static final int O_NOFOLLOW = number(Platform.AARCH64 ? 0x8000 : 0x20000, 0x100);

  public static final int SEEK_END = 2;

  public static final int F_SETFD = 2;
  public static final int F_GETFL = 3;
  public static final int F_SETFL = 4;
  public static final int F_DUPFD_CLOEXEC = number(1030, 67);
  public static final int FD_CLOEXEC = 1;

  private SocketConstants() {}

  private static int number(int linux, int macOs) {
    return Platform.LINUX ? linux : macOs;
  }
}

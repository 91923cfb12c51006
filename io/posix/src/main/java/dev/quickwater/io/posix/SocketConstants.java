package dev.quickwater.io.posix;

import dev.quickwater.system.Platform;

/// Numbers of the Linux socket interface, the same on x86-64 and aarch64.
public final class SocketConstants {

  public static final int AF_UNSPEC = 0;
  public static final int AF_UNIX = 1;
  public static final int AF_INET = 2;
  public static final int AF_INET6 = 10;
  public static final int SOCK_STREAM = 1;
  public static final int SOCK_DGRAM = 2;
  public static final int SOCK_NONBLOCK = 0x800;
  public static final int SOCK_CLOEXEC = 0x80000;

  public static final int SOL_SOCKET = 1;
  public static final int SO_REUSEADDR = 2;
  public static final int SO_TYPE = 3;
  public static final int SO_ERROR = 4;
  public static final int SO_BROADCAST = 6;
  public static final int SO_SNDBUF = 7;
  public static final int SO_RCVBUF = 8;
  public static final int SO_KEEPALIVE = 9;
  public static final int SO_PRIORITY = 12;
  public static final int SO_LINGER = 13;
  public static final int SO_REUSEPORT = 15;
  public static final int SO_PASSCRED = 16;
  public static final int SO_PEERCRED = 17;
  public static final int SO_ACCEPTCONN = 30;
  public static final int SO_MARK = 36;
  public static final int SO_DOMAIN = 39;
  public static final int SO_BUSY_POLL = 46;
  public static final int SO_INCOMING_CPU = 49;

  public static final int IPPROTO_IP = 0;
  public static final int IP_TOS = 1;
  public static final int IP_PKTINFO = 8;
  public static final int IP_FREEBIND = 15;
  public static final int IP_MULTICAST_IF = 32;
  public static final int IP_MULTICAST_TTL = 33;
  public static final int IP_MULTICAST_LOOP = 34;
  public static final int MCAST_JOIN_GROUP = 42;
  public static final int MCAST_LEAVE_GROUP = 45;
  public static final int MCAST_JOIN_SOURCE_GROUP = 46;
  public static final int MCAST_LEAVE_SOURCE_GROUP = 47;

  public static final int IPPROTO_TCP = 6;
  public static final int TCP_NODELAY = 1;
  public static final int TCP_CORK = 3;
  public static final int TCP_KEEPIDLE = 4;
  public static final int TCP_KEEPINTVL = 5;
  public static final int TCP_KEEPCNT = 6;
  public static final int TCP_DEFER_ACCEPT = 9;
  public static final int TCP_INFO = 11;
  public static final int TCP_QUICKACK = 12;
  public static final int TCP_CONGESTION = 13;
  public static final int TCP_USER_TIMEOUT = 18;
  public static final int TCP_FASTOPEN = 23;
  public static final int TCP_NOTSENT_LOWAT = 25;
  public static final int TCP_FASTOPEN_CONNECT = 30;

  public static final int IPPROTO_UDP = 17;
  public static final int UDP_SEGMENT = 103;
  public static final int UDP_GRO = 104;

  public static final int IPPROTO_IPV6 = 41;
  public static final int IPV6_MULTICAST_IF = 17;
  public static final int IPV6_MULTICAST_HOPS = 18;
  public static final int IPV6_MULTICAST_LOOP = 19;
  public static final int IPV6_V6ONLY = 26;
  public static final int IPV6_RECVPKTINFO = 49;
  public static final int IPV6_PKTINFO = 50;
  public static final int IPV6_TCLASS = 67;
  public static final int IPV6_FREEBIND = 78;

  public static final int SCM_RIGHTS = 1;
  public static final int SCM_CREDENTIALS = 2;

  public static final int MSG_CTRUNC = 0x8;
  public static final int MSG_TRUNC = 0x20;
  public static final int MSG_DONTWAIT = 0x40;
  public static final int MSG_NOSIGNAL = 0x4000;
  public static final int MSG_MORE = 0x8000;
  public static final int MSG_CMSG_CLOEXEC = 0x4000_0000;

  public static final int SHUT_WR = 1;

  public static final int O_RDONLY = 0;
  public static final int O_NONBLOCK = 0x800;
  public static final int O_CLOEXEC = 0x80000;

  /// Refuses a link as the last element of the path. The number differs between machines.
  public static final int O_NOFOLLOW = Platform.AARCH64 ? 0x8000 : 0x20000;

  public static final int SEEK_END = 2;

  public static final int F_SETFD = 2;
  public static final int F_GETFL = 3;
  public static final int F_SETFL = 4;
  public static final int F_DUPFD_CLOEXEC = 1030;
  public static final int FD_CLOEXEC = 1;

  private SocketConstants() {}
}

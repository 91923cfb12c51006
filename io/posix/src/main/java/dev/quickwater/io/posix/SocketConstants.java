package dev.quickwater.io.posix;

import dev.quickwater.system.Platform;

/// Numbers of the Linux socket interface, the same on x86-64 and aarch64.
public final class SocketConstants {

  public static final int AF_INET = 2;
  public static final int AF_INET6 = 10;
  public static final int SOCK_STREAM = 1;
  public static final int SOCK_NONBLOCK = 0x800;
  public static final int SOCK_CLOEXEC = 0x80000;

  public static final int SOL_SOCKET = 1;
  public static final int SO_REUSEADDR = 2;
  public static final int SO_ERROR = 4;
  public static final int SO_SNDBUF = 7;
  public static final int SO_RCVBUF = 8;
  public static final int SO_KEEPALIVE = 9;
  public static final int SO_LINGER = 13;
  public static final int SO_REUSEPORT = 15;

  public static final int IPPROTO_IP = 0;
  public static final int IP_TOS = 1;
  public static final int IPPROTO_TCP = 6;
  public static final int TCP_NODELAY = 1;
  public static final int IPPROTO_IPV6 = 41;
  public static final int IPV6_V6ONLY = 26;

  public static final int MSG_NOSIGNAL = 0x4000;
  public static final int SHUT_WR = 1;

  public static final int O_RDONLY = 0;
  public static final int O_NONBLOCK = 0x800;
  public static final int O_CLOEXEC = 0x80000;

  /// Not followed is the last element of the path; the number differs between machines.
  public static final int O_NOFOLLOW = Platform.AARCH64 ? 0x8000 : 0x20000;

  public static final int SEEK_END = 2;

  private SocketConstants() {}
}

package dev.quickwater.io.linux.gate;

/// Numbers that only Linux has, the same on x86-64 and aarch64.
public final class LinuxConstants {

  public static final int SOCK_NONBLOCK = 0x800;
  public static final int SOCK_CLOEXEC = 0x80000;

  public static final int SO_PRIORITY = 12;
  public static final int SO_PASSCRED = 16;
  public static final int SO_PEERCRED = 17;
  public static final int SO_MARK = 36;
  public static final int SO_BUSY_POLL = 46;
  public static final int SO_INCOMING_CPU = 49;

  public static final int IP_FREEBIND = 15;
  public static final int IPV6_FREEBIND = 78;

  public static final int TCP_CORK = 3;
  public static final int TCP_DEFER_ACCEPT = 9;
  public static final int TCP_INFO = 11;
  public static final int TCP_QUICKACK = 12;
  public static final int TCP_CONGESTION = 13;
  public static final int TCP_USER_TIMEOUT = 18;
  public static final int TCP_FASTOPEN = 23;
  public static final int TCP_FASTOPEN_CONNECT = 30;

  private LinuxConstants() {}
}

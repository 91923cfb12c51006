package dev.quickwater.io.linux;

import dev.quickwater.io.posix.PeerCredentials;
import java.net.SocketOption;

/// Socket options of Linux that `java.net` does not have.
///
/// Sockets on epoll support these options, `java.net.StandardSocketOptions`, the options of
/// `jdk.net.ExtendedSocketOptions` for keep-alive and acknowledgements, and any other option as a
/// [dev.quickwater.io.posix.RawSocketOption]. An option that connections do not support is refused
/// early: by a server when it starts to listen, by a client when it connects. The message names the
/// option.
public final class LinuxSocketOptions {

  /// On a listening socket: the maximum number of waiting connections with data in their SYN (RFC
  /// 7413). The system allows it with bit 2 of `net.ipv4.tcp_fastopen`.
  public static final SocketOption<Integer> TCP_FASTOPEN = integer("TCP_FASTOPEN");

  /// On a socket before it connects: the first write goes with the SYN if the kernel has a cookie
  /// of the peer (RFC 7413). Connecting then succeeds at once, and a failure is reported by the
  /// first write.
  public static final SocketOption<Boolean> TCP_FASTOPEN_CONNECT = flag("TCP_FASTOPEN_CONNECT");

  /// The socket is not writable while more bytes than this wait for their first transmission. A
  /// small value keeps late output in the process, where it can still be reordered or dropped.
  public static final SocketOption<Integer> TCP_NOTSENT_LOWAT = integer("TCP_NOTSENT_LOWAT");

  /// Milliseconds that sent data may stay unacknowledged before the kernel resets the connection
  /// (RFC 5482). 0 is the system's default.
  public static final SocketOption<Integer> TCP_USER_TIMEOUT = integer("TCP_USER_TIMEOUT");

  /// Seconds of silence before the first keep-alive probe, with `SO_KEEPALIVE`.
  public static final SocketOption<Integer> TCP_KEEPIDLE = integer("TCP_KEEPIDLE");

  /// Seconds between keep-alive probes.
  public static final SocketOption<Integer> TCP_KEEPINTVL = integer("TCP_KEEPINTVL");

  /// Keep-alive probes without an answer before the kernel resets the connection.
  public static final SocketOption<Integer> TCP_KEEPCNT = integer("TCP_KEEPCNT");

  /// True to acknowledge at once. The kernel may reset this option.
  public static final SocketOption<Boolean> TCP_QUICKACK = flag("TCP_QUICKACK");

  /// True to send full segments only, until false is set or 200 ms have passed.
  public static final SocketOption<Boolean> TCP_CORK = flag("TCP_CORK");

  /// On a listening socket: the seconds that a connection without data waits in the kernel before
  /// it is accepted.
  public static final SocketOption<Integer> TCP_DEFER_ACCEPT = integer("TCP_DEFER_ACCEPT");

  /// The name of the congestion control, such as `cubic` or `bbr`.
  public static final SocketOption<String> TCP_CONGESTION =
      new Named<>("TCP_CONGESTION", String.class);

  /// The kernel's measurements; read only.
  public static final SocketOption<TcpInfo> TCP_INFO = new Named<>("TCP_INFO", TcpInfo.class);

  /// Microseconds that a blocking read polls the device. A value above the system's
  /// `net.core.busy_read` needs the capability `CAP_NET_ADMIN`.
  public static final SocketOption<Integer> SO_BUSY_POLL = integer("SO_BUSY_POLL");

  /// The processor that handles the packets of the socket.
  public static final SocketOption<Integer> SO_INCOMING_CPU = integer("SO_INCOMING_CPU");

  /// The priority of the socket's packets, 0 to 6. Higher values need `CAP_NET_ADMIN`.
  public static final SocketOption<Integer> SO_PRIORITY = integer("SO_PRIORITY");

  /// The mark of the socket's packets for routing and firewalls. Needs `CAP_NET_ADMIN`.
  public static final SocketOption<Integer> SO_MARK = integer("SO_MARK");

  /// True to allow binding to an address that this machine does not have yet.
  public static final SocketOption<Boolean> IP_FREEBIND = flag("IP_FREEBIND");

  /// On a datagram socket: true to receive several datagrams of one sender as one message with a
  /// segment size.
  public static final SocketOption<Boolean> UDP_GRO = flag("UDP_GRO");

  /// On a Unix socket: true to receive the credentials of the sender with each message.
  public static final SocketOption<Boolean> SO_PASSCRED = flag("SO_PASSCRED");

  /// On a connection of a Unix socket: the credentials of the peer; read only.
  public static final SocketOption<PeerCredentials> SO_PEERCRED =
      new Named<>("SO_PEERCRED", PeerCredentials.class);

  private LinuxSocketOptions() {}

  private static SocketOption<Integer> integer(String name) {
    return new Named<>(name, Integer.class);
  }

  private static SocketOption<Boolean> flag(String name) {
    return new Named<>(name, Boolean.class);
  }

  private record Named<T>(String name, Class<T> type) implements SocketOption<T> {
    @Override
    public String toString() {
      return name;
    }
  }
}

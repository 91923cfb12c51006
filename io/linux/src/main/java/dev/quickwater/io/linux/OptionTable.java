package dev.quickwater.io.linux;

import static dev.quickwater.io.linux.SocketKind.ACCEPTED;
import static dev.quickwater.io.linux.SocketKind.DATAGRAM;
import static dev.quickwater.io.linux.SocketKind.LISTENER;
import static dev.quickwater.io.linux.SocketKind.STREAM;
import static dev.quickwater.io.linux.SocketKind.UNIX_DATAGRAM;
import static dev.quickwater.io.posix.SocketConstants.IPPROTO_IP;
import static dev.quickwater.io.posix.SocketConstants.IPPROTO_TCP;
import static dev.quickwater.io.posix.SocketConstants.IPPROTO_UDP;
import static dev.quickwater.io.posix.SocketConstants.SOL_SOCKET;

import dev.quickwater.io.posix.SocketConstants;
import java.net.NetworkInterface;
import java.net.SocketOption;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The options with a name: numbers, form, range, and the sockets that support each.
///
/// Options are found by name: an option of `java.net`, `jdk.net` and [LinuxSocketOptions] with the
/// same name is the same option.
final class OptionTable {

  /// The form of the value in memory.
  enum Form {
    /// An `int` that is 0 or 1.
    FLAG(Boolean.class),
    /// An `int`.
    INT(Integer.class),
    /// An `int`; the kernel reports twice the value that was set.
    DOUBLED(Integer.class),
    /// `struct linger`.
    LINGER(Integer.class),
    /// Characters.
    TEXT(String.class),
    /// `struct tcp_info`, read only.
    TCP_INFO(TcpInfo.class),
    /// `struct ip_mreqn`, or for IPv6 the index.
    INTERFACE(NetworkInterface.class),
    /// `struct ucred`, read only.
    CREDENTIALS(PeerCredentials.class),
    /// An `int` that the socket's object stores; the kernel has no such option.
    STORED(Integer.class);

    /// The Java type of the value.
    final Class<?> type;

    Form(Class<?> type) {
      this.type = type;
    }
  }

  /// One option.
  ///
  /// @param number6 the option of level `IPPROTO_IPV6` that is also set; 0 for none
  record Row(
      String name,
      int level,
      int number,
      int number6,
      Form form,
      int min,
      int max,
      Set<SocketKind> kinds) {}

  private static final Set<SocketKind> ALL = EnumSet.allOf(SocketKind.class);
  private static final Set<SocketKind> INTERNET = EnumSet.of(LISTENER, STREAM, ACCEPTED, DATAGRAM);
  private static final Set<SocketKind> TCP = EnumSet.of(LISTENER, STREAM, ACCEPTED);
  private static final Set<SocketKind> CONNECTION = EnumSet.of(STREAM, ACCEPTED);
  private static final Set<SocketKind> CONNECTING = EnumSet.of(STREAM);
  private static final Set<SocketKind> LISTENING = EnumSet.of(LISTENER);
  private static final Set<SocketKind> UDP = EnumSet.of(DATAGRAM);

  private static final Map<String, Row> ROWS = new HashMap<>();

  static {
    socket("SO_SNDBUF", SocketConstants.SO_SNDBUF, Form.DOUBLED, Integer.MAX_VALUE / 2, ALL);
    socket("SO_RCVBUF", SocketConstants.SO_RCVBUF, Form.DOUBLED, Integer.MAX_VALUE / 2, ALL);
    socket("SO_KEEPALIVE", SocketConstants.SO_KEEPALIVE, Form.FLAG, 1, TCP);
    socket("SO_REUSEADDR", SocketConstants.SO_REUSEADDR, Form.FLAG, 1, INTERNET);
    socket("SO_REUSEPORT", SocketConstants.SO_REUSEPORT, Form.FLAG, 1, INTERNET);
    socket("SO_BROADCAST", SocketConstants.SO_BROADCAST, Form.FLAG, 1, UDP);
    socket("SO_BUSY_POLL", SocketConstants.SO_BUSY_POLL, Form.INT, Integer.MAX_VALUE, INTERNET);
    socket(
        "SO_INCOMING_CPU", SocketConstants.SO_INCOMING_CPU, Form.INT, Integer.MAX_VALUE, INTERNET);
    socket("SO_PRIORITY", SocketConstants.SO_PRIORITY, Form.INT, 15, INTERNET);
    add(
        "SO_MARK",
        SOL_SOCKET,
        SocketConstants.SO_MARK,
        Form.INT,
        Integer.MIN_VALUE,
        Integer.MAX_VALUE,
        INTERNET);
    add("SO_LINGER", SOL_SOCKET, SocketConstants.SO_LINGER, Form.LINGER, -1, 65_535, CONNECTION);
    tcp("TCP_NODELAY", SocketConstants.TCP_NODELAY, Form.FLAG, 0, 1, TCP);
    tcp("TCP_CORK", SocketConstants.TCP_CORK, Form.FLAG, 0, 1, CONNECTION);
    tcp("TCP_QUICKACK", SocketConstants.TCP_QUICKACK, Form.FLAG, 0, 1, TCP);
    tcp("TCP_KEEPIDLE", SocketConstants.TCP_KEEPIDLE, Form.INT, 1, 32_767, TCP);
    tcp("TCP_KEEPINTVL", SocketConstants.TCP_KEEPINTVL, Form.INT, 1, 32_767, TCP);
    tcp("TCP_KEEPINTERVAL", SocketConstants.TCP_KEEPINTVL, Form.INT, 1, 32_767, TCP);
    tcp("TCP_KEEPCNT", SocketConstants.TCP_KEEPCNT, Form.INT, 1, 127, TCP);
    tcp("TCP_KEEPCOUNT", SocketConstants.TCP_KEEPCNT, Form.INT, 1, 127, TCP);
    tcp("TCP_USER_TIMEOUT", SocketConstants.TCP_USER_TIMEOUT, Form.INT, 0, Integer.MAX_VALUE, TCP);
    tcp(
        "TCP_NOTSENT_LOWAT",
        SocketConstants.TCP_NOTSENT_LOWAT,
        Form.INT,
        0,
        Integer.MAX_VALUE,
        TCP);
    tcp("TCP_FASTOPEN", SocketConstants.TCP_FASTOPEN, Form.INT, 0, 65_535, LISTENING);
    tcp("TCP_FASTOPEN_CONNECT", SocketConstants.TCP_FASTOPEN_CONNECT, Form.FLAG, 0, 1, CONNECTING);
    tcp("TCP_DEFER_ACCEPT", SocketConstants.TCP_DEFER_ACCEPT, Form.INT, 0, 65_535, LISTENING);
    tcp("TCP_CONGESTION", SocketConstants.TCP_CONGESTION, Form.TEXT, 0, 0, TCP);
    tcp("TCP_INFO", SocketConstants.TCP_INFO, Form.TCP_INFO, 0, 0, TCP);
    both("IP_TOS", SocketConstants.IP_TOS, SocketConstants.IPV6_TCLASS, Form.INT, 255, INTERNET);
    both(
        "IP_FREEBIND",
        SocketConstants.IP_FREEBIND,
        SocketConstants.IPV6_FREEBIND,
        Form.FLAG,
        1,
        INTERNET);
    both(
        "IP_MULTICAST_TTL",
        SocketConstants.IP_MULTICAST_TTL,
        SocketConstants.IPV6_MULTICAST_HOPS,
        Form.INT,
        255,
        UDP);
    both(
        "IP_MULTICAST_LOOP",
        SocketConstants.IP_MULTICAST_LOOP,
        SocketConstants.IPV6_MULTICAST_LOOP,
        Form.FLAG,
        1,
        UDP);
    both(
        "IP_MULTICAST_IF",
        SocketConstants.IP_MULTICAST_IF,
        SocketConstants.IPV6_MULTICAST_IF,
        Form.INTERFACE,
        0,
        UDP);
    add("UDP_GRO", IPPROTO_UDP, SocketConstants.UDP_GRO, Form.FLAG, 0, 1, UDP);
    add(
        "SO_PASSCRED",
        SOL_SOCKET,
        SocketConstants.SO_PASSCRED,
        Form.FLAG,
        0,
        1,
        EnumSet.of(SocketKind.UNIX_LISTENER, SocketKind.UNIX_STREAM, UNIX_DATAGRAM));
    add(
        "SO_PEERCRED",
        SOL_SOCKET,
        SocketConstants.SO_PEERCRED,
        Form.CREDENTIALS,
        0,
        0,
        EnumSet.of(SocketKind.UNIX_STREAM));
    add(
        "MAX_DESCRIPTORS",
        0,
        0,
        Form.STORED,
        0,
        DescriptorMessage.MAX_DESCRIPTORS,
        EnumSet.of(SocketKind.UNIX_STREAM, UNIX_DATAGRAM));
  }

  private OptionTable() {}

  private static void socket(String name, int number, Form form, int max, Set<SocketKind> kinds) {
    add(name, SOL_SOCKET, number, form, 0, max, kinds);
  }

  private static void tcp(
      String name, int number, Form form, int min, int max, Set<SocketKind> kinds) {
    add(name, IPPROTO_TCP, number, form, min, max, kinds);
  }

  private static void both(
      String name, int number, int number6, Form form, int max, Set<SocketKind> kinds) {
    ROWS.put(name, new Row(name, IPPROTO_IP, number, number6, form, 0, max, kinds));
  }

  private static void add(
      String name, int level, int number, Form form, int min, int max, Set<SocketKind> kinds) {
    ROWS.put(name, new Row(name, level, number, 0, form, min, max, kinds));
  }

  /// Null if no option has this name.
  static @Nullable Row find(SocketOption<?> option) {
    return ROWS.get(option.name());
  }

  /// The row of an option, or an exception that names it.
  static Row row(SocketOption<?> option) {
    @Nullable Row row = find(option);
    if (row == null) {
      throw new UnsupportedOperationException(
          "sockets on epoll do not have the option "
              + option.name()
              + "; a RawSocketOption sets any by its numbers");
    }
    return row;
  }

  /// The names of the options that sockets of a kind support, sorted.
  static Set<String> names(SocketKind kind) {
    Set<String> names = new TreeSet<>();
    ROWS.values().stream()
        .filter(row -> row.kinds().contains(kind))
        .forEach(row -> names.add(row.name()));
    return names;
  }
}

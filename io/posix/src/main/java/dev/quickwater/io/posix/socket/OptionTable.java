package dev.quickwater.io.posix.socket;

import static dev.quickwater.io.posix.gate.SocketConstants.SOL_SOCKET;

import dev.quickwater.io.posix.DescriptorMessage;
import dev.quickwater.io.posix.RawSocketOption;
import dev.quickwater.io.posix.gate.SocketConstants;
import dev.quickwater.io.posix.socket.OptionForm.Plain;
import dev.quickwater.io.posix.socket.OptionRow.Range;
import java.net.SocketOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The socket options of one system that have a name, and the checks of values before a socket
/// exists.
///
/// - Options are found by name: options of `java.net`, `jdk.net` and of the system with the same
///   name are the same option.
/// - Checks throw for an unsupported option or a value out of range; the message names the option.
///   Any other option is supported as a [RawSocketOption], which only the kernel checks.
/// - Immutable; any thread.
public final class OptionTable {

  /// The options that all systems have.
  public static final OptionTable POSIX = new OptionTable(posix());

  private final Map<String, OptionRow> rows = new HashMap<>();

  private OptionTable(List<OptionRow> rows) {
    rows.forEach(row -> this.rows.put(row.name(), row));
  }

  /// A table that has these rows, too.
  public OptionTable with(List<OptionRow> more) {
    List<OptionRow> all = new ArrayList<>(rows.values());
    all.addAll(more);
    return new OptionTable(all);
  }

  private static List<OptionRow> posix() {
    Set<SocketKind> internet = SocketKind.INTERNET;
    Set<SocketKind> tcp = SocketKind.TCP;
    Set<SocketKind> udp = EnumSet.of(SocketKind.DATAGRAM);
    Set<SocketKind> all = EnumSet.allOf(SocketKind.class);
    Set<SocketKind> descriptors = EnumSet.of(SocketKind.UNIX_STREAM, SocketKind.UNIX_DATAGRAM);
    int maxBuffer = Integer.MAX_VALUE / 2;
    int idle = SocketConstants.TCP_KEEPIDLE;
    int interval = SocketConstants.TCP_KEEPINTVL;
    int count = SocketConstants.TCP_KEEPCNT;
    int lowAt = SocketConstants.TCP_NOTSENT_LOWAT;
    return List.of(
        OptionRow.socket("SO_SNDBUF", SocketConstants.SO_SNDBUF, Plain.DOUBLED, maxBuffer, all),
        OptionRow.socket("SO_RCVBUF", SocketConstants.SO_RCVBUF, Plain.DOUBLED, maxBuffer, all),
        OptionRow.socket("SO_KEEPALIVE", SocketConstants.SO_KEEPALIVE, Plain.FLAG, 1, tcp),
        OptionRow.socket("SO_REUSEADDR", SocketConstants.SO_REUSEADDR, Plain.FLAG, 1, internet),
        OptionRow.socket("SO_REUSEPORT", SocketConstants.SO_REUSEPORT, Plain.FLAG, 1, internet),
        OptionRow.socket("SO_BROADCAST", SocketConstants.SO_BROADCAST, Plain.FLAG, 1, udp),
        OptionRow.of(
            "SO_LINGER",
            SOL_SOCKET,
            SocketConstants.SO_LINGER,
            Plain.LINGER,
            new Range(-1, 65_535),
            SocketKind.CONNECTION),
        OptionRow.tcp("TCP_NODELAY", SocketConstants.TCP_NODELAY, Plain.FLAG, 0, 1, tcp),
        OptionRow.tcp("TCP_KEEPIDLE", idle, Plain.INT, 1, 32_767, tcp),
        OptionRow.tcp("TCP_KEEPINTVL", interval, Plain.INT, 1, 32_767, tcp),
        OptionRow.tcp("TCP_KEEPINTERVAL", interval, Plain.INT, 1, 32_767, tcp),
        OptionRow.tcp("TCP_KEEPCNT", count, Plain.INT, 1, 127, tcp),
        OptionRow.tcp("TCP_KEEPCOUNT", count, Plain.INT, 1, 127, tcp),
        OptionRow.tcp("TCP_NOTSENT_LOWAT", lowAt, Plain.INT, 0, Integer.MAX_VALUE, tcp),
        OptionRow.both(
            "IP_TOS",
            SocketConstants.IP_TOS,
            SocketConstants.IPV6_TCLASS,
            Plain.INT,
            255,
            internet),
        OptionRow.both(
            "IP_MULTICAST_TTL",
            SocketConstants.IP_MULTICAST_TTL,
            SocketConstants.IPV6_MULTICAST_HOPS,
            Plain.INT,
            255,
            udp),
        OptionRow.both(
            "IP_MULTICAST_LOOP",
            SocketConstants.IP_MULTICAST_LOOP,
            SocketConstants.IPV6_MULTICAST_LOOP,
            Plain.FLAG,
            1,
            udp),
        OptionRow.both(
            "IP_MULTICAST_IF",
            SocketConstants.IP_MULTICAST_IF,
            SocketConstants.IPV6_MULTICAST_IF,
            Plain.INTERFACE,
            0,
            udp),
        OptionRow.of(
            "MAX_DESCRIPTORS",
            0,
            0,
            Plain.STORED,
            new Range(0, DescriptorMessage.MAX_DESCRIPTORS),
            descriptors));
  }

  // ---- finding ----

  /// Null if no option has this name.
  @Nullable OptionRow find(SocketOption<?> option) {
    return rows.get(option.name());
  }

  /// The row of an option, or an exception that names it.
  OptionRow row(SocketOption<?> option) {
    @Nullable OptionRow row = find(option);
    if (row == null) {
      throw new UnsupportedOperationException(
          "the sockets of this transport do not have the option "
              + option.name()
              + "; a RawSocketOption sets any by its numbers");
    }
    return row;
  }

  /// The names of the options that sockets of a kind support, sorted.
  public Set<String> names(SocketKind kind) {
    Set<String> names = new TreeSet<>();
    rows.values().stream()
        .filter(row -> row.kinds().contains(kind))
        .forEach(row -> names.add(row.name()));
    return names;
  }

  // ---- checking ----

  /// Checks options for sockets of one kind.
  ///
  /// @throws UnsupportedOperationException if such a socket does not support an option
  /// @throws IllegalArgumentException if a value has the wrong type or is out of range
  public void validate(SocketKind kind, Map<SocketOption<?>, Object> options) {
    options.forEach((option, value) -> {
      check(option, value);
      requireSupported(kind, option);
    });
  }

  /// Checks options that one of two kinds of sockets must support.
  void validateAny(Map<SocketOption<?>, Object> options, SocketKind first, SocketKind second) {
    options.forEach((option, value) -> {
      check(option, value);
      if (!isSupportedBy(first, option) && !isSupportedBy(second, option)) {
        throw refusal(first, option);
      }
    });
  }

  void requireSupported(SocketKind kind, SocketOption<?> option) {
    if (!isSupportedBy(kind, option)) {
      throw refusal(kind, option);
    }
  }

  boolean isSupportedBy(SocketKind kind, SocketOption<?> option) {
    return option instanceof RawSocketOption<?> || row(option).kinds().contains(kind);
  }

  private UnsupportedOperationException refusal(SocketKind kind, SocketOption<?> option) {
    return new UnsupportedOperationException(
        kind
            + " does not take the option "
            + option.name()
            + "; it takes "
            + names(kind)
            + kind.hint());
  }

  /// Checks a value for an option of any socket.
  void check(SocketOption<?> option, Object value) {
    requireType(option, option.type(), value);
    if (option instanceof RawSocketOption<?>) {
      return;
    }
    OptionRow row = row(option);
    if (row.form() instanceof OptionForm.Struct) {
      throw new UnsupportedOperationException("option " + option.name() + " is read only");
    }
    // A program may declare an option of the same name with another type.
    requireType(option, row.form().type(), value);
    Range range = row.range();
    if (value instanceof Integer number && (number < range.min() || number > range.max())) {
      throw new IllegalArgumentException(
          "option "
              + option.name()
              + " is "
              + number
              + ", expected "
              + range.min()
              + " to "
              + range.max());
    }
  }

  private static void requireType(SocketOption<?> option, Class<?> type, Object value) {
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(
          "option "
              + option.name()
              + " takes a value of type "
              + type.getSimpleName()
              + ", not "
              + value);
    }
  }
}

package dev.quickwater.io.linux;

import static dev.quickwater.io.posix.SocketConstants.AF_INET;
import static dev.quickwater.io.posix.SocketConstants.IPPROTO_IPV6;
import static dev.quickwater.io.posix.SocketConstants.SOCK_CLOEXEC;
import static dev.quickwater.io.posix.SocketConstants.SOCK_STREAM;
import static dev.quickwater.io.posix.SocketConstants.SOL_SOCKET;

import dev.quickwater.io.posix.Errno;
import dev.quickwater.io.posix.SocketConstants;
import dev.quickwater.system.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketOption;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Checks, sets and reads the options of sockets: the rows of [OptionTable], and any other as a
/// [RawSocketOption].
///
/// - **Refused early:** [#validate] throws for an unsupported option or a value out of range before
///   the socket is created; the message names the option. [#validateListening] also tries the
///   options of future connections on a socket.
/// - **Thread:** the loop of the poller, whose memory the calls use.
final class SocketOptions {

  /// The option with which [OwnedDescriptor#duplicateOf] reads a channel's descriptor.
  static final SocketOption<OwnedDescriptor> DUPLICATE =
      new SocketOption<>() {
        @Override
        public String name() {
          return "the descriptor";
        }

        @Override
        public Class<OwnedDescriptor> type() {
          return OwnedDescriptor.class;
        }
      };

  private static final int TEXT_LENGTH = 16;

  private SocketOptions() {}

  // ---- checking ----

  /// Checks options for sockets of one kind.
  ///
  /// @throws UnsupportedOperationException if such a socket does not support an option
  /// @throws IllegalArgumentException if a value has the wrong type or is out of range
  static void validate(SocketKind kind, Map<SocketOption<?>, Object> options) {
    options.forEach((option, value) -> {
      check(option, value);
      requireTaken(kind, option);
    });
  }

  /// Checks options of a listening socket and its connections: one of the two must support each.
  /// Those of connections are tried on a socket: a kernel may lack an option or require a
  /// permission, and would otherwise reset every accepted connection.
  ///
  /// @throws IOException if the kernel refuses an option; the message names it
  static void validateListening(EpollPoller poller, Map<SocketOption<?>, Object> options)
      throws IOException {
    validateAny(options, SocketKind.LISTENER, SocketKind.ACCEPTED);
    if (options.isEmpty()) {
      return;
    }
    int fd = poller.kernel.socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
      throw Errno.failure("socket", fd);
    }
    try {
      apply(poller, fd, SocketKind.ACCEPTED, options);
    } finally {
      poller.kernel.close(fd);
    }
  }

  /// Checks options that one of two kinds of sockets must support.
  static void validateAny(
      Map<SocketOption<?>, Object> options, SocketKind first, SocketKind second) {
    options.forEach((option, value) -> {
      check(option, value);
      if (!isSupportedBy(first, option) && !isSupportedBy(second, option)) {
        throw refusal(first, option);
      }
    });
  }

  private static void requireTaken(SocketKind kind, SocketOption<?> option) {
    if (!isSupportedBy(kind, option)) {
      throw refusal(kind, option);
    }
  }

  private static boolean isSupportedBy(SocketKind kind, SocketOption<?> option) {
    return option instanceof RawSocketOption<?> || OptionTable.row(option).kinds().contains(kind);
  }

  private static UnsupportedOperationException refusal(SocketKind kind, SocketOption<?> option) {
    return new UnsupportedOperationException(
        kind
            + " does not take the option "
            + option.name()
            + "; it takes "
            + OptionTable.names(kind)
            + kind.hint());
  }

  private static void check(SocketOption<?> option, Object value) {
    requireType(option, option.type(), value);
    if (option instanceof RawSocketOption<?>) {
      return;
    }
    OptionTable.Row row = OptionTable.row(option);
    if (row.form() == OptionTable.Form.TCP_INFO || row.form() == OptionTable.Form.CREDENTIALS) {
      throw new UnsupportedOperationException("option " + option.name() + " is read only");
    }
    // A program may declare an option of the same name with another type.
    requireType(option, row.form().type, value);
    if (value instanceof Integer number && (number < row.min() || number > row.max())) {
      throw new IllegalArgumentException(
          "option "
              + option.name()
              + " is "
              + number
              + ", expected "
              + row.min()
              + " to "
              + row.max());
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

  // ---- setting ----

  /// Sets the options that a socket of this kind supports.
  static void apply(
      EpollPoller poller, int fd, SocketKind kind, Map<SocketOption<?>, Object> options)
      throws IOException {
    for (Map.Entry<SocketOption<?>, Object> option : options.entrySet()) {
      if (isSupportedBy(kind, option.getKey())) {
        check(option.getKey(), option.getValue());
        setTaken(poller, fd, option.getKey(), option.getValue());
      }
    }
  }

  /// Sets one option of a socket, checked as [#validate] does.
  static void set(EpollPoller poller, int fd, SocketKind kind, SocketOption<?> option, Object value)
      throws IOException {
    check(option, value);
    requireTaken(kind, option);
    setTaken(poller, fd, option, value);
  }

  private static void setTaken(EpollPoller poller, int fd, SocketOption<?> option, Object value)
      throws IOException {
    if (option instanceof RawSocketOption<?> raw) {
      if (value instanceof byte[] bytes) {
        setBytes(poller, fd, raw.level(), raw.number(), option, bytes);
      } else {
        require(setInt(poller, fd, raw.level(), raw.number(), (Integer) value), option);
      }
      return;
    }
    OptionTable.Row row = OptionTable.row(option);
    switch (row.form()) {
      case FLAG -> setBoth(poller, fd, row, option, (Boolean) value ? 1 : 0);
      case INT, DOUBLED -> setBoth(poller, fd, row, option, (Integer) value);
      case LINGER -> setLinger(poller, fd, row, option, (Integer) value);
      case TEXT ->
          setBytes(
              poller,
              fd,
              row.level(),
              row.number(),
              option,
              ((String) value).getBytes(StandardCharsets.US_ASCII));
      case INTERFACE -> setInterface(poller, fd, row, option, (NetworkInterface) value);
      case STORED -> {} // the socket object stores it
      case TCP_INFO, CREDENTIALS -> throw new AssertionError("refused by the check");
    }
  }

  /// An IPv6 socket has the option of both levels, and sends by both protocols.
  private static void setBoth(
      EpollPoller poller, int fd, OptionTable.Row row, SocketOption<?> option, int value)
      throws IOException {
    require(setInt(poller, fd, row.level(), row.number(), value), option);
    if (row.number6() != 0) {
      requireUnlessIpv4(setInt(poller, fd, IPPROTO_IPV6, row.number6(), value), option);
    }
  }

  private static void setLinger(
      EpollPoller poller, int fd, OptionTable.Row row, SocketOption<?> option, int seconds)
      throws IOException {
    long at = poller.scratch.value;
    Scratch.putInt(at, seconds < 0 ? 0 : 1);
    Scratch.putInt(at + 4, Math.max(seconds, 0));
    require(poller.kernel.setsockopt(fd, row.level(), row.number(), at, 8), option);
  }

  /// `struct ip_mreqn`: group, address, index.
  private static void setInterface(
      EpollPoller poller, int fd, OptionTable.Row row, SocketOption<?> option, NetworkInterface to)
      throws IOException {
    long at = poller.scratch.value;
    Scratch.putInt(at, 0);
    Scratch.putInt(at + 4, 0);
    to.inetAddresses()
        .filter(Inet4Address.class::isInstance)
        .findFirst()
        .ifPresent(address -> Memory.copy(address.getAddress(), 0, at + 4, 4));
    Scratch.putInt(at + 8, to.getIndex());
    require(poller.kernel.setsockopt(fd, row.level(), row.number(), at, 12), option);
    requireUnlessIpv4(setInt(poller, fd, IPPROTO_IPV6, row.number6(), to.getIndex()), option);
  }

  private static void setBytes(
      EpollPoller poller, int fd, int level, int number, SocketOption<?> option, byte[] bytes)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      long at = arena.allocate(Math.max(bytes.length, 1)).address();
      Memory.copy(bytes, 0, at, bytes.length);
      require(poller.kernel.setsockopt(fd, level, number, at, bytes.length), option);
    }
  }

  /// The result of the call.
  private static int setInt(EpollPoller poller, int fd, int level, int number, int value) {
    Scratch.putInt(poller.scratch.value, value);
    return poller.kernel.setsockopt(fd, level, number, poller.scratch.value, Integer.BYTES);
  }

  /// Sets an option that sockets need, by its numbers.
  static void require(EpollPoller poller, int fd, int level, int number, int value)
      throws IOException {
    int result = setInt(poller, fd, level, number, value);
    if (result < 0) {
      throw Errno.failure("setsockopt " + level + "/" + number, result);
    }
  }

  // ---- reading ----

  /// Reads one option. Null is the value of an `IP_MULTICAST_IF` that was never set.
  @SuppressWarnings("NullAway")
  static <T> T get(EpollPoller poller, int fd, SocketKind kind, SocketOption<T> option)
      throws IOException {
    if (option == DUPLICATE) {
      poller.mayHaveDuplicates(fd);
      return option.type().cast(OwnedDescriptor.duplicate(poller.kernel, fd));
    }
    requireTaken(kind, option);
    if (option instanceof RawSocketOption<T> raw) {
      return option.type().cast(raw(poller, fd, raw));
    }
    OptionTable.Row row = OptionTable.row(option);
    @Nullable Object value =
        switch (row.form()) {
          case FLAG -> getInt(poller, fd, row, option) != 0;
          case INT -> getInt(poller, fd, row, option);
          case DOUBLED -> getInt(poller, fd, row, option) / 2;
          case LINGER -> linger(poller, fd, row, option);
          case TEXT -> text(poller, fd, row, option);
          case TCP_INFO -> tcpInfo(poller, fd, row, option);
          case INTERFACE -> networkInterface(poller, fd, row, option);
          case CREDENTIALS -> credentials(poller, fd, row, option);
          case STORED -> throw new AssertionError("the socket object stores it");
        };
    if (value != null && !option.type().isInstance(value)) {
      throw new UnsupportedOperationException(
          "option "
              + option.name()
              + " is read as "
              + value.getClass().getSimpleName()
              + " here, not as "
              + option.type().getSimpleName());
    }
    return option.type().cast(value);
  }

  private static int getInt(EpollPoller poller, int fd, OptionTable.Row row, SocketOption<?> option)
      throws IOException {
    read(poller, fd, row.level(), row.number(), option, poller.scratch.value, 4);
    return Scratch.getInt(poller.scratch.value);
  }

  private static Integer linger(
      EpollPoller poller, int fd, OptionTable.Row row, SocketOption<?> option) throws IOException {
    long at = poller.scratch.value;
    read(poller, fd, row.level(), row.number(), option, at, 8);
    return Scratch.getInt(at) == 0 ? -1 : Scratch.getInt(at + 4);
  }

  private static String text(
      EpollPoller poller, int fd, OptionTable.Row row, SocketOption<?> option) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(TEXT_LENGTH + 1);
      read(poller, fd, row.level(), row.number(), option, text.address(), TEXT_LENGTH);
      return text.getString(0, StandardCharsets.US_ASCII);
    }
  }

  private static TcpInfo tcpInfo(
      EpollPoller poller, int fd, OptionTable.Row row, SocketOption<?> option) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(TcpInfoLayout.LAYOUT);
      int size = (int) info.byteSize();
      read(poller, fd, row.level(), row.number(), option, info.address(), size);
      return TcpInfoLayout.read(info);
    }
  }

  private static PeerCredentials credentials(
      EpollPoller poller, int fd, OptionTable.Row row, SocketOption<?> option) throws IOException {
    long at = poller.scratch.value;
    read(poller, fd, row.level(), row.number(), option, at, ControlMessages.CREDENTIALS_SIZE);
    return ControlMessages.readCredentials(at);
  }

  /// Null if none was set. An IPv6 socket reports the index, an IPv4 socket the address.
  private static @Nullable NetworkInterface networkInterface(
      EpollPoller poller, int fd, OptionTable.Row row, SocketOption<?> option) throws IOException {
    long at = poller.scratch.value;
    Scratch.putInt(at, 0);
    Scratch.putInt(poller.scratch.length, 4);
    int result =
        poller.kernel.getsockopt(fd, IPPROTO_IPV6, row.number6(), at, poller.scratch.length);
    if (result == 0) {
      int index = Scratch.getInt(at);
      return index == 0 ? null : NetworkInterface.getByIndex(index);
    }
    read(poller, fd, row.level(), row.number(), option, at, 4);
    byte[] address = new byte[4];
    Memory.copy(at, address, 0, 4);
    InetAddress local = InetAddress.getByAddress(address);
    return local.isAnyLocalAddress() ? null : NetworkInterface.getByInetAddress(local);
  }

  private static Object raw(EpollPoller poller, int fd, RawSocketOption<?> raw) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(raw.length(), Long.BYTES);
      int length = read(poller, fd, raw.level(), raw.number(), raw, value.address(), raw.length());
      return raw.type() == Integer.class
          ? value.get(ValueLayout.JAVA_INT, 0)
          : value.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private static int read(
      EpollPoller poller, int fd, int level, int number, SocketOption<?> option, long at, int room)
      throws IOException {
    Scratch.putInt(poller.scratch.length, room);
    require(poller.kernel.getsockopt(fd, level, number, at, poller.scratch.length), option);
    return Scratch.getInt(poller.scratch.length);
  }

  /// The maximum number of descriptors per message in the options of a Unix socket.
  static int maxDescriptors(Map<SocketOption<?>, Object> options) {
    return options.get(LinuxSocketOptions.MAX_DESCRIPTORS) instanceof Integer max ? max : 0;
  }

  // ---- errors ----

  static @Nullable IOException pendingError(EpollPoller poller, int fd) {
    int errno = takeError(poller, fd);
    return errno == 0 ? null : Errno.failure("the connection", -errno);
  }

  /// The pending error of a socket, which reading clears; 0 for none.
  static int takeError(EpollPoller poller, int fd) {
    Scratch scratch = poller.scratch;
    Scratch.putInt(scratch.length, 4);
    int result =
        poller.kernel.getsockopt(
            fd, SOL_SOCKET, SocketConstants.SO_ERROR, scratch.value, scratch.length);
    return result < 0 ? -result : Scratch.getInt(scratch.value);
  }

  private static void require(int result, SocketOption<?> option) throws IOException {
    if (result < 0) {
      throw Errno.failure("socket option " + option.name(), result);
    }
  }

  private static void requireUnlessIpv4(int result, SocketOption<?> option) throws IOException {
    if (result != -Errno.ENOPROTOOPT && result != -Errno.EOPNOTSUPP) {
      require(result, option);
    }
  }
}

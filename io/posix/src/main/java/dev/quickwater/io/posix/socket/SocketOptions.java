package dev.quickwater.io.posix.socket;

import static dev.quickwater.io.posix.gate.SocketConstants.AF_INET;
import static dev.quickwater.io.posix.gate.SocketConstants.IPPROTO_IPV6;
import static dev.quickwater.io.posix.gate.SocketConstants.SOCK_STREAM;
import static dev.quickwater.io.posix.gate.SocketConstants.SOL_SOCKET;

import dev.quickwater.io.posix.OwnedDescriptor;
import dev.quickwater.io.posix.PosixSocketOptions;
import dev.quickwater.io.posix.RawSocketOption;
import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.io.posix.gate.NativeOrder;
import dev.quickwater.io.posix.gate.SocketConstants;
import dev.quickwater.io.posix.socket.OptionForm.Plain;
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

/// Sets and reads the options of sockets: the rows of the transport's [OptionTable], and any other
/// as a [RawSocketOption].
///
/// - **Refused early:** [OptionTable#validate] throws before the socket is created.
///   [#validateListening] also tries the options of future connections on a socket.
/// - **Thread:** the loop, whose memory the calls use.
public final class SocketOptions {

  /// The option with which [OwnedDescriptor#duplicateOf] reads a channel's descriptor.
  public static final SocketOption<OwnedDescriptor> DUPLICATE =
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

  /// Checks options of a listening socket and its connections: one of the two must support each.
  /// Those of connections are tried on a socket: a kernel may lack an option or require a
  /// permission, and would otherwise reset every accepted connection.
  ///
  /// @throws IOException if the kernel refuses an option; the message names it
  static void validateListening(LoopSockets sockets, Map<SocketOption<?>, Object> options)
      throws IOException {
    sockets.options.validateAny(options, SocketKind.LISTENER, SocketKind.ACCEPTED);
    if (options.isEmpty()) {
      return;
    }
    int fd = sockets.kernel.socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) {
      throw Errno.failure("socket", fd);
    }
    try {
      apply(sockets, fd, SocketKind.ACCEPTED, options);
    } finally {
      sockets.kernel.close(fd);
    }
  }

  // ---- setting ----

  /// Sets the options that a socket of this kind supports.
  static void apply(
      LoopSockets sockets, int fd, SocketKind kind, Map<SocketOption<?>, Object> options)
      throws IOException {
    for (Map.Entry<SocketOption<?>, Object> option : options.entrySet()) {
      if (sockets.options.isSupportedBy(kind, option.getKey())) {
        sockets.options.check(option.getKey(), option.getValue());
        setTaken(sockets, fd, option.getKey(), option.getValue());
      }
    }
  }

  /// Sets one option of a socket, checked as [OptionTable#validate] does.
  public static void set(
      LoopSockets sockets, int fd, SocketKind kind, SocketOption<?> option, Object value)
      throws IOException {
    sockets.options.check(option, value);
    sockets.options.requireSupported(kind, option);
    setTaken(sockets, fd, option, value);
  }

  private static void setTaken(LoopSockets sockets, int fd, SocketOption<?> option, Object value)
      throws IOException {
    if (option instanceof RawSocketOption<?> raw) {
      if (value instanceof byte[] bytes) {
        setBytes(sockets, fd, raw.level(), raw.number(), option, bytes);
      } else {
        require(setInt(sockets, fd, raw.level(), raw.number(), (Integer) value), option);
      }
      return;
    }
    OptionRow row = sockets.options.row(option);
    switch (row.form()) {
      case Plain.FLAG -> setBoth(sockets, fd, row, option, (Boolean) value ? 1 : 0);
      case Plain.INT, Plain.DOUBLED -> setBoth(sockets, fd, row, option, (Integer) value);
      case Plain.LINGER -> setLinger(sockets, fd, row, option, (Integer) value);
      case Plain.TEXT ->
          setBytes(
              sockets,
              fd,
              row.level(),
              row.number(),
              option,
              ((String) value).getBytes(StandardCharsets.US_ASCII));
      case Plain.INTERFACE -> setInterface(sockets, fd, row, option, (NetworkInterface) value);
      case Plain.STORED -> {} // the socket object stores it
      case OptionForm.Struct _ -> throw new AssertionError("refused by the check");
    }
  }

  /// An IPv6 socket has the option of both levels, and sends by both protocols.
  private static void setBoth(
      LoopSockets sockets, int fd, OptionRow row, SocketOption<?> option, int value)
      throws IOException {
    require(setInt(sockets, fd, row.level(), row.number(), value), option);
    if (row.number6() != 0) {
      requireUnlessIpv4(setInt(sockets, fd, IPPROTO_IPV6, row.number6(), value), option);
    }
  }

  private static void setLinger(
      LoopSockets sockets, int fd, OptionRow row, SocketOption<?> option, int seconds)
      throws IOException {
    long at = sockets.scratch.value;
    NativeOrder.putInt(at, seconds < 0 ? 0 : 1);
    NativeOrder.putInt(at + 4, Math.max(seconds, 0));
    require(sockets.kernel.setsockopt(fd, row.level(), row.number(), at, 8), option);
  }

  /// `struct ip_mreqn`: group, address, index.
  private static void setInterface(
      LoopSockets sockets, int fd, OptionRow row, SocketOption<?> option, NetworkInterface to)
      throws IOException {
    long at = sockets.scratch.value;
    NativeOrder.putInt(at, 0);
    NativeOrder.putInt(at + 4, 0);
    to.inetAddresses()
        .filter(Inet4Address.class::isInstance)
        .findFirst()
        .ifPresent(address -> Memory.copy(address.getAddress(), 0, at + 4, 4));
    NativeOrder.putInt(at + 8, to.getIndex());
    require(sockets.kernel.setsockopt(fd, row.level(), row.number(), at, 12), option);
    requireUnlessIpv4(setInt(sockets, fd, IPPROTO_IPV6, row.number6(), to.getIndex()), option);
  }

  private static void setBytes(
      LoopSockets sockets, int fd, int level, int number, SocketOption<?> option, byte[] bytes)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      long at = arena.allocate(Math.max(bytes.length, 1)).address();
      Memory.copy(bytes, 0, at, bytes.length);
      require(sockets.kernel.setsockopt(fd, level, number, at, bytes.length), option);
    }
  }

  /// The result of the call.
  private static int setInt(LoopSockets sockets, int fd, int level, int number, int value) {
    NativeOrder.putInt(sockets.scratch.value, value);
    return sockets.kernel.setsockopt(fd, level, number, sockets.scratch.value, Integer.BYTES);
  }

  /// Sets an option that sockets need, by its numbers.
  static void require(LoopSockets sockets, int fd, int level, int number, int value)
      throws IOException {
    int result = setInt(sockets, fd, level, number, value);
    if (result < 0) {
      throw Errno.failure("setsockopt " + level + "/" + number, result);
    }
  }

  // ---- reading ----

  /// Reads one option. Null is the value of an `IP_MULTICAST_IF` that was never set.
  @SuppressWarnings("NullAway")
  public static <T> T get(LoopSockets sockets, int fd, SocketKind kind, SocketOption<T> option)
      throws IOException {
    if (option == DUPLICATE) {
      sockets.recordDuplicate(fd);
      return option.type().cast(OwnedDescriptor.adopt(OffLoopCalls.duplicate(fd)));
    }
    sockets.options.requireSupported(kind, option);
    if (option instanceof RawSocketOption<T> raw) {
      return option.type().cast(raw(sockets, fd, raw));
    }
    OptionRow row = sockets.options.row(option);
    @Nullable Object value =
        switch (row.form()) {
          case Plain.FLAG -> getInt(sockets, fd, row, option) != 0;
          case Plain.INT -> getInt(sockets, fd, row, option);
          case Plain.DOUBLED -> getInt(sockets, fd, row, option) / 2;
          case Plain.LINGER -> linger(sockets, fd, row, option);
          case Plain.TEXT -> text(sockets, fd, row, option);
          case Plain.INTERFACE -> networkInterface(sockets, fd, row, option);
          case Plain.STORED -> throw new AssertionError("the socket object stores it");
          case OptionForm.Struct struct -> struct(sockets, fd, row, struct, option);
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

  private static int getInt(LoopSockets sockets, int fd, OptionRow row, SocketOption<?> option)
      throws IOException {
    read(sockets, fd, row.level(), row.number(), option, sockets.scratch.value, 4);
    return NativeOrder.getInt(sockets.scratch.value);
  }

  private static Integer linger(LoopSockets sockets, int fd, OptionRow row, SocketOption<?> option)
      throws IOException {
    long at = sockets.scratch.value;
    read(sockets, fd, row.level(), row.number(), option, at, 8);
    return NativeOrder.getInt(at) == 0 ? -1 : NativeOrder.getInt(at + 4);
  }

  private static String text(LoopSockets sockets, int fd, OptionRow row, SocketOption<?> option)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(TEXT_LENGTH + 1);
      read(sockets, fd, row.level(), row.number(), option, text.address(), TEXT_LENGTH);
      return text.getString(0, StandardCharsets.US_ASCII);
    }
  }

  private static Object struct(
      LoopSockets sockets, int fd, OptionRow row, OptionForm.Struct struct, SocketOption<?> option)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(struct.size(), Long.BYTES);
      read(sockets, fd, row.level(), row.number(), option, memory.address(), struct.size());
      return struct.reader().apply(memory);
    }
  }

  /// Null if none was set. An IPv6 socket reports the index, an IPv4 socket the address.
  private static @Nullable NetworkInterface networkInterface(
      LoopSockets sockets, int fd, OptionRow row, SocketOption<?> option) throws IOException {
    long at = sockets.scratch.value;
    NativeOrder.putInt(at, 0);
    NativeOrder.putInt(sockets.scratch.length, 4);
    int result =
        sockets.kernel.getsockopt(fd, IPPROTO_IPV6, row.number6(), at, sockets.scratch.length);
    if (result == 0) {
      int index = NativeOrder.getInt(at);
      return index == 0 ? null : NetworkInterface.getByIndex(index);
    }
    read(sockets, fd, row.level(), row.number(), option, at, 4);
    byte[] address = new byte[4];
    Memory.copy(at, address, 0, 4);
    InetAddress local = InetAddress.getByAddress(address);
    return local.isAnyLocalAddress() ? null : NetworkInterface.getByInetAddress(local);
  }

  private static Object raw(LoopSockets sockets, int fd, RawSocketOption<?> raw)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(raw.length(), Long.BYTES);
      int length = read(sockets, fd, raw.level(), raw.number(), raw, value.address(), raw.length());
      return raw.type() == Integer.class
          ? value.get(ValueLayout.JAVA_INT, 0)
          : value.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private static int read(
      LoopSockets sockets, int fd, int level, int number, SocketOption<?> option, long at, int room)
      throws IOException {
    NativeOrder.putInt(sockets.scratch.length, room);
    require(sockets.kernel.getsockopt(fd, level, number, at, sockets.scratch.length), option);
    return NativeOrder.getInt(sockets.scratch.length);
  }

  /// The maximum number of descriptors per message in the options of a Unix socket.
  static int maxDescriptors(Map<SocketOption<?>, Object> options) {
    return options.get(PosixSocketOptions.MAX_DESCRIPTORS) instanceof Integer max ? max : 0;
  }

  /// The value of the option `UDP_SEGMENT`, or the negated errno.
  static int segmentSize(LoopSockets sockets, int fd) {
    return tryInt(sockets, fd, SocketConstants.IPPROTO_UDP, SocketConstants.UDP_SEGMENT);
  }

  /// An option that is an `int` of at least 0, or the negated errno.
  private static int tryInt(LoopSockets sockets, int fd, int level, int number) {
    Scratch scratch = sockets.scratch;
    NativeOrder.putInt(scratch.length, 4);
    int result = sockets.kernel.getsockopt(fd, level, number, scratch.value, scratch.length);
    return result < 0 ? result : NativeOrder.getInt(scratch.value);
  }

  // ---- errors ----

  static @Nullable IOException pendingError(LoopSockets sockets, int fd) {
    int errno = takeError(sockets, fd);
    return errno == 0 ? null : Errno.failure("the connection", -errno);
  }

  /// The pending error of a socket, which reading clears; 0 for none.
  static int takeError(LoopSockets sockets, int fd) {
    return Math.abs(tryInt(sockets, fd, SOL_SOCKET, SocketConstants.SO_ERROR));
  }

  private static void require(int result, SocketOption<?> option) throws IOException {
    if (result < 0) {
      throw Errno.failure("socket option " + option.name(), result);
    }
  }

  private static void requireUnlessIpv4(int result, SocketOption<?> option) throws IOException {
    if (!Errno.isMissingOption(result)) {
      require(result, option);
    }
  }
}

package dev.quickwater.io.posix.socket;

import static dev.quickwater.io.posix.gate.SocketConstants.MSG_CMSG_CLOEXEC;
import static dev.quickwater.io.posix.gate.SocketConstants.MSG_CTRUNC;
import static dev.quickwater.io.posix.gate.SocketConstants.MSG_NOSIGNAL;
import static dev.quickwater.io.posix.gate.SocketConstants.MSG_TRUNC;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.io.posix.DescriptorMessage;
import dev.quickwater.io.posix.OwnedDescriptor;
import dev.quickwater.io.posix.PeerCredentials;
import dev.quickwater.io.posix.gate.Kernel;
import dev.quickwater.io.posix.gate.MessageLayouts;
import dev.quickwater.io.posix.gate.NativeOrder;
import dev.quickwater.io.posix.gate.PackedAddress;
import dev.quickwater.io.posix.gate.SocketAddresses;
import dev.quickwater.io.posix.gate.UnixAddresses;
import dev.quickwater.system.Memory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A batch of messages that one system call sends or receives. Arrays of native memory, allocated
/// once, hold the headers (`mmsghdr`), addresses, byte regions (`iovec`) and control messages.
///
/// - **Receiving:** [#room] sets the memory for the bytes of each message, [#receive] (for a stream
///   [#receiveOne]) fills it, then the caller reads the results. Before the next receive, `room`
///   must be called again for each used message, because the kernel overwrites lengths.
/// - **Sending:** [#begin] starts a message and [#region] adds bytes. [#destination] and the
///   control methods are optional. [#send] sends a range of messages in order.
/// - **One failure, one message:** the kernel stops at the first message that fails. [#send]
///   reports a failure only for the first message of the range. The caller fails that message and
///   sends the rest; see [dev.quickwater.io.posix.gate.Errno#concernsOneMessage]. After a count
///   below the range, sending the next message reports its failure.
/// - **Truncation:** [#length] is the length of the complete datagram, which may exceed the room;
///   [#isTruncated] is true then. The kernel closes descriptors that do not fit;
///   [#isControlTruncated] is true then.
/// - **Ownership:** the batch owns its arrays. The caller owns the bytes of regions and rooms,
///   which must stay valid during the call. The caller owns received descriptors, and reads them
///   after every receive that may carry some; otherwise they stay open.
/// - **Thread:** one thread at a time.
final class MessageBatch implements AutoCloseable {

  private static final int HEADER = (int) MessageLayouts.MMSGHDR.byteSize();
  private static final int IOVEC = (int) MessageLayouts.IOVEC.byteSize();

  /// The maximum address size, rounded up for alignment.
  private static final int ADDRESS = 112;

  private final ByteBuf memory;
  private final int capacity;
  private final int maxRegions;
  private final int controlBytes;
  private final long headers;
  private final long iovecs;
  private final long addresses;
  private final long controls;

  /// A batch of `capacity` messages, each with at most `maxRegions` regions and `controlBytes`
  /// bytes of control messages.
  MessageBatch(int capacity, int maxRegions, int controlBytes) {
    this.capacity = capacity;
    this.maxRegions = maxRegions;
    this.controlBytes = controlBytes + 7 & -8;
    int bytes = capacity * (HEADER + maxRegions * IOVEC + ADDRESS + this.controlBytes);
    memory = ByteBufAllocator.shared().allocate(bytes);
    headers = UnsafeViews.address(memory, 0);
    iovecs = headers + (long) capacity * HEADER;
    addresses = iovecs + (long) capacity * maxRegions * IOVEC;
    controls = addresses + (long) capacity * ADDRESS;
    Memory.fill(headers, bytes, (byte) 0);
    for (int i = 0; i < capacity; i++) {
      NativeOrder.putLong(header(i) + MessageLayouts.IOVECS, iovec(i, 0));
    }
  }

  int capacity() {
    return capacity;
  }

  private long header(int index) {
    return headers + (long) Objects.checkIndex(index, capacity) * HEADER;
  }

  private long iovec(int index, int region) {
    return iovecs + ((long) index * maxRegions + region) * IOVEC;
  }

  private long address(int index) {
    return addresses + (long) index * ADDRESS;
  }

  private long control(int index) {
    return controls + (long) index * controlBytes;
  }

  private int controlLength(int index) {
    return (int) NativeOrder.getLong(header(index) + MessageLayouts.CONTROL_LENGTH);
  }

  private int flags(int index) {
    return NativeOrder.getInt(header(index) + MessageLayouts.FLAGS);
  }

  // ---- receiving ----

  /// Sets the room of a message to `length` bytes at `address`.
  void room(int index, long address, int length) {
    room(index, address, length, controlBytes);
  }

  /// Like [#room(int, long, int)], with a smaller room for control messages. With 0 the kernel
  /// closes received descriptors.
  void room(int index, long address, int length, int control) {
    Objects.checkIndex(control, controlBytes + 1);
    long header = header(index);
    NativeOrder.putLong(header + MessageLayouts.NAME, address(index));
    NativeOrder.putInt(header + MessageLayouts.NAME_LENGTH, UnixAddresses.SIZE);
    NativeOrder.putLong(iovec(index, 0), address);
    NativeOrder.putLong(iovec(index, 0) + 8, length);
    NativeOrder.putLong(header + MessageLayouts.IOVEC_COUNT, 1);
    NativeOrder.putLong(header + MessageLayouts.CONTROL, control == 0 ? 0 : control(index));
    NativeOrder.putLong(header + MessageLayouts.CONTROL_LENGTH, control);
    NativeOrder.putInt(header + MessageLayouts.FLAGS, 0);
  }

  /// Receives at most `count` datagrams into the first messages.
  ///
  /// @return the number of datagrams, or the negated errno
  int receive(Kernel kernel, int fd, int count) {
    Objects.checkIndex(count - 1, capacity);
    return kernel.recvmmsg(fd, headers, count, MSG_TRUNC | MSG_CMSG_CLOEXEC);
  }

  /// Receives the bytes of a stream into one message, whose [#length] is the result. 0 is the end
  /// of the stream.
  ///
  /// @return the number of bytes, or the negated errno
  long receiveOne(Kernel kernel, int fd, int index) {
    long header = header(index);
    long received = kernel.recvmsg(fd, header, MSG_CMSG_CLOEXEC);
    NativeOrder.putInt(header + MessageLayouts.LENGTH, (int) Math.max(received, 0));
    return received;
  }

  /// The length of a sent or received message, including received bytes that did not fit.
  int length(int index) {
    return NativeOrder.getInt(header(index) + MessageLayouts.LENGTH);
  }

  /// True if the room was too small for the datagram; the rest is lost.
  boolean isTruncated(int index) {
    return (flags(index) & MSG_TRUNC) != 0;
  }

  /// True if the room for control messages was too small.
  boolean isControlTruncated(int index) {
    return (flags(index) & MSG_CTRUNC) != 0;
  }

  /// The sender of a message; null on a connection. The sender of a Unix datagram that is not bound
  /// has the empty path.
  @Nullable SocketAddress source(int index) {
    int length = NativeOrder.getInt(header(index) + MessageLayouts.NAME_LENGTH);
    return length == 0 ? null : SocketAddresses.decode(address(index), length);
  }

  /// Like [#source], from a cache.
  @Nullable SocketAddress source(int index, AddressCache cache) {
    return cache.decode(
        address(index), NativeOrder.getInt(header(index) + MessageLayouts.NAME_LENGTH));
  }

  /// Like [#source], as a packed address; null for Unix sockets.
  @Nullable PackedAddress packedSource(int index) {
    int length = NativeOrder.getInt(header(index) + MessageLayouts.NAME_LENGTH);
    return length == 0 ? null : PackedAddress.read(address(index));
  }

  /// The size of the datagrams in this message (`UDP_GRO`); 0 if the message is one datagram.
  int segmentSize(int index) {
    return ControlMessages.segmentSize(control(index), controlLength(index));
  }

  /// The destination address of a message, or null if the socket does not report it.
  @Nullable InetAddress receivedAt(int index) {
    return ControlMessages.destination(control(index), controlLength(index));
  }

  /// The index of the receiving interface, or 0 if the socket does not report it.
  int interfaceIndex(int index) {
    return ControlMessages.interfaceIndex(control(index), controlLength(index));
  }

  /// The descriptors that came with a message. The caller owns them.
  int[] descriptors(int index) {
    return ControlMessages.descriptors(control(index), controlLength(index));
  }

  /// The sending process, or null if the socket does not report it.
  @Nullable PeerCredentials credentials(int index) {
    return ControlMessages.credentials(control(index), controlLength(index));
  }

  // ---- sending ----

  /// Starts a message without bytes, destination or control messages.
  void begin(int index) {
    long header = header(index);
    NativeOrder.putLong(header + MessageLayouts.NAME, 0);
    NativeOrder.putInt(header + MessageLayouts.NAME_LENGTH, 0);
    NativeOrder.putLong(header + MessageLayouts.IOVEC_COUNT, 0);
    NativeOrder.putLong(header + MessageLayouts.CONTROL, 0);
    NativeOrder.putLong(header + MessageLayouts.CONTROL_LENGTH, 0);
    NativeOrder.putInt(header + MessageLayouts.FLAGS, 0);
    NativeOrder.putInt(header + MessageLayouts.LENGTH, 0);
  }

  /// Appends bytes to a message.
  ///
  /// @throws IndexOutOfBoundsException if the message already has `maxRegions` regions
  void region(int index, long address, int length) {
    long header = header(index);
    int count = (int) NativeOrder.getLong(header + MessageLayouts.IOVEC_COUNT);
    long iovec = iovec(index, Objects.checkIndex(count, maxRegions));
    NativeOrder.putLong(iovec, address);
    NativeOrder.putLong(iovec + 8, length);
    NativeOrder.putLong(header + MessageLayouts.IOVEC_COUNT, count + 1L);
  }

  /// Sets the destination of a message. Not needed on a connected socket.
  ///
  /// @param family the socket's address family
  void destination(int index, SocketAddress to, int family) {
    long at = address(index);
    int length =
        to instanceof InetSocketAddress inet
            ? SocketAddresses.encode(inet, family, at)
            : UnixAddresses.encode(to, at);
    NativeOrder.putLong(header(index) + MessageLayouts.NAME, at);
    NativeOrder.putInt(header(index) + MessageLayouts.NAME_LENGTH, length);
  }

  /// Like [#destination(int, SocketAddress, int)], from a cache.
  void destination(int index, InetSocketAddress to, AddressCache cache) {
    long at = address(index);
    NativeOrder.putInt(header(index) + MessageLayouts.NAME_LENGTH, cache.encode(to, at));
    NativeOrder.putLong(header(index) + MessageLayouts.NAME, at);
  }

  /// Splits the bytes of a message into datagrams of this size; the last may be shorter.
  void segmentSize(int index, int bytes) {
    requireControl(index, ControlMessages.segmentSizeSpace());
    control(index, ControlMessages.segmentSize(control(index), controlLength(index), bytes));
  }

  /// Sets the local address of a message, and its interface if the index is not 0.
  void sendFrom(int index, InetAddress local, int interfaceIndex) {
    requireControl(index, ControlMessages.sourceSpace(local));
    control(
        index, ControlMessages.source(control(index), controlLength(index), local, interfaceIndex));
  }

  /// Adds open descriptors to a message of a Unix socket. The caller keeps them, and may close them
  /// once the message is sent.
  void passDescriptors(int index, int... descriptors) {
    requireControl(index, ControlMessages.space(descriptors.length * Integer.BYTES));
    control(index, ControlMessages.descriptors(control(index), controlLength(index), descriptors));
  }

  /// Adds the descriptors of a message.
  ///
  /// @throws IllegalStateException if one of them was closed or taken
  void passDescriptors(int index, DescriptorMessage message) {
    passDescriptors(
        index, message.descriptors().stream().mapToInt(OwnedDescriptor::number).toArray());
  }

  private void requireControl(int index, int bytes) {
    if (controlLength(index) + bytes > controlBytes) {
      throw new IllegalStateException(
          "a message has "
              + controlLength(index)
              + " of "
              + controlBytes
              + " bytes of control messages, no room for "
              + bytes);
    }
  }

  private void control(int index, int used) {
    NativeOrder.putLong(header(index) + MessageLayouts.CONTROL, control(index));
    NativeOrder.putLong(header(index) + MessageLayouts.CONTROL_LENGTH, used);
  }

  /// Sends `count` messages, starting with index `from`.
  ///
  /// @return the number of sent messages, or the negated errno of message `from`
  int send(Kernel kernel, int fd, int from, int count) {
    Objects.checkFromIndexSize(from, count, capacity);
    return kernel.sendmmsg(fd, header(from), count, MSG_NOSIGNAL);
  }

  /// Sends one message; on a stream, possibly a part of it.
  ///
  /// @return the number of sent bytes, or the negated errno
  long sendOne(Kernel kernel, int fd, int index) {
    return kernel.sendmsg(fd, header(index), MSG_NOSIGNAL);
  }

  @Override
  public void close() {
    memory.release();
  }
}

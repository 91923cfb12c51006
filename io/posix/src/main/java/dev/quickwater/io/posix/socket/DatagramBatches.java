package dev.quickwater.io.posix.socket;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.channel.Datagram;
import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.DatagramOutput;
import dev.quickwater.channel.spi.Messages;
import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.system.Memory;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Receives and sends the datagrams of one socket, up to [DatagramBuffers#MESSAGES] per system
/// call. A [Form] converts between datagrams and messages.
final class DatagramBatches {

  /// A kind of datagram socket.
  interface Form {

    /// The messages that one system call transfers.
    MessageBatch batch();

    /// The bytes for the control messages of each received message.
    int controlRoom();

    /// Creates an object from a received message. The object owns everything that came with the
    /// message. If this throws, nothing that came with the message stays open.
    AutoCloseable take(ChannelEvents events, int index);

    /// Fills the message at an index with a flushed datagram.
    ///
    /// @throws RuntimeException if this socket cannot send the datagram
    void prepare(DatagramOutput output, int index, Datagram datagram);

    /// True if the kernel splits a message into datagrams of the size that the message names
    /// (`UDP_SEGMENT`).
    boolean splitsMessages();

    /// The failure of a datagram that would block; null if the socket waits until it is writable.
    @Nullable IOException noRoom(Datagram datagram);
  }

  /// The maximum number of datagrams in a message (`UDP_MAX_SEGMENTS` of Linux before 6.9).
  static final int MAX_MERGED = 64;

  /// The maximum size of datagrams that are merged: an Ethernet frame without the headers of IPv6
  /// and UDP. The kernel does not split a message into datagrams above the MTU.
  private static final int MAX_MERGED_SIZE = 1452;

  /// The maximum number of bytes in a message, slightly below the maximum of an IP packet.
  private static final int MAX_MESSAGE = 65_000;

  /// The maximum number of datagrams in a call. A call with only full messages would keep other
  /// channels waiting for a millisecond.
  private static final int MAX_DATAGRAMS = 128;

  /// The number of datagrams that are sent one by one after the kernel has refused to split a
  /// message. The reason may be one destination: a path with a small MTU, or port 0. Messages to
  /// other destinations are merged again after this number.
  private static final int SEPARATE = 1_000;

  private final LoopSockets sockets;
  private final int fd;
  private final @Nullable SocketAddress remote;
  private final Form form;

  /// The expected number of waiting datagrams, from the last receive.
  private int expected = 1;

  private boolean closed;

  /// Whether the kernel splits messages; null until datagrams could be merged, and after an option
  /// of the socket was set.
  private @Nullable Boolean splits;

  /// The number of datagrams that are sent one by one before datagrams are merged again.
  private int separate;

  /// The datagrams that were received when a handler stopped reading.
  private final ArrayDeque<AutoCloseable> waiting = new ArrayDeque<>(0);

  /// The batches of a socket that is connected to `remote`, or unconnected if that is null.
  DatagramBatches(LoopSockets sockets, int fd, @Nullable SocketAddress remote, Form form) {
    this.sockets = sockets;
    this.fd = fd;
    this.remote = remote;
    this.form = form;
  }

  /// An option of the socket was set.
  void optionSet() {
    splits = null;
  }

  /// Stops delivering.
  void close() {
    closed = true;
    @Nullable AutoCloseable message;
    while ((message = waiting.poll()) != null) {
      Messages.discard(message);
    }
  }

  /// True if datagrams were received and not delivered.
  boolean hasReceived() {
    return !waiting.isEmpty();
  }

  // ---- receiving ----

  /// Receives one datagram at first and twice as many after each full batch: each prepared message
  /// costs time, and most sockets have one datagram at a time.
  ///
  /// @return true if more than `max` datagrams may wait
  boolean receive(ChannelEvents events, int max) throws IOException {
    int left = max;
    while (events.isReading() && !waiting.isEmpty()) {
      events.received(waiting.remove());
      left--;
    }
    while (left > 0 && events.isReading() && !closed) {
      int count = Math.min(Math.min(expected, left), DatagramBuffers.MESSAGES);
      int received = receiveBatch(events, count);
      expected = received == count ? Math.min(2 * count, DatagramBuffers.MESSAGES) : received + 1;
      left -= Math.max(received, 1);
      if (received < count || closed) {
        return false;
      }
    }
    return true;
  }

  private int receiveBatch(ChannelEvents events, int count) throws IOException {
    MessageBatch batch = form.batch();
    DatagramBuffers buffers = sockets.datagrams();
    int control = form.controlRoom();
    for (int i = 0; i < count; i++) {
      batch.room(i, buffers.room(i), DatagramBuffers.ROOM, control);
    }
    int received = batch.receive(sockets.kernel, fd, count);
    if (received < 0) {
      if (Errno.wouldBlock(received)) {
        return 0;
      }
      throw Errno.failure("recvmmsg", received);
    }
    deliver(events, takeAll(events, received));
    return received;
  }

  /// All datagrams are converted before the first is delivered: a handler may use the memory for
  /// another socket.
  private @Nullable AutoCloseable[] takeAll(ChannelEvents events, int received) {
    @Nullable AutoCloseable[] messages = new AutoCloseable[received];
    for (int i = 0; i < received; i++) {
      try {
        messages[i] = form.take(events, i);
      } catch (OutOfMemoryError e) {
        events.messageFailed(e); // this datagram is lost
      }
    }
    return messages;
  }

  private void deliver(ChannelEvents events, @Nullable AutoCloseable[] messages) {
    for (@Nullable AutoCloseable message : messages) {
      if (message == null) {
        continue;
      }
      if (closed) {
        Messages.discard(message);
      } else if (!events.isReading()) {
        waiting.add(message);
      } else {
        events.received(message);
      }
    }
  }

  /// A copy of the bytes of a received message, in a buffer of their size.
  ByteBuf content(ChannelEvents events, int index) {
    int length = Math.min(form.batch().length(index), DatagramBuffers.ROOM);
    ByteBuf content = events.allocator().allocate(length);
    long from = sockets.datagrams().room(index);
    if (UnsafeViews.isNative(content)) {
      Memory.copy(from, UnsafeViews.address(content, 0), length);
    } else {
      Memory.copy(from, UnsafeViews.array(content), UnsafeViews.arrayOffset(content), length);
    }
    return content.writerIndex(length);
  }

  // ---- sending ----

  /// Sends flushed datagrams in order. Successive datagrams of one size to one destination form one
  /// message, which passes through the layers of the kernel once before the kernel splits it.
  ///
  /// @return true if the caller may send the rest at once; false if the socket would block
  boolean send(DatagramOutput output) throws IOException {
    int messages = 0;
    int offered = 0;
    @Nullable RuntimeException refused = null;
    int[] ends = sockets.datagrams().ends;
    boolean merges = merges(output);
    int max = Math.min(output.flushedCount(), MAX_DATAGRAMS);
    while (messages < DatagramBuffers.MESSAGES && offered < max && refused == null) {
      try {
        Datagram first = output.flushedAt(offered);
        form.prepare(output, messages, first);
        offered = merges ? merge(output, messages, first, offered + 1, max) : offered + 1;
        ends[messages] = offered;
        messages++;
      } catch (RuntimeException e) {
        refused = e; // reported once the datagrams in front are sent
      }
    }
    if (messages == 0 && refused != null) {
      output.fail(refused);
      return true;
    }
    int sent = form.batch().send(sockets.kernel, fd, 0, messages);
    if (sent >= 0) {
      int datagrams = sent == 0 ? 0 : ends[sent - 1];
      separate = Math.max(0, separate - datagrams);
      output.sent(datagrams);
      return true;
    }
    if (ends[0] > 1 && Errno.refusesSplitting(sent)) {
      separate = SEPARATE;
      return true;
    }
    return sendFailed(output, sent);
  }

  private boolean merges(DatagramOutput output) {
    if (separate > 0 || output.flushedCount() == 1) {
      return false;
    }
    if (splits == null) {
      splits = form.splitsMessages();
    }
    return splits;
  }

  /// Adds datagrams from index `next` on to a message, up to the first one that cannot follow
  /// `first` in it.
  ///
  /// @param limit the index behind the last datagram of this call
  /// @return the index of the first flushed datagram that is not in the message
  private int merge(DatagramOutput output, int message, Datagram first, int next, int limit) {
    int size = first.content().readableBytes();
    if (!isMergeable(first) || size == 0 || size > MAX_MERGED_SIZE) {
      return next;
    }
    int end = next;
    int max = Math.min(MAX_MERGED, MAX_MESSAGE / size);
    int stop = Math.min(limit, next - 1 + max);
    int last = size;
    while (end < stop && last == size) { // only the last datagram may be shorter
      Datagram datagram = output.flushedAt(end);
      if (!isMergeable(datagram) || !isSame(datagram.remote(), first.remote())) {
        break;
      }
      ByteBuf content = datagram.content();
      last = content.readableBytes();
      if (last == 0 || last > size) {
        break;
      }
      form.batch().region(message, UnsafeViews.address(content, content.readerIndex()), last);
      end++;
    }
    if (end > next) {
      form.batch().segmentSize(message, size);
    }
    return end;
  }

  /// True for the same destination. `equals` ignores the scope of an IPv6 address, which selects
  /// the link.
  private static boolean isSame(@Nullable SocketAddress a, @Nullable SocketAddress b) {
    return a == b || Objects.equals(a, b) && scope(a) == scope(b);
  }

  private static int scope(@Nullable SocketAddress address) {
    return address instanceof InetSocketAddress inet
            && inet.getAddress() instanceof Inet6Address ipv6
        ? ipv6.getScopeId()
        : 0;
  }

  private static boolean isMergeable(Datagram datagram) {
    return datagram.segmentSize() == 0
        && datagram.local() == null
        && datagram.content().isLive()
        && UnsafeViews.isNative(datagram.content());
  }

  private boolean sendFailed(DatagramOutput output, int result) throws IOException {
    Datagram first = output.flushedAt(0);
    if (Errno.wouldBlock(result)) {
      @Nullable IOException noRoom = form.noRoom(first);
      if (noRoom != null) {
        output.fail(noRoom);
      }
      return noRoom != null;
    }
    if (!Errno.concernsOneMessage(result)) {
      throw Errno.failure("sendmmsg", result);
    }
    @Nullable SocketAddress to = first.remote() == null ? remote : first.remote();
    output.fail(Errno.failure("cannot send a datagram to " + to, result));
    return true;
  }

  /// Starts a message with the content of a datagram. The bytes of an array are copied to the
  /// message's memory.
  ///
  /// @throws IllegalArgumentException if the datagram has no destination or is too long
  void begin(int index, Datagram datagram) {
    if (datagram.remote() == null && remote == null) {
      throw new IllegalArgumentException(
          "the datagram has no remote address and its channel is not connected");
    }
    MessageBatch batch = form.batch();
    batch.begin(index);
    batch.region(index, address(datagram.content(), index), datagram.content().readableBytes());
  }

  private long address(ByteBuf content, int index) {
    if (UnsafeViews.isNative(content)) {
      return UnsafeViews.address(content, content.readerIndex());
    }
    int length = content.readableBytes();
    if (length > DatagramBuffers.ROOM) {
      throw new IllegalArgumentException(
          "the datagram has "
              + length
              + " bytes, more than the "
              + DatagramBuffers.ROOM
              + " that are sent from an array");
    }
    long room = sockets.datagrams().room(index);
    Memory.copy(
        UnsafeViews.array(content),
        UnsafeViews.arrayOffset(content) + content.readerIndex(),
        room,
        length);
    return room;
  }
}

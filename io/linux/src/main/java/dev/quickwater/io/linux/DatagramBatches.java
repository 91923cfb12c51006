package dev.quickwater.io.linux;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.channel.Datagram;
import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.DatagramOutput;
import dev.quickwater.channel.spi.Messages;
import dev.quickwater.io.posix.Errno;
import dev.quickwater.system.Memory;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Receives and sends the datagrams of one socket, up to [DatagramBuffers#MESSAGES] with one system
/// call. What a message consists of is decided by its [Form].
final class DatagramBatches {

  /// A kind of datagram socket.
  interface Form {

    /// The messages that one system call transfers.
    MessageBatch batch();

    /// Bytes of room for the control messages of each received message.
    int controlRoom();

    /// Makes an object of a message that was received, which owns everything that came with it. If
    /// this throws, nothing that came with the message is left open.
    AutoCloseable take(ChannelEvents events, int index);

    /// Fills the message at a place with the flushed datagram at the same place.
    ///
    /// @throws RuntimeException if the datagram cannot be sent by this socket
    void prepare(DatagramOutput output, int index);

    /// The failure of a datagram for which there is no room now, or null if the socket becomes
    /// writable when there is.
    @Nullable IOException noRoom(Datagram datagram);
  }

  private final EpollPoller poller;
  private final int fd;
  private final @Nullable SocketAddress remote;
  private final Form form;

  /// How many datagrams are likely to wait; the last receive decides.
  private int expected = 1;

  private boolean closed;

  /// Those that were received when a handler stopped reading.
  private final ArrayDeque<AutoCloseable> waiting = new ArrayDeque<>(0);

  /// For a socket that is connected to `remote`, if that is not null.
  DatagramBatches(EpollPoller poller, int fd, @Nullable SocketAddress remote, Form form) {
    this.poller = poller;
    this.fd = fd;
    this.remote = remote;
    this.form = form;
  }

  /// No datagram is delivered from here on.
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

  /// Requests one datagram at first and twice as many after each full batch, because each message
  /// that is prepared costs, and most sockets have one datagram at a time.
  ///
  /// @return true if there may be more than `max`
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
    DatagramBuffers buffers = poller.datagrams();
    int control = form.controlRoom();
    for (int i = 0; i < count; i++) {
      batch.room(i, buffers.room(i), DatagramBuffers.ROOM, control);
    }
    int received = batch.receive(poller.kernel, fd, count);
    if (received < 0) {
      if (Errno.wouldBlock(received)) {
        return 0;
      }
      throw Errno.failure("recvmmsg", received);
    }
    deliver(events, takeAll(events, received));
    return received;
  }

  /// All are taken before the first is delivered: a handler may use the memory for another socket.
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

  /// A copy of the bytes of a message that was received, in a buffer of their size.
  ByteBuf content(ChannelEvents events, int index) {
    int length = Math.min(form.batch().length(index), DatagramBuffers.ROOM);
    ByteBuf content = events.allocator().allocate(length);
    long from = poller.datagrams().room(index);
    if (UnsafeViews.isNative(content)) {
      Memory.copy(from, UnsafeViews.address(content, 0), length);
    } else {
      Memory.copy(from, UnsafeViews.array(content), UnsafeViews.arrayOffset(content), length);
    }
    return content.writerIndex(length);
  }

  // ---- sending ----

  /// Sends from the front of what is flushed.
  ///
  /// @return true if the kernel took or refused everything that it was offered, false if it would
  ///   block now
  boolean send(DatagramOutput output) throws IOException {
    int offered = 0;
    int max = Math.min(output.flushedCount(), DatagramBuffers.MESSAGES);
    @Nullable RuntimeException refused = null;
    while (offered < max && refused == null) {
      try {
        form.prepare(output, offered);
        offered++;
      } catch (RuntimeException e) {
        refused = e; // of this datagram, which is the first once those before it are sent
      }
    }
    if (offered == 0 && refused != null) {
      output.fail(refused);
      return true;
    }
    int sent = form.batch().send(poller.kernel, fd, 0, offered);
    if (sent >= 0) {
      output.sent(sent);
      return true;
    }
    return sendFailed(output, sent);
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

  /// Starts a message with the content of a datagram; bytes of an array are copied to the room of
  /// the message.
  ///
  /// @throws IllegalArgumentException if the datagram has no destination, or is too long
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
    long room = poller.datagrams().room(index);
    Memory.copy(
        UnsafeViews.array(content),
        UnsafeViews.arrayOffset(content) + content.readerIndex(),
        room,
        length);
    return room;
  }
}

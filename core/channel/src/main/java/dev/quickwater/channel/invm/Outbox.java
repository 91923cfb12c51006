package dev.quickwater.channel.invm;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.CompositeByteBuf;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.FilePiece;
import dev.quickwater.channel.spi.Messages;
import dev.quickwater.channel.spi.StallWatch;
import dev.quickwater.channel.spi.WriteAccount;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;

/// The messages that one end has written and the other has not read.
///
/// - **The window:** flushed messages are sent while the other end has fewer unread bytes than the
///   high water mark; the others wait here. Like bytes that a kernel has taken, sent messages
///   arrive even if this end closes next.
/// - **The account** counts a message until the other end has read it.
/// - **Stalls:** the channel fails when flushed messages wait here and the other end reads nothing
///   for `stallTimeout`.
///
/// Loop thread only.
final class Outbox {

  /// The maximum piece of a file in one message, in bytes.
  private static final int FILE_CHUNK = 64 << 10;

  private final ChannelEvents events;
  private final long window;
  private final MessageList written = new MessageList();
  private final MessageList flushed = new MessageList();

  /// The cost of messages that were sent and not read.
  private long unread;

  /// The cost of messages that wait here.
  private long waiting;

  /// The cost of pieces of files that were sent and not yet counted.
  private long pieces;

  private long pendingBytes;
  private @Nullable IOException failure;
  private @Nullable StallWatch watch;

  Outbox(ChannelEvents events) {
    this.events = events;
    this.window = Math.max(1, events.settings().writes().highWaterMark());
  }

  long pendingBytes() {
    return pendingBytes;
  }

  boolean hasFlushed() {
    return !flushed.isEmpty();
  }

  // ---- writing ----

  void write(Object message, @Nullable Promise<Void> promise) {
    long cost;
    try {
      cost = Messages.memory(message) + WriteAccount.MESSAGE;
    } catch (RuntimeException e) {
      Messages.refuse(events, message, promise, e); // it was released
      return;
    }
    written.add(new Message(message, promise, cost));
    pendingBytes += cost - WriteAccount.MESSAGE;
    waiting += cost;
    events.account().add(cost);
    if (events.account().isOverLimit()) {
      events.failed(
          new IOException(
              events.account().pending()
                  + " bytes wait to be read, more than hardLimit, which is "
                  + events.settings().writes().hardLimit()));
    }
  }

  /// Marks all written messages as flushed, and drops those whose promise was cancelled.
  ///
  /// @return false if nothing was written since the last call
  boolean flush() {
    if (written.isEmpty()) {
      return false;
    }
    @Nullable Message message;
    while ((message = written.poll()) != null) {
      @Nullable Promise<Void> promise = message.promise;
      if (promise != null && !promise.claim() && promise.isCancelled()) {
        removeWaiting(message.cost);
        events.account().remove(message.cost);
        Messages.discard(message.content);
      } else {
        flushed.add(message);
      }
    }
    return true;
  }

  private void removeWaiting(long cost) {
    waiting -= cost;
    pendingBytes -= cost - WriteAccount.MESSAGE;
  }

  // ---- sending ----

  /// Moves the messages that fit into the window to `parcel`.
  ///
  /// @throws IOException if a file cannot be read
  void fill(MessageList parcel) throws IOException {
    @Nullable Message message;
    while (unread < window && (message = flushed.first()) != null) {
      if (message.content instanceof FileRegion region && region.size() > 0) {
        readFile(region, parcel);
        continue;
      }
      if (message.content instanceof CompositeByteBuf composite) {
        addParts(composite, message.cost, parcel); // may fail, and the message stays then
      }
      flushed.poll();
      removeWaiting(message.cost);
      switch (message.content) {
        case FileRegion region -> finishFile(region, message.cost);
        case CompositeByteBuf composite -> composite.release();
        case Object _ -> add(message, parcel);
      }
      if (message.promise != null) {
        events.sent(message.promise);
      }
    }
  }

  /// Counts the pieces of files that were sent. If the channel becomes unwritable, handlers may
  /// run.
  void countPieces() {
    long cost = pieces;
    if (cost > 0) {
      pieces = 0;
      events.account().add(cost);
    }
  }

  private void add(Message message, MessageList parcel) {
    unread += message.cost;
    parcel.add(message);
  }

  /// Sends the parts one by one, because handlers of streams take a [ByteBuf].
  private void addParts(CompositeByteBuf composite, long cost, MessageList parcel) {
    CompositeByteBuf rest = composite.slice(composite.readerIndex(), composite.readableBytes());
    try {
      long left = cost;
      for (ByteBuf part : rest.parts()) {
        if (part.readableBytes() == 0) {
          continue;
        }
        // The last part includes the fixed cost of the message.
        long own =
            left - WriteAccount.MESSAGE == part.readableBytes() ? left : part.readableBytes();
        add(new Message(part.share(), null, own), parcel);
        left -= own;
      }
      if (left > 0) {
        add(new Message(ByteBuf.wrap(), null, left), parcel); // an empty message
      }
    } finally {
      rest.release();
    }
  }

  /// Sends a piece of a file as a buffer.
  private void readFile(FileRegion region, MessageList parcel) throws IOException {
    ByteBuf piece = FilePiece.read(region, events.allocator(), FILE_CHUNK);
    int read = piece.readableBytes();
    region.advance(read);
    long cost = read + WriteAccount.MESSAGE;
    add(new Message(piece, null, cost), parcel);
    pieces += cost;
  }

  private void finishFile(FileRegion region, long cost) {
    events.account().remove(cost);
    Messages.discard(region);
  }

  /// The other end has read messages of this cost.
  void acknowledged(long cost) {
    unread -= cost;
    events.account().remove(cost);
    if (watch != null) {
      watch.progress();
    }
  }

  /// The other end has read everything that was sent.
  void allRead() {
    acknowledged(unread);
  }

  // ---- failing ----

  /// Records that the other end takes nothing any more. The channel fails when it has read what was
  /// sent before, or at a stall if it does not read.
  void broken(IOException cause) {
    failure = cause;
    watch();
  }

  @Nullable IOException failure() {
    return failure;
  }

  /// Starts or ends the stall watch after a drain.
  void drained() {
    if (!flushed.isEmpty()) {
      watch();
    } else if (failure == null) {
      close();
    }
  }

  private void watch() {
    if (watch == null) {
      watch = new StallWatch(events, this::stall);
    }
  }

  private Throwable stall() {
    return failure != null
        ? failure
        : new SocketTimeoutException(
            "the peer has read nothing of "
                + pendingBytes
                + " waiting bytes within stallTimeout, "
                + events.settings().timeouts().stallTimeout());
  }

  /// Stops the stall watch.
  void close() {
    if (watch != null) {
      watch.stop();
      watch = null;
    }
  }

  /// Fails and releases all unsent messages.
  ///
  /// @return the number of messages without a promise
  int fail(Throwable cause) {
    close();
    flushed.addAll(written);
    int unreported = 0;
    @Nullable Message message;
    while ((message = flushed.poll()) != null) {
      Messages.discard(message.content);
      if (message.promise == null) {
        unreported++;
      } else {
        message.promise.tryFailure(cause);
      }
    }
    events.account().remove(waiting + unread);
    waiting = 0;
    unread = 0;
    pendingBytes = 0;
    return unreported;
  }
}

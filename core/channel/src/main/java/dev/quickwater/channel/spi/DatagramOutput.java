package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Datagram;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The unsent datagrams of a channel: flushed ones, then unflushed ones.
///
/// - **One datagram, one outcome:** each datagram is sent or fails independently.
/// - **Above the hard limit** a datagram fails and the channel stays open, because datagrams may be
///   lost anyway.
/// - **A promise can be cancelled** until its datagram is flushed. The datagram is then dropped.
///
/// Loop thread only.
public final class DatagramOutput extends MessageRing<Datagram> {

  private final ChannelEvents events;
  private int flushed;
  private long pendingBytes;

  /// Null until there is an attached message.
  private @Nullable Attachments attachments;

  /// The output of the channel behind `events`.
  public DatagramOutput(ChannelEvents events) {
    this.events = events;
  }

  /// Takes ownership of a message. A message that is no datagram, or for which there is no room,
  /// fails alone.
  public void write(Object message, @Nullable Promise<Void> promise) {
    switch (message) {
      case Datagram datagram -> add(datagram, promise);
      case ByteBuf content -> add(new Datagram(content, null, null, 0, false), promise);
      default -> Messages.refuse(events, message, promise, unsupported(message));
    }
  }

  /// Like [#write], for a datagram with an attachment; see [#attached].
  public void writeAttached(AttachedMessage message, @Nullable Promise<Void> promise) {
    ByteBuf content = message.content();
    try {
      if (attachments == null) {
        attachments = new Attachments();
      }
      attachments.add(message);
    } catch (OutOfMemoryError e) {
      Messages.refuse(events, message, promise, e);
      return;
    }
    int before = count();
    add(new Datagram(content, message.remote(), null, 0, false), promise);
    if (count() == before) {
      attachments.drop(content); // it was refused
    }
  }

  private void add(Datagram datagram, @Nullable Promise<Void> promise) {
    if (!datagram.content().isLive()) {
      Messages.refuse(
          events,
          datagram,
          promise,
          new IllegalStateException("the content of the datagram was released"));
      return;
    }
    WriteAccount account = events.account();
    long limit = events.settings().writes().hardLimit();
    if (!account.hasRoom(cost(datagram))) {
      Messages.refuse(
          events,
          datagram,
          promise,
          new IOException(
              account.pending()
                  + " bytes wait to be sent, too many for one more datagram; hardLimit is "
                  + limit));
      return;
    }
    try {
      reserve(1, promise != null);
    } catch (OutOfMemoryError e) {
      Messages.refuse(events, datagram, promise, e);
      return;
    }
    append(datagram, promise);
    pendingBytes += datagram.content().readableBytes();
    account.add(cost(datagram));
  }

  private static UnsupportedOperationException unsupported(Object message) {
    return new UnsupportedOperationException(
        "a "
            + message.getClass().getName()
            + " reached the transport, which writes Datagram and ByteBuf; is an encoder missing?");
  }

  private static long cost(Datagram datagram) {
    return datagram.content().readableBytes() + (long) WriteAccount.MESSAGE;
  }

  /// Marks all written datagrams as flushed: their promises cannot be cancelled any more. Cancelled
  /// datagrams are dropped.
  ///
  /// @return true if a datagram was dropped
  public boolean flush() {
    int written = count();
    int kept = hasPromises() ? flushed : written;
    for (int i = kept; i < written; i++) {
      @Nullable Promise<Void> promise = promise(i);
      if (promise != null && !promise.claim() && promise.isCancelled()) {
        takePromise(i);
        discard(item(i));
      } else {
        move(i, kept++);
      }
    }
    truncate(kept);
    flushed = kept;
    return kept < written;
  }

  /// The number of unsent bytes, flushed or not.
  public long pendingBytes() {
    return pendingBytes;
  }

  /// True if a flushed datagram is unsent.
  public boolean hasFlushed() {
    return flushed > 0;
  }

  /// The number of flushed datagrams.
  public int flushedCount() {
    return flushed;
  }

  /// The flushed datagram at an index; 0 is the first.
  public Datagram flushedAt(int index) {
    Objects.checkIndex(index, flushed);
    return item(index);
  }

  /// The message with the attachment of a flushed datagram, or null if it has none.
  public @Nullable AttachedMessage attached(Datagram datagram) {
    return attachments == null ? null : attachments.of(datagram.content());
  }

  /// Removes the first `number` flushed datagrams, which were sent.
  public void sent(int number) {
    Objects.checkIndex(number, flushed + 1);
    for (int i = 0; i < number; i++) {
      @Nullable Promise<Void> promise = takePromise(0);
      discard(takeFirst());
      if (promise != null) {
        events.sent(promise);
      }
    }
  }

  /// Fails the first flushed datagram.
  public void fail(Throwable cause) {
    @Nullable Promise<Void> promise = takePromise(0);
    discard(takeFirst());
    if (promise == null) {
      events.messageFailed(cause);
    } else {
      promise.tryFailure(cause);
    }
  }

  private Datagram takeFirst() {
    flushed = Math.max(0, flushed - 1);
    return removeFirst();
  }

  private void discard(Datagram datagram) {
    long length = accounted(datagram);
    pendingBytes -= length;
    events.account().remove(length + WriteAccount.MESSAGE);
    if (attachments != null) {
      attachments.drop(datagram.content());
    }
    Messages.discard(datagram);
  }

  /// The number of bytes that `leaving` added to [#pendingBytes] when it was written. The length of
  /// a released buffer is unknown, so the result is then the pending bytes without those of all
  /// other datagrams.
  private long accounted(Datagram leaving) {
    if (leaving.content().isLive()) {
      return leaving.content().readableBytes();
    }
    long others = 0;
    for (int i = 0; i < count(); i++) {
      @Nullable Datagram other = item(i); // null where a cancelled one was
      if (other != null && other.content().isLive()) {
        others += other.content().readableBytes();
      }
    }
    return pendingBytes - others;
  }

  /// Fails all unsent datagrams.
  ///
  /// @return the number of datagrams without a promise
  public int failAll(Throwable cause) {
    int unreported = 0;
    while (count() > 0) {
      @Nullable Promise<Void> promise = takePromise(0);
      discard(takeFirst());
      if (promise == null) {
        unreported++;
      } else {
        promise.tryFailure(cause);
      }
    }
    return unreported;
  }
}

package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Datagram;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The datagrams that a transport still has to send: those that are flushed, then those that are
/// not.
///
/// - **One datagram, one outcome:** each is sent or fails by itself.
/// - **Above the hard limit** a datagram fails, and the channel stays open: datagrams may be lost
///   anywhere on their way.
/// - **A promise can be cancelled** until its datagram is flushed; the datagram is dropped then.
///
/// Loop thread only.
public final class DatagramOutput {

  private static final Datagram[] NONE = {};

  /// The capacity of the largest ring that is kept when it is empty.
  private static final int MAX_KEPT = 64;

  private final ChannelEvents events;
  private @Nullable Datagram[] items = NONE;
  private @Nullable Promise<Void>[] promises = newPromises(0);
  private int head;
  private int count;
  private int flushed;
  private long pendingBytes;

  /// Null until there is an attached message.
  private @Nullable Attachments attachments;

  /// The output of the channel behind `events`.
  public DatagramOutput(ChannelEvents events) {
    this.events = events;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static @Nullable Promise<Void>[] newPromises(int length) {
    return new Promise[length];
  }

  private int slot(int index) {
    return head + index & items.length - 1;
  }

  /// Takes ownership of a message. One that is no datagram, or for which there is no room, fails
  /// alone.
  public void write(Object message, @Nullable Promise<Void> promise) {
    switch (message) {
      case Datagram datagram -> add(datagram, promise);
      case ByteBuf content -> add(new Datagram(content, null, null, 0, false), promise);
      default -> Messages.refuse(events, message, promise, unsupported(message));
    }
  }

  /// Like [#write], for a datagram that carries an attachment, see [#attached].
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
    int before = count;
    add(new Datagram(content, message.remote(), null, 0, false), promise);
    if (count == before) {
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
      reserve();
    } catch (OutOfMemoryError e) {
      Messages.refuse(events, datagram, promise, e);
      return;
    }
    int slot = slot(count);
    items[slot] = datagram;
    promises[slot] = promise;
    count++;
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

  private void reserve() {
    if (count < items.length) {
      return;
    }
    int capacity = Math.max(8, items.length * 2);
    @Nullable Datagram[] larger = new Datagram[capacity];
    @Nullable Promise<Void>[] largerPromises = newPromises(capacity);
    for (int i = 0; i < count; i++) {
      larger[i] = items[slot(i)];
      largerPromises[i] = promises[slot(i)];
    }
    items = larger;
    promises = largerPromises;
    head = 0;
  }

  /// Marks everything written so far as flushed. From here on it cannot be cancelled. Cancelled
  /// datagrams are dropped and the following ones close the gap.
  ///
  /// @return true if a datagram was dropped
  public boolean flush() {
    int kept = flushed;
    int written = count;
    for (int i = flushed; i < written; i++) {
      @Nullable Promise<Void> promise = promises[slot(i)];
      Datagram datagram = at(i);
      items[slot(i)] = null;
      promises[slot(i)] = null;
      if (promise != null && !promise.claim() && promise.isCancelled()) {
        discard(datagram);
      } else {
        items[slot(kept)] = datagram;
        promises[slot(kept)] = promise;
        kept++;
      }
    }
    flushed = kept;
    count = kept;
    return kept < written;
  }

  /// Bytes that wait to be sent, flushed or not.
  public long pendingBytes() {
    return pendingBytes;
  }

  /// True if something flushed is left to send.
  public boolean hasFlushed() {
    return flushed > 0;
  }

  /// The number of flushed datagrams.
  public int flushedCount() {
    return flushed;
  }

  /// The flushed datagram at a place, 0 the first.
  public Datagram flushedAt(int index) {
    Objects.checkIndex(index, flushed);
    return at(index);
  }

  /// The message that a flushed datagram was made of, or null if it has no attachment.
  public @Nullable AttachedMessage attached(Datagram datagram) {
    return attachments == null ? null : attachments.of(datagram.content());
  }

  private Datagram at(int index) {
    return Objects.requireNonNull(items[slot(index)]);
  }

  /// The first `number` flushed datagrams were sent.
  public void sent(int number) {
    Objects.checkIndex(number, flushed + 1);
    for (int i = 0; i < number; i++) {
      @Nullable Promise<Void> promise = promises[head];
      discard(removeFirst());
      if (promise != null) {
        events.sent(promise);
      }
    }
  }

  /// The first flushed datagram cannot be sent.
  public void fail(Throwable cause) {
    @Nullable Promise<Void> promise = promises[head];
    discard(removeFirst());
    if (promise == null) {
      events.messageFailed(cause);
    } else {
      promise.tryFailure(cause);
    }
  }

  private Datagram removeFirst() {
    Datagram first = at(0);
    items[head] = null;
    promises[head] = null;
    head = slot(1);
    count--;
    flushed = Math.max(0, flushed - 1);
    if (count == 0 && items.length > MAX_KEPT) {
      items = NONE;
      promises = newPromises(0);
      head = 0;
    }
    return first;
  }

  private void discard(Datagram datagram) {
    int length = datagram.content().readableBytes();
    pendingBytes -= length;
    events.account().remove(cost(datagram));
    if (attachments != null) {
      attachments.drop(datagram.content());
    }
    Messages.discard(datagram);
  }

  /// Fails everything that was not sent.
  ///
  /// @return how many datagrams had no promise
  public int failAll(Throwable cause) {
    int unreported = 0;
    while (count > 0) {
      @Nullable Promise<Void> promise = promises[head];
      discard(removeFirst());
      if (promise == null) {
        unreported++;
      } else {
        promise.tryFailure(cause);
      }
    }
    return unreported;
  }
}

package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.CompositeByteBuf;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.Payload;
import dev.quickwater.common.Promise;
import org.jspecify.annotations.Nullable;

/// The messages that a channel has still to send, in order: flushed messages, then written messages
/// that are not flushed.
///
/// - **A ring of payloads** is created when the first payload is written. It owns the payloads: a
///   payload is released when it was sent completely, or when the channel fails. A ring that grew
///   large in a burst is dropped when it is empty, because an idle channel keeps its ring.
/// - **The transport** reads flushed entries only, sends any part of them, and reports the number
///   of bytes sent with [#progress].
/// - **A promise can be cancelled** until its message is flushed; the message is dropped then.
///   Flushing claims the promise. Adjacent entries with the same promise are the parts of one
///   message, which is complete when the last part is.
///
/// Loop thread only.
public final class OutboundBuffer {

  private static final System.Logger LOG = System.getLogger(OutboundBuffer.class.getName());

  private static final Payload[] NONE = {};

  /// What a message holds besides its bytes: a handle, a slot, what rounding up to a block wastes.
  private static final int ENTRY_COST = 64;

  /// The capacity of the largest ring that is kept when it is empty. Growing a larger ring again
  /// costs a few bytes for each payload.
  static final int MAX_KEPT_RING = 32;

  private Payload[] items = NONE;
  private @Nullable Promise<Void> @Nullable [] promises;
  private int head;
  private int count;
  private int flushed;
  private long pendingBytes;
  private long flushedBytes;
  private long sentBytes;
  private boolean failed;

  /// An empty buffer.
  public OutboundBuffer() {}

  /// Bytes of memory that wait, flushed or not; file regions count nothing.
  public long pendingBytes() {
    return pendingBytes;
  }

  /// Bytes of memory that were flushed and wait for the kernel.
  public long flushedBytes() {
    return flushedBytes;
  }

  /// Bytes sent so far, files included.
  public long sentBytes() {
    return sentBytes;
  }

  /// [#pendingBytes] with what the messages themselves hold: the measure of a limit that very many
  /// empty or tiny messages reach too.
  public long heldBytes() {
    return pendingBytes + (long) ENTRY_COST * count;
  }

  /// The number of entries that the ring has room for.
  int capacity() {
    return items.length;
  }

  /// True when something flushed is left to send.
  public boolean hasFlushed() {
    return flushed > 0;
  }

  /// True when nothing is left at all.
  public boolean isEmpty() {
    return count == 0;
  }

  /// Appends a payload, which this buffer takes over.
  public void add(Payload payload, @Nullable Promise<Void> promise) {
    if (payload instanceof CompositeByteBuf composite) {
      addParts(composite, promise);
    } else {
      append(payload, promise);
    }
  }

  private void addParts(CompositeByteBuf composite, @Nullable Promise<Void> promise) {
    if (composite.readerIndex() > 0) {
      CompositeByteBuf unread = composite.slice(composite.readerIndex(), composite.readableBytes());
      composite.release();
      addParts(unread, promise);
      return;
    }
    if (composite.parts().isEmpty()) {
      append(ByteBuf.wrap(), promise);
    }
    for (ByteBuf part : composite.parts()) {
      append(part.share(), promise);
    }
    composite.release();
  }

  private void append(Payload payload, @Nullable Promise<Void> promise) {
    if (count == items.length) {
      grow();
    }
    int slot = head + count & items.length - 1;
    items[slot] = payload;
    if (promise != null) {
      if (promises == null) {
        promises = newPromises(items.length);
      }
      promises[slot] = promise;
    }
    count++;
    pendingBytes += memory(payload);
  }

  private void grow() {
    int capacity = Math.max(4, items.length * 2);
    Payload[] larger = new Payload[capacity];
    @Nullable Promise<Void>[] largerPromises = promises == null ? null : newPromises(capacity);
    for (int i = 0; i < count; i++) {
      int slot = head + i & items.length - 1;
      larger[i] = items[slot];
      if (largerPromises != null && promises != null) {
        largerPromises[i] = promises[slot];
      }
    }
    items = larger;
    promises = largerPromises;
    head = 0;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static @Nullable Promise<Void>[] newPromises(int length) {
    return new Promise[length];
  }

  private static long memory(Payload payload) {
    return payload instanceof FileRegion ? 0 : payload.size();
  }

  /// Marks everything written so far as flushed. From here on it cannot be cancelled.
  public void flush() {
    if (promises != null) {
      claim(promises);
    }
    flushed = count;
    flushedBytes = pendingBytes;
  }

  private void claim(@Nullable Promise<Void>[] promises) {
    for (int i = flushed; i < count; i++) {
      int slot = head + i & items.length - 1;
      @Nullable Promise<Void> promise = promises[slot];
      if (promise != null && !promise.claim() && promise.isCancelled()) {
        drop(slot);
      }
    }
  }

  /// Leaves nothing of a message to send. Its place stays, for those around it are not moved.
  private void drop(int slot) {
    Payload payload = items[slot];
    pendingBytes -= memory(payload);
    items[slot] = ByteBuf.wrap();
    payload.release();
  }

  /// Completes flushed entries at the front that have nothing left to send: no I/O is needed for
  /// them.
  public void dropEmpty() {
    while (flushed > 0 && items[head].size() == 0) {
      finishFirst();
    }
  }

  /// The first flushed payload, which has something to send.
  ///
  /// @throws IllegalStateException if nothing flushed is left
  public Payload first() {
    if (flushed == 0) {
      throw new IllegalStateException("nothing flushed is left to send");
    }
    return items[head];
  }

  /// How many flushed entries there are; [#flushedAt] tells each.
  public int flushedCount() {
    return flushed;
  }

  /// The flushed payload at a place, 0 the first.
  public Payload flushedAt(int index) {
    java.util.Objects.checkIndex(index, flushed);
    return items[head + index & items.length - 1];
  }

  /// Says that the next `bytes` were sent: entries that are through leave, the one after loses its
  /// first part. A listener of a promise that ends here may close the channel; the rest of the
  /// progress is of no interest then.
  public void progress(long bytes) {
    long left = bytes;
    sentBytes += bytes;
    while (true) {
      if (flushed == 0) {
        if (left > 0 && !failed) {
          throw new IllegalStateException(left + " bytes more were sent than were flushed");
        }
        return;
      }
      Payload payload = items[head];
      long size = payload.size();
      if (size <= left) {
        left -= size;
        finishFirst();
      } else {
        if (left > 0) {
          advance(payload, left);
        }
        return;
      }
    }
  }

  private void advance(Payload payload, long bytes) {
    switch (payload) {
      case ByteBuf buffer -> {
        buffer.skip((int) bytes);
        pendingBytes -= bytes;
        flushedBytes -= bytes;
      }
      case FileRegion region -> region.advance(bytes);
      case CompositeByteBuf _ -> throw new IllegalStateException("composites are stored as parts");
    }
  }

  private void finishFirst() {
    Payload payload = items[head];
    long memory = memory(payload);
    pendingBytes -= memory;
    flushedBytes -= memory;
    @Nullable Promise<Void> promise = removeFirst();
    try {
      payload.release();
    } finally {
      if (promise != null && !goesOn(promise)) {
        promise.trySuccess(null);
      }
    }
  }

  /// True when the first entry is a further part of the message that `promise` is of.
  private boolean goesOn(Promise<Void> promise) {
    return count > 0 && promises != null && promises[head] == promise;
  }

  @SuppressWarnings("NullAway") // a slot outside the ring's content is never read
  private @Nullable Promise<Void> removeFirst() {
    items[head] = null;
    @Nullable Promise<Void> promise = null;
    if (promises != null) {
      promise = promises[head];
      promises[head] = null;
    }
    head = head + 1 & items.length - 1;
    count--;
    if (flushed > 0) {
      flushed--;
    }
    if (count == 0 && items.length > MAX_KEPT_RING) {
      dropRing();
    }
    return promise;
  }

  private void dropRing() {
    items = NONE;
    promises = null;
    head = 0;
  }

  /// Releases everything and fails the promises, whatever a release throws.
  ///
  /// @return how many entries nobody holds a promise for
  public int fail(Throwable cause) {
    failed = true;
    int unreported = 0;
    while (count > 0) {
      Payload payload = items[head];
      @Nullable Promise<Void> promise = removeFirst();
      try {
        payload.release();
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.WARNING, "releasing a message that was not sent failed", e);
      }
      if (promise == null) {
        unreported++;
      } else {
        promise.tryFailure(cause);
      }
    }
    pendingBytes = 0;
    flushedBytes = 0;
    return unreported;
  }
}

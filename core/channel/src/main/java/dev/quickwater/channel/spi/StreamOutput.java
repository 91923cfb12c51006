package dev.quickwater.channel.spi;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.CompositeByteBuf;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.Payload;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a stream transport still has to send. Every stream transport uses one.
///
/// - **In order:** messages whose memory is not settled, then flushed messages, then messages that
///   were written and not flushed.
/// - **The transport** reads flushed entries only, sends any part of them, and reports the bytes:
///   with [#progress] if the kernel has copied them, otherwise with [#lend] before, [#sent] when
///   they are sent, and [#settled] when the memory is no longer read. After each series of calls to
///   the kernel the transport calls [#drained].
/// - **A promise can be cancelled** until its message is flushed; the message is dropped then.
///   Flushing claims the promise. Adjacent entries with the same promise are the parts of one
///   message, which is complete when the last part is.
/// - **The water marks and the hard limit** are those of the channel's [WriteAccount]. Above the
///   hard limit the channel fails.
/// - **The stall watch** fails the channel when flushed bytes make no progress for `stallTimeout`,
///   whether or not the channel reads.
///
/// Loop thread only.
public final class StreamOutput extends MessageRing<Payload> {

  private static final System.Logger LOG = System.getLogger(StreamOutput.class.getName());

  private final ChannelEvents events;

  /// Entries at the front that were sent and not settled.
  private int unsettled;

  /// Entries after the unsettled ones that are flushed.
  private int flushed;

  private long pendingBytes;
  private boolean ending;
  private @Nullable StallWatch watch;
  private @Nullable Extras extras;

  /// What most outputs never have; made by the first use.
  private static final class Extras {

    /// Entries after the unsettled ones that the kernel may be reading.
    int lent;

    /// Why the stream cannot be written.
    @Nullable IOException failure;

    /// Null until there is an attached message.
    @Nullable Attachments attachments;
  }

  private Extras extras() {
    @Nullable Extras made = extras;
    if (made == null) {
      made = new Extras();
      extras = made;
    }
    return made;
  }

  private @Nullable Attachments attachments() {
    return extras == null ? null : extras.attachments;
  }

  /// The output of the channel behind `events`.
  public StreamOutput(ChannelEvents events) {
    this.events = events;
  }

  /// Bytes of memory that wait, flushed or not; file regions count nothing.
  public long pendingBytes() {
    return pendingBytes;
  }

  /// Bytes of memory that were flushed and wait for the kernel; takes time for each entry.
  public long flushedBytes() {
    long bytes = 0;
    for (int i = 0; i < flushed; i++) {
      bytes += memory(flushedAt(i));
    }
    return bytes;
  }

  /// True if something flushed is left to send.
  public boolean hasFlushed() {
    return flushed > 0;
  }

  /// True if nothing is left to send.
  public boolean isEmpty() {
    return count() == unsettled;
  }

  // ---- writing ----

  /// Takes ownership of a message. One that is no [Payload], or was released, fails alone; one that
  /// cannot be queued because memory is short fails the channel, because the stream would have a
  /// hole.
  public void write(Object message, @Nullable Promise<Void> promise) {
    if (!(message instanceof Payload payload)) {
      Messages.refuse(events, message, promise, unsupported(message));
      return;
    }
    try {
      add(payload, promise);
    } catch (RuntimeException e) {
      reportFailure(e, promise);
      return;
    } catch (Error e) {
      if (promise != null) {
        promise.tryFailure(e);
      }
      events.failed(e);
      return;
    }
    if (events.account().isOverLimit()) {
      events.failed(
          new IOException(
              events.account().pending()
                  + " bytes wait to be sent, more than hardLimit, which is "
                  + events.settings().writes().hardLimit()));
    }
  }

  /// Like [#write], for a message whose first byte carries an attachment. The transport must stop a
  /// call to the kernel in front of it, see [#plainCount].
  public void writeAttached(AttachedMessage message, @Nullable Promise<Void> promise) {
    ByteBuf content = message.content();
    if (content.isLive() && content.readableBytes() == 0) {
      Messages.refuse(
          events,
          message,
          promise,
          new IllegalArgumentException(
              "a stream carries attachments with a byte, and the message has none"));
      return;
    }
    Attachments attachments;
    try {
      attachments = makeAttachments();
      attachments.add(message);
    } catch (Error e) {
      Messages.refuse(events, message, promise, e);
      events.failed(e);
      return;
    }
    int before = count();
    write(content, promise);
    if (count() == before) {
      attachments.drop(content); // it was refused
    }
  }

  private Attachments makeAttachments() {
    Extras made = extras();
    @Nullable Attachments attachments = made.attachments;
    if (attachments == null) {
      attachments = new Attachments();
      made.attachments = attachments;
    }
    return attachments;
  }

  private void reportFailure(RuntimeException cause, @Nullable Promise<Void> promise) {
    if (promise != null) {
      promise.tryFailure(cause);
    } else {
      events.messageFailed(cause);
    }
  }

  private static UnsupportedOperationException unsupported(Object message) {
    return new UnsupportedOperationException(
        "a "
            + message.getClass().getName()
            + " reached the transport, which writes ByteBuf, CompositeByteBuf and FileRegion;"
            + " is an encoder missing?");
  }

  /// Appends a payload, of which this output takes ownership.
  ///
  /// @throws RuntimeException if the payload cannot be queued, for example because it was released;
  ///   nothing of it is queued
  public void add(Payload payload, @Nullable Promise<Void> promise) {
    if (payload instanceof CompositeByteBuf composite) {
      addParts(composite, promise);
      return;
    }
    long size;
    try {
      size = memory(payload);
      reserve(1, promise != null);
    } catch (RuntimeException | Error e) {
      release(payload);
      throw e;
    }
    append(payload, promise);
    pendingBytes += size;
    events.account().add(size + WriteAccount.MESSAGE);
  }

  /// All parts or none: what may fail comes before the first part is in the ring.
  private void addParts(CompositeByteBuf composite, @Nullable Promise<Void> promise) {
    ByteBuf[] parts;
    try {
      parts = shareParts(composite);
    } finally {
      release(composite);
    }
    try {
      reserve(parts.length, promise != null);
    } catch (Error e) {
      releaseAll(parts);
      throw e;
    }
    long size = 0;
    for (ByteBuf part : parts) {
      append(part, promise);
      size += part.readableBytes();
    }
    pendingBytes += size;
    events.account().add(size + (long) WriteAccount.MESSAGE * parts.length);
  }

  /// The unread bytes as buffers; an empty buffer stands for an empty message.
  private static ByteBuf[] shareParts(CompositeByteBuf composite) {
    if (composite.readerIndex() > 0) {
      CompositeByteBuf unread = composite.slice(composite.readerIndex(), composite.readableBytes());
      try {
        return shareParts(unread);
      } finally {
        unread.release();
      }
    }
    if (composite.parts().isEmpty()) {
      return new ByteBuf[] {ByteBuf.wrap()};
    }
    ByteBuf[] shares = new ByteBuf[composite.parts().size()];
    int shared = 0;
    try {
      for (ByteBuf part : composite.parts()) {
        shares[shared] = part.share();
        shared++;
      }
    } catch (RuntimeException | Error e) {
      releaseAll(Arrays.copyOf(shares, shared));
      throw e;
    }
    return shares;
  }

  private static void releaseAll(ByteBuf[] buffers) {
    for (ByteBuf buffer : buffers) {
      release(buffer);
    }
  }

  /// Releases a payload that will not be sent. A failure of that is logged.
  private static void release(Payload payload) {
    try {
      payload.release();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "releasing a message that was not sent failed", e);
    }
  }

  private static long memory(Payload payload) {
    return payload instanceof FileRegion ? 0 : payload.size();
  }

  /// Marks everything written so far as flushed. From here on it cannot be cancelled.
  public void flush() {
    int end = count() - unsettled;
    if (hasPromises()) {
      claim(flushed, end);
    }
    flushed = end;
  }

  private void claim(int from, int end) {
    for (int i = from; i < end; i++) {
      @Nullable Promise<Void> promise = promise(unsettled + i);
      if (promise != null && !promise.claim() && promise.isCancelled()) {
        drop(unsettled + i);
      }
    }
  }

  /// Leaves nothing of a message to send. Its place stays, because the entries behind it do not
  /// move.
  private void drop(int index) {
    Payload payload = item(index);
    long size = memory(payload);
    pendingBytes -= size;
    dropAttachment(payload);
    replace(index, ByteBuf.wrap());
    events.account().remove(size);
    release(payload);
  }

  private void dropAttachment(Payload content) {
    @Nullable Attachments attachments = attachments();
    if (attachments != null) {
      attachments.drop(content);
    }
  }

  // ---- sending ----

  /// The first flushed payload.
  ///
  /// @throws IllegalStateException if nothing flushed is left
  public Payload first() {
    if (flushed == 0) {
      throw new IllegalStateException("nothing flushed is left to send");
    }
    return item(unsettled);
  }

  /// The number of flushed entries; see [#flushedAt].
  public int flushedCount() {
    return flushed;
  }

  /// The flushed payload at a place, 0 the first.
  public Payload flushedAt(int index) {
    Objects.checkIndex(index, flushed);
    return item(unsettled + index);
  }

  /// The number of flushed entries in front of the first that has an attachment.
  public int plainCount() {
    @Nullable Attachments attachments = attachments();
    if (attachments == null || attachments.isEmpty()) {
      return flushed;
    }
    int plain = 0;
    while (plain < flushed && attachments.of(item(unsettled + plain)) == null) {
      plain++;
    }
    return plain;
  }

  /// The message that [#first] is the content of, if its attachment is still to be sent, or null.
  public @Nullable AttachedMessage attached() {
    @Nullable Attachments attachments = attachments();
    return attachments == null ? null : attachments.of(first());
  }

  /// The attachment of [#first] was sent, with at least one byte, and is closed.
  public void attachmentSent() {
    dropAttachment(first());
  }

  /// Completes flushed entries at the front that have nothing left to send: no I/O is needed for
  /// them.
  public void dropEmpty() {
    if (flushed > 0 && item(unsettled).size() == 0) {
      progress(0);
    }
  }

  /// The next `bytes` were sent and their memory is no longer read.
  public void progress(long bytes) {
    settled(sent(bytes));
  }

  /// The kernel may read the first `entries` flushed entries until they are settled, even after the
  /// channel has closed.
  public void lend(int entries) {
    Objects.checkIndex(entries, flushed + 1);
    Extras made = extras();
    made.lent = Math.max(made.lent, entries);
  }

  /// The next `bytes` were sent: the promises of complete messages succeed, the counts move.
  ///
  /// @return how many entries were completed; [#settled] has to follow for as many
  public int sent(long bytes) {
    long left = bytes;
    long cost = 0;
    int done = 0;
    while (flushed > 0) {
      Payload payload = item(unsettled);
      long size = payload.size();
      if (size > left) {
        break;
      }
      left -= size;
      cost += memory(payload) + WriteAccount.MESSAGE;
      @Nullable Promise<Void> promise = takePromise(unsettled);
      unsettled++;
      flushed--;
      done++;
      if (promise != null && !continues(promise)) {
        events.sent(promise);
      }
    }
    if (left > 0) {
      cost += advance(left);
    }
    if (bytes > 0 && watch != null) {
      watch.progress();
    }
    long memory = cost - (long) WriteAccount.MESSAGE * done;
    pendingBytes -= memory;
    if (extras != null) {
      extras.lent = Math.max(0, extras.lent - done);
    }
    events.account().remove(cost);
    return done;
  }

  /// True if the first entry is a further part of the message that `promise` is of.
  private boolean continues(Promise<Void> promise) {
    return count() > unsettled && promise(unsettled) == promise;
  }

  /// Moves the start of the first entry.
  ///
  /// @return by how many bytes of memory
  private long advance(long bytes) {
    if (flushed == 0) {
      throw new IllegalStateException(bytes + " bytes more were sent than were flushed");
    }
    switch (item(unsettled)) {
      case ByteBuf buffer -> {
        buffer.skip((int) bytes);
        return bytes;
      }
      case FileRegion region -> {
        region.advance(bytes);
        return 0;
      }
      case CompositeByteBuf _ -> throw new IllegalStateException("composites are stored as parts");
    }
  }

  /// Releases the first `entries` of those that were sent, or that were lent before [#fail].
  public void settled(int entries) {
    Objects.checkIndex(entries, unsettled + 1);
    @Nullable RuntimeException failed = null;
    for (int i = 0; i < entries; i++) {
      unsettled--;
      try {
        removeFirst().release();
      } catch (RuntimeException e) {
        failed = e;
      }
    }
    if (failed != null) {
      throw failed;
    }
  }

  // ---- after a drain ----

  /// Ends our direction when everything flushed is sent, which [#drained] reports.
  public void end() {
    ending = true;
  }

  /// The stream cannot be written any more. The channel fails with `cause` when the stall watch
  /// finds that nothing was read until the end of the stream either.
  public void broken(IOException cause) {
    extras().failure = cause;
    watch();
  }

  /// The reason why the stream cannot be written, or null.
  public @Nullable IOException failure() {
    return extras == null ? null : extras.failure;
  }

  /// The transport has sent what the kernel took: starts or ends the stall watch.
  ///
  /// @return true if our direction is to be ended now
  public boolean drained() {
    if (flushed > 0) {
      watch();
      return false;
    }
    if (watch != null && failure() == null) {
      stopWatch();
    }
    boolean end = ending;
    ending = false;
    return end;
  }

  private void watch() {
    if (watch == null) {
      watch = new StallWatch(events, this::stall);
    }
  }

  private Throwable stall() {
    @Nullable IOException failure = failure();
    return failure != null
        ? failure
        : new SocketTimeoutException(
            "the peer took none of "
                + flushedBytes()
                + " flushed bytes within stallTimeout, "
                + events.settings().timeouts().stallTimeout());
  }

  private void stopWatch() {
    if (watch != null) {
      watch.stop();
      watch = null;
    }
  }

  /// The transport has closed: no stall is reported from here on.
  public void close() {
    stopWatch();
  }

  /// Fails the promises of everything that was not sent, and releases the memory that the kernel
  /// cannot be reading.
  ///
  /// @return how many entries had no promise
  public int fail(Throwable cause) {
    stopWatch();
    int unreported = 0;
    int kept = unsettled + (extras == null ? 0 : extras.lent);
    for (int i = unsettled; i < count(); i++) {
      @Nullable Promise<Void> promise = takePromise(i);
      if (promise == null) {
        unreported++;
      } else {
        promise.tryFailure(cause);
      }
    }
    @Nullable Attachments attachments = attachments();
    if (attachments != null) {
      attachments.dropAll();
    }
    long cost = pendingBytes + (long) WriteAccount.MESSAGE * (count() - unsettled);
    while (count() > kept) {
      release(removeLast());
    }
    unsettled = kept;
    if (extras != null) {
      extras.lent = 0;
    }
    flushed = 0;
    pendingBytes = 0;
    events.account().remove(cost);
    return unreported;
  }
}

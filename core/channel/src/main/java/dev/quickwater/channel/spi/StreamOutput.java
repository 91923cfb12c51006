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

/// The unsent messages of a stream transport. Every stream transport uses one output.
///
/// - **Order:** unsettled messages, then flushed messages, then unflushed messages.
/// - **The transport** reads flushed entries, sends any part of them, and reports the number of
///   sent bytes. If the kernel has copied the bytes, the transport calls [#progress]. Otherwise it
///   calls [#lend] before sending, [#sent] when bytes are sent, and [#settled] when the kernel no
///   longer reads their memory. After each series of system calls the transport calls [#drained].
/// - **Cancelling:** a promise can be cancelled until its message is flushed, because flushing
///   claims the promise. A message whose promise was cancelled is dropped. Adjacent entries with
///   the same promise are parts of one message, which is complete when its last part is.
/// - **Limits:** the channel's [WriteAccount] has the water marks and the hard limit. Above the
///   hard limit the channel fails.
/// - **Stalls:** the channel fails when flushed bytes make no progress for `stallTimeout`, whether
///   or not the channel reads.
///
/// Loop thread only.
public final class StreamOutput extends MessageRing<Payload> {

  private static final System.Logger LOG = System.getLogger(StreamOutput.class.getName());

  private final ChannelEvents events;

  /// The number of entries at the front that are sent and not settled.
  private int unsettled;

  /// The number of flushed entries after the unsettled ones.
  private int flushed;

  private long pendingBytes;
  private boolean ending;
  private @Nullable StallWatch watch;
  private @Nullable Extras extras;

  /// Rarely used fields; created by the first use.
  private static final class Extras {

    /// The number of entries after the unsettled ones that the kernel may be reading.
    int lent;

    /// The failure after which the stream cannot be written.
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

  /// Unsent bytes of memory, flushed or not. File regions count as 0.
  public long pendingBytes() {
    return pendingBytes;
  }

  /// Flushed and unsent bytes of memory. Linear in the number of entries.
  public long flushedBytes() {
    long bytes = 0;
    for (int i = 0; i < flushed; i++) {
      bytes += memory(flushedAt(i));
    }
    return bytes;
  }

  /// True if a flushed entry is unsent.
  public boolean hasFlushed() {
    return flushed > 0;
  }

  /// True if no entry is unsent.
  public boolean isEmpty() {
    return count() == unsettled;
  }

  // ---- writing ----

  /// Takes ownership of a message. A message that is no [Payload], or was released, fails alone. If
  /// memory for the queue is short, the channel fails: the stream would have a gap.
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

  /// Like [#write], for a message with an attachment. The transport ends a system call before its
  /// first byte, see [#plainCount].
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

  /// Appends a payload and takes ownership of it.
  ///
  /// @throws RuntimeException if the payload cannot be queued, for example because it was released;
  ///   no part of it is queued
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

  /// Appends all parts or none: the steps that may fail precede the first append.
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

  /// The unread bytes as buffers. An empty message is one empty buffer.
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

  /// Releases a payload that will not be sent. Failures are logged.
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

  /// Marks all written messages as flushed: their promises cannot be cancelled any more.
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

  /// Replaces a cancelled message by an empty buffer. Its entry stays, because later entries keep
  /// their indices.
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
  /// @throws IllegalStateException if there is none
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

  /// The flushed payload at an index; 0 is the first.
  public Payload flushedAt(int index) {
    Objects.checkIndex(index, flushed);
    return item(unsettled + index);
  }

  /// The number of flushed entries before the first with an attachment.
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

  /// The message whose content is [#first], if its attachment is unsent; otherwise null.
  public @Nullable AttachedMessage attached() {
    @Nullable Attachments attachments = attachments();
    return attachments == null ? null : attachments.of(first());
  }

  /// Closes the attachment of [#first], which was sent with at least one byte.
  public void attachmentSent() {
    dropAttachment(first());
  }

  /// Completes empty flushed entries at the front: they need no I/O.
  public void dropEmpty() {
    if (flushed > 0 && item(unsettled).size() == 0) {
      progress(0);
    }
  }

  /// Reports that the next `bytes` were sent and that their memory is no longer read.
  public void progress(long bytes) {
    settled(sent(bytes));
  }

  /// Reports that the kernel may read the first `entries` flushed entries until they are settled,
  /// even after the channel has closed.
  public void lend(int entries) {
    Objects.checkIndex(entries, flushed + 1);
    Extras made = extras();
    made.lent = Math.max(made.lent, entries);
  }

  /// Reports that the next `bytes` were sent. The promises of complete messages succeed.
  ///
  /// @return the number of completed entries; pass the same number to [#settled] later
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

  /// True if the first entry is a further part of the message of `promise`.
  private boolean continues(Promise<Void> promise) {
    return count() > unsettled && promise(unsettled) == promise;
  }

  /// Advances the start of the first entry.
  ///
  /// @return the number of bytes of memory in `bytes`
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

  /// Releases the first `entries` entries that were sent, or that were lent before [#fail].
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

  /// Requests the end of our direction; [#drained] reports when everything flushed is sent.
  public void end() {
    ending = true;
  }

  /// Records that the stream can no longer be written. The transport reports `cause` at the end of
  /// the input. If the channel does not read that far, the stall watch fails the channel with
  /// `cause`.
  public void broken(IOException cause) {
    extras().failure = cause;
    watch();
  }

  /// The cause given to [#broken], or null.
  public @Nullable IOException failure() {
    return extras == null ? null : extras.failure;
  }

  /// Reports that the transport has sent what the kernel took. Starts or ends the stall watch.
  ///
  /// @return true if the transport has to end our direction now
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

  /// Stops the stall watch; the transport has closed.
  public void close() {
    stopWatch();
  }

  /// Fails the promises of all unsent entries, and releases the memory that the kernel cannot be
  /// reading.
  ///
  /// @return the number of entries without a promise
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

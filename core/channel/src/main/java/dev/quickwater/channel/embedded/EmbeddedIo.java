package dev.quickwater.channel.embedded;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.Payload;
import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.Messages;
import dev.quickwater.channel.spi.StreamOutput;
import dev.quickwater.common.Promise;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The transport of an embedded channel: the test is the peer and the kernel.
final class EmbeddedIo implements ChannelIo {

  private @Nullable ChannelEvents events;
  private @Nullable StreamOutput output;
  private final ArrayDeque<Object> inbound = new ArrayDeque<>();
  private final ArrayDeque<Unflushed> unflushed = new ArrayDeque<>();
  private final List<Object> messages = new ArrayList<>();
  private final ByteBuf sent = ByteBufAllocator.shared().allocate(256);

  boolean reading;
  boolean closed;
  boolean outputEnded;
  private Input input = Input.OPEN;
  private boolean delivering;
  private boolean draining;

  /// The peer's direction.
  private enum Input {
    OPEN,

    /// The peer has ended its direction; the channel was not notified.
    ENDING,
    ENDED
  }

  /// The number of bytes that the kernel still takes.
  private long window = Long.MAX_VALUE;

  @Override
  public void attach(ChannelEvents receiver) {
    events = receiver;
    output = new StreamOutput(receiver);
  }

  private ChannelEvents events() {
    if (events == null) {
      throw new IllegalStateException("no channel is attached");
    }
    return events;
  }

  private StreamOutput output() {
    if (output == null) {
      throw new IllegalStateException("no channel is attached");
    }
    return output;
  }

  // ---- the peer ----

  void send(Object message) {
    if (closed || input != Input.OPEN) {
      Messages.discard(message);
      return;
    }
    inbound.add(message);
    deliver();
  }

  void endInput() {
    if (input == Input.OPEN) {
      input = Input.ENDING;
    }
    deliver();
  }

  void fail(IOException cause) {
    if (!closed) {
      events().failed(cause);
    }
  }

  private void deliver() {
    if (delivering) {
      return;
    }
    delivering = true;
    boolean any = false;
    while (reading && !closed && !inbound.isEmpty()) {
      any = true;
      events().received(inbound.remove());
    }
    if (any && !closed) {
      events().readTurnEnded();
    }
    delivering = false;
    if (reading && inbound.isEmpty() && input == Input.ENDING && !closed) {
      input = Input.ENDED;
      events().inputEnded();
    } else if (any && reading && !closed && !inbound.isEmpty()) {
      deliver();
    }
  }

  // ---- the kernel ----

  void setWindow(long bytes) {
    window = bytes;
    drain();
  }

  ByteBuf takeSent() {
    ByteBuf taken = sent.copy();
    sent.clear();
    return taken;
  }

  @Override
  public void write(Object message, @Nullable Promise<Void> promise) {
    if (message instanceof Payload) {
      output().write(message, promise);
    } else {
      unflushed.add(new Unflushed(message, promise));
    }
  }

  /// A message that is no payload. The kernel takes it as a whole.
  private record Unflushed(Object message, @Nullable Promise<Void> promise) {}

  List<Object> takeMessages() {
    List<Object> taken = List.copyOf(messages);
    messages.clear();
    return taken;
  }

  private void flushMessages() {
    @Nullable Unflushed next;
    while ((next = unflushed.poll()) != null) {
      messages.add(next.message);
      if (next.promise != null) {
        events().sent(next.promise);
      }
    }
  }

  @Override
  public void flush() {
    flushMessages();
    output().flush();
    drain();
  }

  private void drain() {
    if (draining || closed) {
      return;
    }
    draining = true;
    StreamOutput queued = output();
    @Nullable IOException failure = null;
    queued.dropEmpty();
    try {
      while (queued.hasFlushed() && window > 0) {
        queued.progress(take(queued.first()));
        queued.dropEmpty();
      }
    } catch (IOException e) {
      failure = e;
    }
    draining = false;
    if (failure != null) {
      events().failed(failure);
    } else if (queued.drained()) {
      endOutput();
    }
    events().drained();
  }

  private long take(Payload payload) throws IOException {
    int length = (int) Math.min(Math.min(payload.size(), window), 1 << 20);
    if (payload instanceof ByteBuf buffer) {
      ByteBuf part = buffer.slice(buffer.readerIndex(), length);
      sent.writeBytes(part);
      part.release();
    } else if (payload instanceof FileRegion region) {
      length = region.source().read(region.position(), sent, length);
      if (length < 0) {
        throw new EOFException("the file is shorter than its region");
      }
    }
    if (window != Long.MAX_VALUE) {
      window -= length;
    }
    return length;
  }

  // ---- the channel's commands ----

  @Override
  public void startReading() {
    reading = true;
    deliver();
  }

  @Override
  public void stopReading() {
    reading = false;
  }

  @Override
  public void shutdownOutput() {
    if (!outputEnded) {
      output().end();
      drain();
    }
  }

  private void endOutput() {
    outputEnded = true;
    events().outputEnded();
  }

  @Override
  public void close() {
    closed = true;
    reading = false;
    if (output != null) {
      output.close();
    }
    inbound.forEach(Messages::discard);
    inbound.clear();
  }

  @Override
  public int abandon(Throwable cause) {
    int unreported = 0;
    @Nullable Unflushed lost;
    while ((lost = unflushed.poll()) != null) {
      Messages.discard(lost.message);
      if (lost.promise == null) {
        unreported++;
      } else {
        lost.promise.tryFailure(cause);
      }
    }
    return unreported + output().fail(cause);
  }

  @Override
  public long pendingBytes() {
    return output().pendingBytes();
  }

  void release() {
    sent.release();
  }

  @Override
  public SocketAddress localAddress() {
    return EmbeddedAddress.LOCAL;
  }

  @Override
  public SocketAddress remoteAddress() {
    return EmbeddedAddress.REMOTE;
  }
}

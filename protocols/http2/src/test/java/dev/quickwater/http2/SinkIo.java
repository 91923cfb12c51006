package dev.quickwater.http2;

import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.channel.spi.StreamOutput;
import dev.quickwater.common.Promise;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A transport that accepts all bytes at once and only counts them; it allocates nothing.
final class SinkIo implements ChannelIo {

  private @Nullable ChannelEvents events;
  private @Nullable StreamOutput output;
  long sent;

  ChannelEvents events() {
    return Objects.requireNonNull(events);
  }

  private StreamOutput output() {
    return Objects.requireNonNull(output);
  }

  @Override
  public void attach(ChannelEvents receiver) {
    events = receiver;
    output = new StreamOutput(receiver);
  }

  @Override
  public void write(Object message, @Nullable Promise<Void> promise) {
    output().write(message, promise);
  }

  @Override
  public void flush() {
    StreamOutput queued = output();
    queued.flush();
    while (queued.hasFlushed()) {
      long size = queued.first().size();
      sent += size;
      queued.progress(size);
    }
    queued.drained();
    events().drained();
  }

  @Override
  public int abandon(Throwable cause) {
    return output().fail(cause);
  }

  @Override
  public long pendingBytes() {
    return output().pendingBytes();
  }

  @Override
  public void startReading() {}

  @Override
  public void stopReading() {}

  @Override
  public void shutdownOutput() {}

  @Override
  public void close() {}
}

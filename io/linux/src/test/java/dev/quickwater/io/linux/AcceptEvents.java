package dev.quickwater.io.linux;

import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.spi.AcceptedSocket;
import dev.quickwater.channel.spi.ChannelEvents;
import dev.quickwater.channel.spi.WriteAccount;
import dev.quickwater.common.Promise;
import java.util.ArrayList;
import java.util.List;

/// A listening channel that closes each connection at once.
final class AcceptEvents implements ChannelEvents {
  final List<Throwable> failures = new ArrayList<>();
  int accepted;

  @Override
  public void received(Object message) {
    accepted++;
    ((AcceptedSocket) message).close();
  }

  @Override
  public void messageFailed(Throwable cause) {
    failures.add(cause);
  }

  @Override
  public void failed(Throwable cause) {
    failures.add(cause);
  }

  @Override
  public ChannelSettings settings() {
    return ChannelSettings.DEFAULT;
  }

  @Override
  public EventLoop loop() {
    throw new AssertionError("a listener has no timers");
  }

  @Override
  public ByteBufAllocator allocator() {
    return ByteBufAllocator.shared();
  }

  @Override
  public WriteAccount account() {
    throw new AssertionError("a listener sends nothing");
  }

  @Override
  public void readTurnEnded() {}

  @Override
  public void inputEnded() {}

  @Override
  public void connected() {}

  @Override
  public void sent(Promise<Void> promise) {}

  @Override
  public void drained() {}

  @Override
  public void outputEnded() {}
}

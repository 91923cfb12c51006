package dev.quickwater.microbench.channel;

import io.netty.buffer.ByteBuf;
import io.netty.channel.AbstractChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A Netty channel without a kernel, connected from the start, like [SilentIo]: nothing comes in,
/// and what is written counts as sent at once.
final class SilentNettyChannel extends AbstractChannel {

  private static final ChannelMetadata METADATA = new ChannelMetadata(false);

  private final ChannelConfig config = new DefaultChannelConfig(this);
  private boolean open = true;

  /// Bytes written so far.
  long sent;

  SilentNettyChannel() {
    super(null);
  }

  @Override
  protected AbstractUnsafe newUnsafe() {
    return new SilentUnsafe();
  }

  private final class SilentUnsafe extends AbstractUnsafe {
    @Override
    public void connect(SocketAddress remote, SocketAddress local, ChannelPromise promise) {
      promise.setFailure(new UnsupportedOperationException());
    }
  }

  @Override
  protected boolean isCompatible(EventLoop loop) {
    return true;
  }

  @Override
  protected @Nullable SocketAddress localAddress0() {
    return null;
  }

  @Override
  protected @Nullable SocketAddress remoteAddress0() {
    return null;
  }

  @Override
  protected void doBind(SocketAddress local) {
    throw new UnsupportedOperationException();
  }

  @Override
  protected void doDisconnect() {
    doClose();
  }

  @Override
  protected void doClose() {
    open = false;
  }

  @Override
  protected void doBeginRead() {}

  @Override
  protected void doWrite(ChannelOutboundBuffer outbound) {
    Object message;
    while ((message = outbound.current()) != null) {
      int length = ((ByteBuf) message).readableBytes();
      sent += length;
      outbound.removeBytes(length);
    }
  }

  @Override
  public ChannelConfig config() {
    return config;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public boolean isActive() {
    return open;
  }

  @Override
  public ChannelMetadata metadata() {
    return METADATA;
  }
}

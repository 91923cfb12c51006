package dev.quickwater.microbench.channel;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.spi.StreamOutput;
import dev.quickwater.channel.spi.StreamSocket;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/// A socket without a kernel: it always has 64 bytes to read and takes everything.
final class EndlessSocket implements StreamSocket {

  static final int LENGTH = 64;

  long sent;

  @Override
  public int read(ByteBuf target) {
    target.writerIndex(target.writerIndex() + LENGTH);
    return LENGTH;
  }

  @Override
  public boolean write(StreamOutput output) {
    long bytes = output.flushedBytes();
    sent += bytes;
    output.progress(bytes);
    return true;
  }

  @Override
  public boolean connect(SocketAddress remote, @Nullable SocketAddress local) {
    return true;
  }

  @Override
  public void finishConnect() {}

  @Override
  public void shutdownOutput() {}

  @Override
  public void interest(int events) {}

  @Override
  public @Nullable IOException pendingError() {
    return null;
  }

  @Override
  public void close() {}

  @Override
  public @Nullable SocketAddress localAddress() {
    return null;
  }

  @Override
  public @Nullable SocketAddress remoteAddress() {
    return null;
  }

  @Override
  public <T> void setOption(SocketOption<T> option, T value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> T getOption(SocketOption<T> option) {
    throw new UnsupportedOperationException();
  }
}

package dev.quickwater.microbench.channel;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.spi.StreamOutput;
import dev.quickwater.channel.spi.StreamSocket;
import java.net.SocketAddress;
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
  public void close() {}
}

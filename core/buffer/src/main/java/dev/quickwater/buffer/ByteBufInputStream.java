package dev.quickwater.buffer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;

/// Reads a buffer as a stream: `new ByteBufInputStream(buffer)` takes ownership, and [#close]
/// releases it.
///
/// Reading moves the reader index and never blocks; the stream ends at the writer index. After
/// [#close], all methods except [#close] and [#mark] throw [IOException]. If another holder
/// releases the buffer, they throw [IllegalStateException]. Not synchronised.
public final class ByteBufInputStream extends InputStream {

  private final ByteBuf buffer;
  private boolean closed;
  private int mark;

  /// A stream of the readable bytes of `buffer`, of which it takes ownership.
  ///
  /// @throws IllegalStateException if the buffer was released
  public ByteBufInputStream(ByteBuf buffer) {
    buffer.requireLive();
    this.buffer = buffer;
    this.mark = buffer.readerIndex();
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("the stream is closed");
    }
    buffer.requireLive(); // else it would have no bytes, and that would pass for their end
  }

  @Override
  public int read() throws IOException {
    requireOpen();
    return buffer.isReadable() ? buffer.readUnsignedByte() : -1;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    requireOpen();
    Objects.checkFromIndexSize(offset, length, target.length);
    int some = Math.min(length, buffer.readableBytes());
    if (some == 0) {
      return length == 0 ? 0 : -1;
    }
    buffer.readBytes(target, offset, some);
    return some;
  }

  @Override
  public byte[] readNBytes(int length) throws IOException {
    requireOpen();
    if (length < 0) {
      throw new IllegalArgumentException("length is " + length + ", expected 0 or more");
    }
    return buffer.readBytes(Math.min(length, buffer.readableBytes()));
  }

  @Override
  public byte[] readAllBytes() throws IOException {
    return readNBytes(Integer.MAX_VALUE);
  }

  @Override
  public long skip(long length) throws IOException {
    requireOpen();
    int some = Math.clamp(length, 0, buffer.readableBytes());
    buffer.skip(some);
    return some;
  }

  @Override
  public long transferTo(OutputStream target) throws IOException {
    byte[] bytes = readAllBytes();
    target.write(bytes);
    return bytes.length;
  }

  @Override
  public int available() throws IOException {
    requireOpen();
    return buffer.readableBytes();
  }

  @Override
  public boolean markSupported() {
    return true;
  }

  /// The mark stays valid for any number of bytes.
  @Override
  public void mark(int limit) {
    mark = buffer.readerIndex();
  }

  @Override
  public void reset() throws IOException {
    requireOpen();
    buffer.readerIndex(mark);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      buffer.release();
    }
  }
}

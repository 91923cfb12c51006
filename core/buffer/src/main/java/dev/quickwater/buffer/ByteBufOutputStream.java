package dev.quickwater.buffer;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/// Writes to a buffer as a stream, from its writer index. The buffer grows as with its other
/// writes. The caller **keeps ownership** of the buffer: [#close] ends the stream only.
///
/// A write past the maximum capacity and every write after [#close] throws [IOException]. Not
/// synchronised.
public final class ByteBufOutputStream extends OutputStream {

  private final ByteBuf buffer;
  private boolean closed;

  /// A stream that writes to `buffer`. The caller keeps ownership of the buffer.
  ///
  /// @throws IllegalStateException if the buffer was released
  public ByteBufOutputStream(ByteBuf buffer) {
    buffer.requireLive();
    this.buffer = buffer;
  }

  private void requireRoom(int length) throws IOException {
    if (closed) {
      throw new IOException("the stream is closed");
    }
    try {
      buffer.ensureWritable(length);
    } catch (IndexOutOfBoundsException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public void write(int value) throws IOException {
    requireRoom(1);
    buffer.writeByte(value);
  }

  @Override
  public void write(byte[] source, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, source.length);
    requireRoom(length);
    buffer.writeBytes(source, offset, length);
  }

  @Override
  public void close() {
    closed = true;
  }
}

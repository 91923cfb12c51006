package dev.quickwater.buffer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/// A range of a file, written by sendfile where the transport can.
///
/// It owns its [FileSource] and closes it when it is released. How much of it was sent is kept by
/// the transport through [#advance]; a file that turns out shorter than the region fails the
/// channel, since the bytes that were announced cannot be sent any more.
public final class FileRegion implements Payload {

  private final FileSource source;
  private long position;
  private long remaining;
  private boolean released;

  /// The `length` bytes at `position` of a file; takes over `source`.
  ///
  /// @throws IndexOutOfBoundsException if the range is not inside the file; `source` is not taken
  ///   over then
  public FileRegion(FileSource source, long position, long length) {
    Objects.checkFromIndexSize(position, length, source.size());
    this.source = source;
    this.position = position;
    this.remaining = length;
  }

  /// The file; it stays the region's own.
  ///
  /// @throws IllegalStateException after release
  public FileSource source() {
    if (released) {
      throw new IllegalStateException("the file region was released");
    }
    return source;
  }

  /// Where the next byte to send is in the file.
  public long position() {
    return position;
  }

  @Override
  public long size() {
    return remaining;
  }

  /// Says that the next `bytes` were sent.
  public void advance(long bytes) {
    if (bytes < 0 || bytes > remaining) {
      throw new IndexOutOfBoundsException(
          "cannot advance by " + bytes + " of " + remaining + " remaining bytes");
    }
    position += bytes;
    remaining -= bytes;
  }

  @Override
  public void release() {
    if (released) {
      throw new IllegalStateException("the file region was released already");
    }
    released = true;
    try {
      source.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

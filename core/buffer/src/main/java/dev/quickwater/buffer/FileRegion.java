package dev.quickwater.buffer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/// A range of a file, written by sendfile where the transport can.
///
/// The region owns its [FileSource] and closes it on release. The transport records what was sent
/// with [#advance]. If the file turns out to be shorter than the region, the channel fails, because
/// the announced bytes can no longer be sent.
public final class FileRegion implements Payload {

  private final FileSource source;
  private long position;
  private long remaining;
  private boolean released;

  /// The `length` bytes at `position` of a file. The region takes ownership of `source`.
  ///
  /// @throws IndexOutOfBoundsException if the range is not inside the file; the caller keeps
  ///   ownership of `source`
  public FileRegion(FileSource source, long position, long length) {
    Objects.checkFromIndexSize(position, length, source.size());
    this.source = source;
    this.position = position;
    this.remaining = length;
  }

  /// The file. The region keeps ownership of it.
  ///
  /// @throws IllegalStateException after release
  public FileSource source() {
    if (released) {
      throw new IllegalStateException("the file region was released");
    }
    return source;
  }

  /// The position in the file of the next byte to send.
  public long position() {
    return position;
  }

  @Override
  public long size() {
    return remaining;
  }

  /// Records that the next `bytes` were sent.
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

package dev.quickwater.buffer;

import java.io.Closeable;
import java.io.IOException;

/// An open file that a [FileRegion] is sent from.
///
/// Each transport opens files in the way that it can send without copying; a source that a
/// transport does not know is read with [#read]. One holder; [#close] is called once. Not safe for
/// use by several threads at a time.
public interface FileSource extends Closeable {

  /// The size in bytes when the file was opened.
  long size();

  /// Reads bytes from a position of the file to the writer index of `target`.
  ///
  /// @return how many bytes were read, at least 1, or -1 at the end of the file
  int read(long position, ByteBuf target, int length) throws IOException;
}

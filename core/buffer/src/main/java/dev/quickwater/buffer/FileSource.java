package dev.quickwater.buffer;

import java.io.Closeable;
import java.io.IOException;

/// An open file that is the source of a [FileRegion].
///
/// Each transport has a source that it can send without copying. It sends any other source with
/// [#read]. A source has one holder, which calls [#close] once. Not synchronised.
public interface FileSource extends Closeable {

  /// The size in bytes when the file was opened.
  long size();

  /// Reads up to `length` bytes from a position of the file to the writer index of `target`.
  ///
  /// @return how many bytes were read, at least 1, or -1 at the end of the file
  int read(long position, ByteBuf target, int length) throws IOException;
}

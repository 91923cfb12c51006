package dev.quickwater.buffer.search;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteFinder;
import dev.quickwater.buffer.CompositeByteBuf;
import dev.quickwater.buffer.UnsafeViews;
import java.util.Objects;

/// A running search for a [Needle]. It keeps its state between calls, so a match may begin in one
/// buffer and end in a later one, as parts of a stream arrive.
///
/// ```
/// ByteSearch search = Needle.of(boundary).search();
/// int end = search.find(first, first.readerIndex(), first.writerIndex());   // -1: not in here
/// end = search.find(second, second.readerIndex(), second.writerIndex());
/// int start = end - search.length();   // negative if the match began in an earlier buffer
/// ```
///
/// After a match the search continues behind the last byte of the match and also finds matches that
/// overlap it. After [#reset] it finds only matches that begin there. Not synchronised. The search
/// takes no ownership of buffers and does not move their indices.
public final class ByteSearch implements ByteFinder {

  private final Needle needle;
  long state;
  int found;

  /// The number of bytes searched and of steps back inside the needle, for tests.
  long work;

  ByteSearch(Needle needle) {
    this.needle = needle;
    this.state = needle.start();
  }

  /// Searches the bytes in `[from, to)` up to the end of the next match.
  ///
  /// @return the index behind the last byte of the match, so that the next call begins there, or -1
  ///   if none ends in the range
  @Override
  public int find(ByteBuf buffer, int from, int to) {
    Objects.checkFromToIndex(from, to, buffer.capacity());
    return UnsafeViews.isNative(buffer)
        ? needle.scan(this, null, UnsafeViews.address(buffer, 0), from, to)
        : needle.scan(this, UnsafeViews.array(buffer), UnsafeViews.arrayOffset(buffer), from, to);
  }

  /// Like [#find(ByteBuf,int,int)] for a composite buffer.
  public int find(CompositeByteBuf buffer, int from, int to) {
    return buffer.find(this, from, to);
  }

  /// The number of the needle that was found last, in the order of the call that created them; 0
  /// for a single needle.
  public int needle() {
    return found;
  }

  /// The length in bytes of the needle that was found last.
  public int length() {
    return needle.length(found);
  }

  /// Returns to the initial state.
  public void reset() {
    state = needle.start();
  }
}

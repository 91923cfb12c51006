package dev.quickwater.buffer.search;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.buffer.memory.ByteScan;
import java.util.Objects;

/// Finds the lines in a range of a buffer by their line feeds, in order.
///
/// ```
/// LineIterator lines = new LineIterator(buffer, buffer.readerIndex(), buffer.writerIndex());
/// for (int end = lines.next(); end >= 0; end = lines.next()) {
///   // the line is in [lines.start(), end), with its carriage return if it has one
/// }
/// ```
///
/// - The iterator has a bit for each line feed in the next 64 bytes, so short lines need no
///   separate search. For a single line, and for lines of hundreds of bytes, [ByteBuf#indexOf] is
///   faster.
/// - The indices of the buffer stay. Its bytes in the range must not change before the last line.
/// - The iterator takes no ownership of the buffer. After release of the buffer, [#next] throws
///   when it needs more bytes.
/// - Not synchronised.
public final class LineIterator {

  private static final long LINE_FEEDS = ByteScan.pattern((byte) '\n');

  private final ByteBuf buffer;
  private final int to;

  /// Line feeds that were found and not yet returned. Bit 0 is the byte at [#block].
  private long found;

  private int block;

  /// The index of the first byte that was not searched.
  private int behind;

  private int start;
  private int nextStart;

  /// An iterator over the lines that end in `[from, to)`.
  ///
  /// @throws IndexOutOfBoundsException if the range is not inside the capacity
  public LineIterator(ByteBuf buffer, int from, int to) {
    Objects.checkFromToIndex(from, to, buffer.capacity());
    this.buffer = buffer;
    this.to = to;
    this.behind = from;
    this.start = from;
    this.nextStart = from;
  }

  /// Moves to the next line.
  ///
  /// @return the index of the line feed, or -1 if the range has no other; [#start] then returns the
  ///   start of the incomplete line
  public int next() {
    start = nextStart;
    while (found == 0) {
      if (behind == to) {
        return -1;
      }
      scanBlock();
    }
    int end = block + Long.numberOfTrailingZeros(found);
    found &= found - 1;
    nextStart = end + 1;
    return end;
  }

  /// The start of the line that [#next] has found.
  public int start() {
    return start;
  }

  private void scanBlock() {
    int length = Math.min(to - behind, Long.SIZE);
    Objects.checkFromIndexSize(behind, length, buffer.capacity());
    found =
        UnsafeViews.isNative(buffer)
            ? ByteScan.mask(null, UnsafeViews.address(buffer, behind), length, LINE_FEEDS)
            : ByteScan.mask(
                UnsafeViews.array(buffer),
                UnsafeViews.arrayOffset(buffer) + behind,
                length,
                LINE_FEEDS);
    block = behind;
    behind += length;
  }
}

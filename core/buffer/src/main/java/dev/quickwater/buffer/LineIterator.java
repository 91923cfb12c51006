package dev.quickwater.buffer;

/// Finds the lines of a range of a buffer, one after another, by their line feeds.
///
/// ```
/// LineIterator lines = new LineIterator(buffer, buffer.readerIndex(), buffer.writerIndex());
/// for (int end = lines.next(); end >= 0; end = lines.next()) {
///   // the line is in [lines.start(), end), with its carriage return if it has one
/// }
/// ```
///
/// - It keeps a bit for each line feed in the next 64 bytes, so short lines cost no search each.
///   For a single line, and for lines of hundreds of bytes, [ByteBuf#indexOf] is faster.
/// - The indices of the buffer stay. Its bytes in the range must not change before the last line.
/// - The buffer stays its holder's; after its release [#next] throws when it needs more bytes.
/// - Not synchronised.
public final class LineIterator {

  private final ByteBuf buffer;
  private final int to;

  /// Line feeds that were found and not returned: bit 0 is the byte at [#block].
  private long found;

  private int block;

  /// Where the bytes begin that were not looked at.
  private int behind;

  private int start;
  private int nextStart;

  /// An iterator over the lines that end in `[from, to)`.
  ///
  /// @throws IndexOutOfBoundsException if the range is not inside the capacity
  public LineIterator(ByteBuf buffer, int from, int to) {
    buffer.checkRange(from, to - from);
    this.buffer = buffer;
    this.to = to;
    this.behind = from;
    this.start = from;
    this.nextStart = from;
  }

  /// Moves to the next line.
  ///
  /// @return the index of its line feed, or -1 if the range has no other; [#start] is then where
  ///   the incomplete line begins
  public int next() {
    start = nextStart;
    while (found == 0) {
      if (behind == to) {
        return -1;
      }
      look();
    }
    int end = block + Long.numberOfTrailingZeros(found);
    found &= found - 1;
    nextStart = end + 1;
    return end;
  }

  /// Where the line begins to which [#next] has moved.
  public int start() {
    return start;
  }

  private void look() {
    int length = Math.min(to - behind, Long.SIZE);
    buffer.checkRange(behind, length);
    found =
        ByteScan.mask(
            buffer.memoryArray(), buffer.memoryAddress() + behind, length, ByteScan.LINE_FEEDS);
    block = behind;
    behind += length;
  }
}

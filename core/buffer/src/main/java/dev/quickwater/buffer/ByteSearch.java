package dev.quickwater.buffer;

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
public final class ByteSearch {

  private final Needle needle;
  long state;
  int found;

  /// Bytes looked at and steps back inside the needle: what a test counts.
  long work;

  ByteSearch(Needle needle) {
    this.needle = needle;
    this.state = needle.start();
  }

  /// Looks at the bytes in `[from, to)` up to the end of the next match.
  ///
  /// @return the index behind the last byte of the match, so that the next call begins there, or -1
  ///   if none ends in the range
  public int find(ByteBuf buffer, int from, int to) {
    buffer.checkRange(from, to - from);
    return needle.scan(this, buffer.array, buffer.address, from, to);
  }

  /// Like [#find(ByteBuf,int,int)] in several buffers read as one.
  public int find(CompositeByteBuf buffer, int from, int to) {
    return buffer.find(this, from, to);
  }

  /// Which needle was found last, in the order they were given; 0 if there is one.
  public int needle() {
    return found;
  }

  /// How many bytes long the needle found last is.
  public int length() {
    return needle.length(found);
  }

  /// Forgets what was seen, as if all that follows were the start.
  public void reset() {
    state = needle.start();
  }
}

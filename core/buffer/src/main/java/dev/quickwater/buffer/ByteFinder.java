package dev.quickwater.buffer;

/// Searches a range of a buffer. [CompositeByteBuf#find] calls it for each part.
@FunctionalInterface
public interface ByteFinder {

  /// Searches the bytes in `[from, to)`. The indices of the buffer stay.
  ///
  /// @return an index of the buffer, or -1 if there is no result in the range
  int find(ByteBuf buffer, int from, int to);
}

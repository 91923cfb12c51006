package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.ResponseHead;

/// The head of a response with what it determines, for responses whose heads are equal. All bytes
/// are compared: with a hash, a server could construct two heads of equal hash.
///
/// The length of the head is that of its Content-Length, or -1.
///
/// @param block the bytes of the head, which the headers refer to
/// @param isPersistent true if the head lets the connection stay open
@SuppressWarnings("ArrayRecordComponent") // never compared; the array is only read
record KeptAnswer(
    byte[] block, HttpVersion version, ResponseHead head, boolean isChunked, boolean isPersistent) {

  /// True if the bytes of this head are at the reader index of `in`.
  ///
  /// @param scratch at least [KeptHead#MAX_FIELDS] bytes
  boolean isAt(ByteBuf in, byte[] scratch) {
    return in.readableBytes() >= block.length
        && KeptHead.equal(in, in.readerIndex(), block, 0, block.length, scratch);
  }
}

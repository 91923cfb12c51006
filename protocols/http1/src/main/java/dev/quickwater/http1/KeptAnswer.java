package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.ResponseHead;

/// The parsed head of a response, which the next response reuses if its head is equal. All bytes
/// are compared, because a server could construct two heads with the same hash.
///
/// `head.contentLength()` is the value of Content-Length, or [ResponseHead#UNKNOWN_LENGTH].
///
/// @param block the bytes of the head, which the headers refer to
/// @param isPersistent true if the connection may stay open after the response
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

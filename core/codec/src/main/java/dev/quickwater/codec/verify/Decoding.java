package dev.quickwater.codec.verify;

import dev.quickwater.buffer.ByteBuf;

/// A decoder under test, in the state of one connection.
///
/// The [CodecVerifier] calls [#decode] each time bytes have come in, with all that were not
/// consumed before, and [#close] once at the end.
@FunctionalInterface
public interface Decoding extends AutoCloseable {

  /// Consumes what it can from `in` by moving the reader index, and tells what it found. It returns
  /// when it needs bytes that are not there. `in` stays the caller's.
  ///
  /// @throws Exception when the input is malformed; nothing is decoded after that
  void decode(ByteBuf in, Events events) throws Exception;

  /// Releases what it holds.
  @Override
  default void close() {}
}

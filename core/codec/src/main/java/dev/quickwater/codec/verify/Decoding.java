package dev.quickwater.codec.verify;

import dev.quickwater.buffer.ByteBuf;

/// A decoder under test, in the state of one connection.
///
/// The [CodecVerifier] calls [#decode] each time bytes have arrived, with all bytes that were not
/// consumed before. It calls [#close] once at the end.
@FunctionalInterface
public interface Decoding extends AutoCloseable {

  /// Consumes bytes of `in` by moving the reader index, and adds what it decoded to `out`. Returns
  /// when it needs more bytes. The caller keeps ownership of `in`.
  ///
  /// @throws Exception if the input is malformed; nothing is decoded after that
  void decode(ByteBuf in, Events events) throws Exception;

  /// Releases the memory of the decoder.
  @Override
  default void close() {}
}

package dev.quickwater.http;

import dev.quickwater.buffer.ByteBuf;

/// Receives the body of a request. Loop only. After [#end], or after the exchange was aborted,
/// nothing follows.
public interface BodyReader {

  /// Some bytes, which the reader takes over.
  void data(ByteBuf bytes) throws Exception;

  /// The body is complete.
  ///
  /// @param trailers the fields after a chunked body, mostly none
  void end(HttpHeaders trailers) throws Exception;
}

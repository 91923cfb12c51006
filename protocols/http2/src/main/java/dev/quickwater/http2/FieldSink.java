package dev.quickwater.http2;

/// Receives the fields of a header block in their order.
interface FieldSink {

  /// One field. The receiver may keep the entry.
  ///
  /// @throws Http2Exception to stop decoding the block. The connection cannot continue then,
  ///   because the dynamic table misses the rest of the block
  void field(TableEntry entry) throws Http2Exception;
}

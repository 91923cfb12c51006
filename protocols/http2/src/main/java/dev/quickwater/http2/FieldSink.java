package dev.quickwater.http2;

/// Receives the fields of a header block in their order.
interface FieldSink {

  /// One field. The receiver may keep the entry.
  ///
  /// @throws Http2Exception to stop the decoding of the block; the connection cannot continue,
  ///   because the dynamic table does not follow the rest of the block
  void field(TableEntry entry) throws Http2Exception;
}

package dev.quickwater.http1;

/// The effects of a [ClientEngine] beyond [ConnectionIo]. Loop only.
interface ClientIo extends ConnectionIo {

  /// The number of unsent bytes above which the connection is aborted.
  long hardLimit();

  /// The connection can carry another exchange.
  void idle();

  /// The connection closes after the open exchange.
  void closeAnnounced();
}

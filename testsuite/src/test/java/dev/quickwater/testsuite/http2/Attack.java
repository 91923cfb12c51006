package dev.quickwater.testsuite.http2;

import java.io.IOException;

/// What a hostile client sends, batch by batch.
interface Attack {

  /// Opens a connection to the server and sends what comes before the flood.
  default RawPeer open(int port) throws IOException {
    return RawPeer.connect(port);
  }

  /// The bytes of the batch with a number, counted from 0.
  byte[] batch(int number);

  /// The same frames in every batch.
  static Attack constant(Frame frame, int perBatch) {
    byte[] batch = Frame.repeated(frame, perBatch);
    return _ -> batch;
  }

  /// The stream of the request with an index, counted from 0, when all requests have `perBatch` in
  /// a batch.
  static int stream(int batch, int perBatch, int index) {
    return 2 * (batch * perBatch + index) + 1;
  }
}

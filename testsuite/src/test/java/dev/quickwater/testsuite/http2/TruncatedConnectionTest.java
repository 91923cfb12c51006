package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// A connection that ends at any byte leaves no exchange, buffer or descriptor behind.
final class TruncatedConnectionTest {

  private static byte[] conversation() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(RawPeer.PREFACE);
    out.writeBytes(
        Frame.bytes(
            Frame.settings(RawPeer.HEADER_TABLE_SIZE, 0),
            Frame.windowUpdate(0, 1 << 20),
            Frame.headers(1, Fields.post("/length").add("content-length", "20")),
            Frame.headers(3, Fields.get("/plaintext")).withFlags(Frame.END_STREAM),
            Frame.continuation(3, Fields.of("x", "1").block()).withFlags(Frame.END_HEADERS),
            Frame.data(1, 10),
            Frame.headers(5, Fields.get("/large")).last(),
            Frame.headers(7, Fields.post("/pending")),
            Frame.data(7, 10),
            Frame.data(1, 10),
            Frame.ping(1),
            Frame.headers(1, Fields.of("x-t", "1")).last()));
    return out.toByteArray();
  }

  @Test
  void everyPrefixLeavesNothing() throws Exception {
    byte[] bytes = conversation();
    try (Target target = new Target()) {
      target.assertAnswers();
      long buffers = target.usedBytes();
      for (int length = 0; length <= bytes.length; length++) {
        for (boolean reset : new boolean[] {false, true}) {
          try (RawPeer peer = RawPeer.silent(target.port())) {
            peer.send(Arrays.copyOf(bytes, length));
            if (reset) {
              peer.abort();
            }
          }
        }
      }
      Target.eventually("no connection", () -> target.connections() == 0);
      Target.eventually("no open exchange", () -> target.open() == 0);
      Target.eventually("buffers of before", () -> target.usedBytes() <= buffers);
      target.assertAnswers();
    }
  }

  /// The bytes arrive one by one.
  @Test
  void singleBytesAreUnderstood() throws Exception {
    byte[] bytes = conversation();
    try (Target target = new Target();
        RawPeer peer = RawPeer.silent(target.port())) {
      for (byte b : bytes) {
        peer.send(new byte[] {b});
      }
      assertEquals("200", peer.outcome(1));
      assertEquals("20", peer.body());
    }
  }
}

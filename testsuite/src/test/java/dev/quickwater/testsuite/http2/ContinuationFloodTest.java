package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// CVE-2026-33871 and VU#421644: a field block that never ends, in CONTINUATION frames of any size.
final class ContinuationFloodTest {

  private static Attack continuations(int length) {
    byte[] piece = new byte[length];
    int perBatch = Math.max(1, 10_000 / (length + 9));
    byte[] batch = Frame.repeated(Frame.continuation(1, piece), perBatch);
    return new Attack() {
      @Override
      public RawPeer open(int port) throws IOException {
        RawPeer peer = RawPeer.connect(port);
        peer.send(
            Frame.headers(1, Fields.get("/plaintext").raw(literal())).withFlags(Frame.END_STREAM));
        return peer;
      }

      @Override
      public byte[] batch(int number) {
        return batch;
      }
    };
  }

  /// The start of a field whose value has 2^20 bytes, of which CONTINUATION frames are a part.
  private static byte[] literal() {
    return new byte[] {0, 1, 'x', 0x7f, (byte) 0x81, (byte) 0xff, 0x3f};
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 16_384})
  void endlessFieldBlockClosesTheConnection(int length) throws Exception {
    try (Target target = new Target()) {
      Flood.Result result = new Flood(target, continuations(length), Flood.Reading.YES).once(1000);
      assertTrue(result.end().startsWith("goaway"), result.toString());
      assertEquals(3, target.calls());
    }
  }

  /// Complete field blocks, each of one HEADERS and a thousand empty CONTINUATION frames.
  @Test
  void emptyFramesOfCompleteBlockAreCounted() throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      peer.send(Frame.headers(1, Fields.get("/plaintext")).withFlags(Frame.END_STREAM));
      peer.send(Frame.repeated(Frame.continuation(1, new byte[0]), 1000));
      var _ = peer.trySend(Frame.continuation(1, new byte[0]).withFlags(Frame.END_HEADERS).bytes());
      assertTrue(peer.outcome(1).startsWith("goaway"));
      assertEquals(0, target.calls());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16_384})
  @Tag("flood")
  void neighboursAreServedDuringTenSeconds(int length) throws Exception {
    try (Target target = new Target()) {
      new Flood(target, continuations(length), Flood.Reading.YES).sustained();
    }
  }
}

package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// CVE-2019-9511: bodies in frames of one byte, in both directions.
final class DataDribbleTest {

  private static final int STREAMS = 50;
  private static final int WINDOW = 65_535;

  /// A window's worth of one-byte frames that no handler reads, on many streams.
  @Test
  void unreadBytesCostHardlyMoreThanTheirNumber() throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      target.assertAnswers();
      long buffers = target.usedBytes();
      long heap = Target.liveHeap();
      for (int i = 0; i < STREAMS; i++) {
        peer.send(Frame.headers(2 * i + 1, Fields.post("/pending")));
      }
      byte[] round = round();
      for (int i = 0; i < WINDOW / STREAMS - 1 && peer.trySend(round); i++) {}
      boolean open = peer.roundTrip();
      long used = target.usedBytes() - buffers;
      long live = Target.liveHeap() - heap;
      assertTrue(used < 2 << 20, used + " bytes of buffers for 64 KiB");
      assertTrue(live < 4 << 20, live + " bytes of heap for 64 KiB");
      assertTrue(open || peer.goAway() == 11, "closed without reason");
    }
  }

  private static byte[] round() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < STREAMS; i++) {
      out.writeBytes(Frame.data(2 * i + 1, 1).bytes());
    }
    return out.toByteArray();
  }

  @Test
  void bodyInBytesIsReceived() throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      peer.send(Frame.headers(1, Fields.post("/length")));
      peer.send(Frame.repeated(Frame.data(1, 1), 2000));
      peer.send(Frame.data(1, 0).last());
      assertEquals("200", peer.outcome(1));
      assertEquals("2000", peer.body());
    }
  }

  /// Padding counts in the window (RFC 9113 section 6.9.1): its credit must come back although no
  /// handler sees it.
  @Test
  void creditOfPaddingIsReturned() throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      peer.send(Frame.headers(1, Fields.post("/last")));
      byte[] padded = new byte[257]; // the length, one byte, 255 of padding
      padded[0] = (byte) 255;
      long granted = WINDOW;
      long sent = 0;
      boolean open = true;
      while (open && sent < 20L * WINDOW) {
        while (granted >= 257) {
          peer.send(Frame.data(1, padded).withFlags(Frame.PADDED));
          granted -= 257;
          sent += 257;
        }
        Frame frame = peer.next();
        open = frame != null;
        if (frame != null && frame.type() == Frame.WINDOW_UPDATE && frame.stream() == 0) {
          granted += frame.int32(0);
        }
      }
      assertTrue(open, "the connection ended");
      peer.send(Frame.data(1, 0).last());
      assertEquals("200", peer.outcome(1));
    }
  }

  @Test
  @Tag("flood")
  void neighboursAreServedDuringTenSeconds() throws Exception {
    byte[] frames = Frame.repeated(Frame.data(1, 1), 1000);
    Attack attack =
        new Attack() {
          @Override
          public RawPeer open(int port) throws IOException {
            RawPeer peer = RawPeer.connect(port);
            peer.send(Frame.headers(1, Fields.post("/last")));
            return peer;
          }

          @Override
          public byte[] batch(int number) {
            return frames;
          }
        };
    try (Target target = new Target()) {
      new Flood(target, attack, Flood.Reading.YES).sustained();
    }
  }
}

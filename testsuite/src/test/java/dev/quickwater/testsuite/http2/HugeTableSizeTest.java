package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/// CVE-2026-93492: a peer offers a compression table of 4 GiB, and the fields of all responses
/// differ.
final class HugeTableSizeTest {

  private static final int ROUNDS = 200;
  private static final int REQUESTS = 50;
  private static final long MAX_HEAP = 4 << 20;

  private static byte[] requests(int round) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < REQUESTS; i++) {
      out.writeBytes(
          Frame.headers(Attack.stream(round, REQUESTS, i), Fields.get("/unique")).last().bytes());
    }
    return out.toByteArray();
  }

  private static void readResponses(RawPeer peer) throws IOException {
    int ended = 0;
    while (ended < REQUESTS) {
      Frame frame = peer.next();
      assertTrue(frame != null && frame.type() != Frame.RST_STREAM, "a response is missing");
      ended += frame.stream() > 0 && frame.has(Frame.END_STREAM) ? 1 : 0;
    }
  }

  @Test
  void fieldsOfTenThousandResponsesAreNotKept() throws Exception {
    try (Target target = new Target();
        RawPeer peer =
            RawPeer.withSettings(target.port(), RawPeer.HEADER_TABLE_SIZE, 0xffff_ffffL)) {
      peer.send(requests(0));
      readResponses(peer);
      long heap = Target.liveHeap();
      for (int round = 1; round < ROUNDS; round++) {
        peer.send(requests(round));
        readResponses(peer);
      }
      long live = Target.liveHeap() - heap;
      assertTrue(live < MAX_HEAP, live + " bytes of heap for " + 1000 * ROUNDS * REQUESTS);
    }
  }

  /// The peer shrinks and grows its table between requests, as often as it may.
  @Test
  void changesOfTheTableAreObeyed() throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      for (int i = 0; i < 20; i++) {
        peer.send(
            Frame.settings(RawPeer.HEADER_TABLE_SIZE, 4096),
            Frame.settings(RawPeer.HEADER_TABLE_SIZE, 0));
        assertEquals("200", peer.get(2 * i + 1, "/plaintext"));
      }
    }
  }
}

package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// CVE-2026-50560: a peer accepts field lists of a few bytes only, which no response fits in. The
/// setting is advice (RFC 9113 section 6.5.2).
final class SmallHeaderListTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 41})
  void requestsAreAnsweredOrTheConnectionIsClosed(int size) throws Exception {
    try (Target target = new Target();
        RawPeer peer =
            RawPeer.withSettings(
                target.port(), RawPeer.HEADER_TABLE_SIZE, 0, RawPeer.MAX_HEADER_LIST_SIZE, size)) {
      String outcome = "200";
      int stream = 1;
      for (; outcome.equals("200") && stream < 2000; stream += 2) {
        outcome = peer.get(stream, "/plaintext");
      }
      assertTrue(outcome.equals("200") || outcome.startsWith("goaway"), outcome);
      target.assertAnswers();
    }
  }

  @Test
  void settingChangesWhileConnectionIsOpen() throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      assertEquals("200", peer.get(1, "/plaintext"));
      peer.send(Frame.settings(RawPeer.MAX_HEADER_LIST_SIZE, 1));
      String outcome = peer.get(3, "/plaintext");
      assertTrue(outcome.equals("200") || outcome.startsWith("goaway"), outcome);
    }
  }
}

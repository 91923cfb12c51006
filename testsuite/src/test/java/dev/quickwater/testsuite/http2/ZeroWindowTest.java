package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// CVE-2019-9517 and the stalled streams of CVE-2019-9511: a peer requests large responses and
/// takes none of their bytes, by a window of zero or by not reading its socket.
final class ZeroWindowTest {

  private static final int STREAMS = 100;
  private static final long MAX_BUFFERS = 16 << 20;
  private static final long MAX_HEAP = 8 << 20;

  private static byte[] requests(String path) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < STREAMS; i++) {
      out.writeBytes(Frame.headers(2 * i + 1, Fields.get(path)).last().bytes());
    }
    return out.toByteArray();
  }

  private static RawPeer closedWindow(int port) throws IOException {
    return RawPeer.withSettings(port, RawPeer.HEADER_TABLE_SIZE, 0, RawPeer.INITIAL_WINDOW_SIZE, 0);
  }

  /// @param begun how many of the requests a handler receives at least
  private static void assertBounded(Target target, RawPeer peer, int begun) throws IOException {
    long buffers = target.usedBytes();
    long heap = Target.liveHeap();
    peer.send(requests("/large"));
    Target.eventually("requests", () -> target.calls() >= begun);
    try (RawPeer healthy = target.connect()) {
      for (int i = 0; i < 100; i++) {
        assertEquals("200", healthy.get(2 * i + 1, "/plaintext"));
        long used = target.usedBytes() - buffers;
        assertTrue(used < MAX_BUFFERS, used + " bytes of buffers");
      }
    }
    long live = Target.liveHeap() - heap;
    assertTrue(live < MAX_HEAP, live + " bytes of heap");
  }

  @Test
  void responsesWithoutWindowStayWithinMemory() throws Exception {
    try (Target target = new Target();
        RawPeer peer = closedWindow(target.port())) {
      assertBounded(target, peer, STREAMS);
    }
  }

  /// While the channel accepts nothing, no further request begins.
  @Test
  void openWindowsOfPeerThatDoesNotReadStayWithinMemory() throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      assertBounded(target, peer, 1);
    }
  }

  @Test
  void buffersAreReleasedWhenThePeerIsGone() throws Exception {
    try (Target target = new Target()) {
      target.assertAnswers();
      long buffers = target.usedBytes();
      for (int i = 1; i <= 5; i++) {
        RawPeer peer = i % 2 == 0 ? target.connect() : closedWindow(target.port());
        long calls = target.calls();
        int begun = i % 2 == 0 ? 1 : STREAMS;
        peer.send(requests("/large"));
        Target.eventually("requests", () -> target.calls() >= calls + begun);
        peer.abort();
      }
      Target.eventually("no open exchange", () -> target.open() == 0);
      Target.eventually("buffers of before", () -> target.usedBytes() <= buffers);
    }
  }

  /// Stalled streams end by the idle timeout of their exchanges, and the connection remains usable.
  @Test
  void stalledStreamsAreReset() throws Exception {
    try (Target target = new Target();
        RawPeer peer = closedWindow(target.port())) {
      peer.send(requests("/stalled"));
      Target.eventually("all requests", () -> target.calls() >= STREAMS);
      assertTrue(peer.outcome(1).startsWith("reset"));
      Target.eventually("no open exchange", () -> target.open() == 0);
      peer.send(Frame.settings(RawPeer.INITIAL_WINDOW_SIZE, 1 << 16));
      assertEquals("200", peer.get(2 * STREAMS + 1, "/plaintext"));
    }
  }

  /// A window that the settings make negative (RFC 9113 section 6.9.2).
  @Test
  void windowBecomesNegativeAndPositiveAgain() throws Exception {
    try (Target target = new Target();
        RawPeer peer =
            RawPeer.withSettings(
                target.port(), RawPeer.HEADER_TABLE_SIZE, 0, RawPeer.INITIAL_WINDOW_SIZE, 10_000)) {
      peer.send(Frame.headers(1, Fields.get("/large")).last());
      int received = dataBeforeQuiet(peer);
      assertEquals(10_000, received);
      peer.send(Frame.settings(RawPeer.INITIAL_WINDOW_SIZE, 0));
      peer.send(Frame.windowUpdate(1, 10_000));
      assertEquals(0, dataBeforeQuiet(peer), "the window is 0");
      peer.send(Frame.windowUpdate(1, 5));
      assertEquals(5, dataBeforeQuiet(peer));
    }
  }

  /// The bytes of DATA until a PING that is sent after them is acknowledged twice.
  private static int dataBeforeQuiet(RawPeer peer) throws IOException {
    int received = 0;
    for (int i = 0; i < 2; i++) {
      peer.send(Frame.ping(i));
      Frame frame;
      while ((frame = peer.next()) != null && !(frame.type() == Frame.PING)) {
        received += frame.type() == Frame.DATA ? frame.payload().length : 0;
      }
    }
    return received;
  }

  /// Windows of a few bytes: the frames are tiny, their number is bounded by the bytes granted.
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  @Tag("flood")
  void neighboursAreServedDuringTenSeconds(int window) throws Exception {
    Attack attack =
        new Attack() {
          @Override
          public RawPeer open(int port) throws IOException {
            RawPeer peer =
                RawPeer.withSettings(
                    port, RawPeer.HEADER_TABLE_SIZE, 0, RawPeer.INITIAL_WINDOW_SIZE, window);
            peer.send(requests("/large"));
            return peer;
          }

          @Override
          public byte[] batch(int number) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            for (int i = 0; i < STREAMS; i++) {
              out.writeBytes(Frame.windowUpdate(2 * i + 1, 1).bytes());
            }
            return out.toByteArray();
          }
        };
    try (Target target = new Target()) {
      new Flood(target, attack, Flood.Reading.YES).sustained();
    }
  }
}

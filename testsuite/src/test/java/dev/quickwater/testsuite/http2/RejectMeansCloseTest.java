package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// After a connection error no further byte is interpreted.
final class RejectMeansCloseTest {

  /// Frames that are connection errors.
  enum Error {
    SETTINGS_OF_FIVE_BYTES(new Frame(Frame.SETTINGS, 0, 0, new byte[5])),
    SETTINGS_ON_A_STREAM(new Frame(Frame.SETTINGS, 0, 1, new byte[0])),
    SETTINGS_ACK_WITH_CONTENT(new Frame(Frame.SETTINGS, Frame.ACK, 0, new byte[6])),
    PING_OF_SEVEN_BYTES(new Frame(Frame.PING, 0, 0, new byte[7])),
    PING_ON_A_STREAM(new Frame(Frame.PING, 0, 1, new byte[8])),
    DATA_ON_THE_CONNECTION(Frame.data(0, 1)),
    DATA_ON_AN_IDLE_STREAM(Frame.data(1, 1)),
    RESET_OF_AN_IDLE_STREAM(Frame.reset(1, 8)),
    HEADERS_ON_AN_EVEN_STREAM(Frame.headers(2, Fields.get("/plaintext")).last()),
    CONTINUATION_OF_NOTHING(Frame.continuation(1, new byte[0])),
    WINDOW_UPDATE_OF_THREE_BYTES(new Frame(Frame.WINDOW_UPDATE, 0, 0, new byte[3])),
    WINDOW_UPDATE_OF_ZERO(Frame.windowUpdate(0, 0)),
    PUSH_PROMISE(new Frame(Frame.PUSH_PROMISE, Frame.END_HEADERS, 1, new byte[4])),
    LARGER_THAN_ALLOWED(Frame.data(1, 16_385)),
    PADDING_LONGER_THAN_THE_FRAME(
        new Frame(Frame.HEADERS, Frame.END_HEADERS | Frame.PADDED, 1, new byte[] {5, 0}));

    final Frame frame;

    Error(Frame frame) {
      this.frame = frame;
    }
  }

  @ParameterizedTest
  @EnumSource
  void requestAfterTheErrorIsNotServed(Error error) throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      peer.send(error.frame, Frame.headers(3, Fields.get("/plaintext")).last());
      String end = peer.outcome(3);
      assertTrue(end.startsWith("goaway"), end);
      assertEquals(0, target.calls());
    }
  }

  /// The server does not wait for the peer to close.
  @Test
  void connectionIsClosed() throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      peer.send(Error.PING_ON_A_STREAM.frame);
      assertEquals("goaway 1", peer.end());
      Target.eventually("connection closed", () -> target.connections() == 0);
    }
  }

  /// RFC 9113 section 3.4: what begins like the preface and is none, and what precedes SETTINGS.
  @Test
  void wrongPrefaceIsRefused() throws Exception {
    try (Target target = new Target()) {
      for (String text :
          new String[] {
            "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n",
            "PRI * HTTP/2.1\r\n\r\nSM\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\r"
          }) {
        try (RawPeer peer = RawPeer.silent(target.port())) {
          peer.send(text.getBytes(StandardCharsets.US_ASCII));
          peer.finish();
          Target.eventually(text, () -> target.connections() == 0);
        }
      }
      try (RawPeer peer = RawPeer.silent(target.port())) {
        peer.send(RawPeer.PREFACE);
        peer.send(Frame.ping(1));
        assertEquals("goaway 1", peer.end());
      }
      assertEquals(0, target.calls());
    }
  }
}

package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// WINDOW_UPDATE frames of one byte, for the connection and for streams that have ended.
final class WindowUpdateFloodTest {

  /// What the frames are for.
  enum Kind {
    CONNECTION(0),
    CLOSED_STREAM(1);

    final int stream;

    Kind(int stream) {
      this.stream = stream;
    }

    Attack attack() {
      byte[] updates = Frame.repeated(Frame.windowUpdate(stream, 1), 5000);
      return new Attack() {
        @Override
        public RawPeer open(int port) throws java.io.IOException {
          RawPeer peer = RawPeer.connect(port);
          var _ = peer.get(1, "/plaintext");
          return peer;
        }

        @Override
        public byte[] batch(int number) {
          return updates;
        }
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void millionUpdatesLeaveNothing(Kind kind) throws Exception {
    try (Target target = new Target()) {
      Flood.Result result = new Flood(target, kind.attack(), Flood.Reading.YES).once(200);
      assertTrue(result.end().equals("closed") || result.end().equals("goaway 11"), result.end());
    }
  }

  /// RFC 9113 section 6.9.1.
  @Test
  void overflowOfTheConnectionWindowIsAnError() throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      peer.send(Frame.windowUpdate(0, Integer.MAX_VALUE));
      assertTrue(peer.end().equals("goaway 3"), "FLOW_CONTROL_ERROR");
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("flood")
  void neighboursAreServedDuringTenSeconds(Kind kind) throws Exception {
    try (Target target = new Target()) {
      new Flood(target, kind.attack(), Flood.Reading.YES).sustained();
    }
  }
}

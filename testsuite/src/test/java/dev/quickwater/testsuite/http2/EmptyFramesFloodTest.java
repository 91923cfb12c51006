package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// CVE-2019-9518: DATA frames without content that do not end their stream.
final class EmptyFramesFloodTest {

  /// How a frame can have no content.
  enum Kind {
    EMPTY {
      @Override
      Frame frame() {
        return Frame.data(1, 0);
      }
    },
    ONLY_PADDING_LENGTH {
      @Override
      Frame frame() {
        return Frame.data(1, new byte[] {0}).withFlags(Frame.PADDED);
      }
    };

    abstract Frame frame();

    Attack attack() {
      Attack frames = Attack.constant(frame(), 1000);
      return new Attack() {
        @Override
        public RawPeer open(int port) throws IOException {
          RawPeer peer = RawPeer.connect(port);
          peer.send(Frame.headers(1, Fields.post("/length")));
          return peer;
        }

        @Override
        public byte[] batch(int number) {
          return frames.batch(number);
        }
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void connectionIsClosed(Kind kind) throws Exception {
    try (Target target = new Target()) {
      Flood.Result result = new Flood(target, kind.attack(), Flood.Reading.YES).once(100);
      assertEquals("goaway 11", result.end());
      Target.eventually("no open exchange", () -> target.open() == 0);
    }
  }

  /// What a client may do that flushes an empty buffer now and then.
  @Test
  void emptyFrameAmongOthersIsAccepted() throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      peer.send(Frame.headers(1, Fields.post("/length")));
      for (int i = 0; i < 500; i++) {
        peer.send(Frame.data(1, 10), Frame.data(1, 0));
      }
      peer.send(Frame.data(1, 0).last());
      assertEquals("200", peer.outcome(1));
      assertEquals("5000", peer.body());
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

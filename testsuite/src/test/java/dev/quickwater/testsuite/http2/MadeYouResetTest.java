package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// CVE-2025-8671: a peer breaks a rule on each stream, so that the server is the one that resets.
final class MadeYouResetTest {

  private static final int PER_BATCH = 500;

  /// Frames after a request by which the stream is in error.
  enum Trick {
    WINDOW_UPDATE_OF_ZERO {
      @Override
      byte[] frames(int stream) {
        return Frame.bytes(
            Frame.headers(stream, Fields.get("/hang")).last(), Frame.windowUpdate(stream, 0));
      }
    },
    WINDOW_OVERFLOW {
      @Override
      byte[] frames(int stream) {
        return Frame.bytes(
            Frame.headers(stream, Fields.get("/hang")).last(),
            Frame.windowUpdate(stream, Integer.MAX_VALUE));
      }
    },
    DATA_AFTER_THE_END {
      @Override
      byte[] frames(int stream) {
        return Frame.bytes(
            Frame.headers(stream, Fields.get("/hang")).last(), Frame.data(stream, 1));
      }
    },
    PRIORITY_OF_FOUR_BYTES {
      @Override
      byte[] frames(int stream) {
        return Frame.bytes(
            Frame.headers(stream, Fields.get("/hang")).last(),
            new Frame(Frame.PRIORITY, 0, stream, new byte[4]));
      }
    },
    WRONG_CONTENT_LENGTH {
      @Override
      byte[] frames(int stream) {
        return Frame.bytes(
            Frame.headers(stream, Fields.post("/pending").add("content-length", "2")),
            Frame.data(stream, 1).last());
      }
    },
    SECOND_HEAD {
      @Override
      byte[] frames(int stream) {
        return Frame.bytes(
            Frame.headers(stream, Fields.post("/pending")),
            Frame.headers(stream, Fields.of("X-Upper", "1")).last());
      }
    };

    abstract byte[] frames(int stream);

    byte[] batch(int number) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      for (int i = 0; i < PER_BATCH; i++) {
        out.writeBytes(frames(Attack.stream(number, PER_BATCH, i)));
      }
      return out.toByteArray();
    }
  }

  @ParameterizedTest
  @EnumSource
  void resetsOfTheServerCountInTheBudget(Trick trick) throws Exception {
    try (Target target = new Target()) {
      Flood.Result result = new Flood(target, trick::batch, Flood.Reading.YES).once(100);
      assertTrue(result.end().startsWith("goaway"), result.toString());
      assertTrue(target.calls() <= 1000, target.calls() + " calls");
      Target.eventually("no open exchange", () -> target.open() == 0);
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("flood")
  void neighboursAreServedDuringTenSeconds(Trick trick) throws Exception {
    try (Target target = new Target()) {
      new Flood(target, trick::batch, Flood.Reading.YES).sustained();
    }
  }
}

package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// CVE-2019-9513: priorities of streams that do not exist, in the old form and in that of RFC 9218,
/// which a server may store for streams that are opened later.
final class PriorityFloodTest {

  private static final int PER_BATCH = 2000;

  /// The two forms.
  enum Kind {
    PRIORITY {
      @Override
      Frame frame(int stream) {
        return Frame.priority(stream, stream - 2 & Integer.MAX_VALUE);
      }
    },
    PRIORITY_UPDATE {
      @Override
      Frame frame(int stream) {
        byte[] value = "u=1, i".getBytes(StandardCharsets.US_ASCII);
        return new Frame(
            Frame.PRIORITY_UPDATE,
            0,
            0,
            ByteBuffer.allocate(4 + value.length).putInt(stream).put(value).array());
      }
    };

    abstract Frame frame(int stream);

    byte[] batch(int number) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      for (int i = 0; i < PER_BATCH; i++) {
        out.writeBytes(frame(Attack.stream(number, PER_BATCH, i) + 2).bytes());
      }
      return out.toByteArray();
    }
  }

  @ParameterizedTest
  @EnumSource
  void idleStreamsCostNothing(Kind kind) throws Exception {
    try (Target target = new Target()) {
      Flood.Result result = new Flood(target, kind::batch, Flood.Reading.YES).once(100);
      assertTrue(result.end().equals("closed") || result.end().equals("goaway 11"), result.end());
    }
  }

  @ParameterizedTest
  @EnumSource
  void fewPrioritiesAreAccepted(Kind kind) throws Exception {
    try (Target target = new Target();
        RawPeer peer = target.connect()) {
      for (int stream = 3; stream < 23; stream += 2) {
        peer.send(kind.frame(stream));
      }
      assertEquals("200", peer.get(3, "/plaintext"));
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("flood")
  void neighboursAreServedDuringTenSeconds(Kind kind) throws Exception {
    try (Target target = new Target()) {
      new Flood(target, kind::batch, Flood.Reading.YES).sustained();
    }
  }
}

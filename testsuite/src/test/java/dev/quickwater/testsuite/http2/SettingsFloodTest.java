package dev.quickwater.testsuite.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// CVE-2019-9515: SETTINGS frames, each of which wants an acknowledgement.
final class SettingsFloodTest {

  /// Empty frames, and frames of many settings.
  enum Kind {
    EMPTY(Frame.settings()),
    WINDOW(Frame.settings(RawPeer.INITIAL_WINDOW_SIZE, 1 << 20)),
    UNKNOWN(Frame.settings(0xff01, 1, 0xff02, 2, 0xff03, 3, 0xff04, 4, 0xff05, 5, 0xff06, 6));

    final Attack attack;

    Kind(Frame frame) {
      attack = Attack.constant(frame, 5000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void peerThatDoesNotReadIsDisconnected(Kind kind) throws Exception {
    try (Target target = new Target()) {
      Flood.Result result = new Flood(target, kind.attack, Flood.Reading.NO).once(200);
      assertEquals("goaway 11", result.end());
    }
  }

  @ParameterizedTest
  @EnumSource
  void peerThatReadsIsDisconnected(Kind kind) throws Exception {
    try (Target target = new Target()) {
      Flood.Result result = new Flood(target, kind.attack, Flood.Reading.YES).once(200);
      assertEquals("goaway 11", result.end());
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("flood")
  void neighboursAreServedDuringTenSeconds(Flood.Reading reading) throws Exception {
    try (Target target = new Target()) {
      new Flood(target, Kind.WINDOW.attack, reading).sustained();
    }
  }
}

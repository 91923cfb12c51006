package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class ChannelSettingsTest {

  private static final ChannelSettings DEFAULT = ChannelSettings.DEFAULT;

  private static void refused(String name, Supplier<?> maker) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, maker::get);
    assertTrue(e.getMessage().startsWith(name + " is "), e.getMessage());
    assertTrue(e.getMessage().contains("expected"), e.getMessage());
  }

  @Test
  void valuesThatMakeNoSenseAreNamed() {
    refused("lowWaterMark", () -> DEFAULT.withWaterMarks(-1, 10));
    refused("highWaterMark", () -> DEFAULT.withWaterMarks(11, 10));
    refused("hardLimit", () -> DEFAULT.withHardLimit(DEFAULT.writes().highWaterMark() - 1));
    refused("stallTimeout", () -> DEFAULT.withStallTimeout(Duration.ZERO));
    refused("connectTimeout", () -> DEFAULT.withConnectTimeout(Duration.ofSeconds(-1)));
    refused("minSize", () -> DEFAULT.withReadSize(63, 100));
    refused("maxSize", () -> DEFAULT.withReadSize(100, 99));
    refused("backlog", () -> DEFAULT.withBacklog(0));
    refused("loops", () -> LoopSettings.DEFAULT.withLoops(0));
    refused("loops", () -> LoopSettings.DEFAULT.withLoops(1025));
    assertThrows(IllegalArgumentException.class, () -> LoopSettings.DEFAULT.withTransport(" "));
  }

  @Test
  void edgesAreAllowed() {
    assertEquals(0, DEFAULT.withWaterMarks(0, 0).writes().highWaterMark());
    assertEquals(64, DEFAULT.withReadSize(64, 64).reads().maxSize());
    assertEquals(
        DEFAULT.writes().highWaterMark(),
        DEFAULT.withHardLimit(DEFAULT.writes().highWaterMark()).writes().hardLimit());
  }

  @Test
  void eachWithChangesItsOwnValueAlone() {
    ChannelSettings changed =
        DEFAULT
            .withWaterMarks(1, 2)
            .withHardLimit(3)
            .withStallTimeout(Duration.ofSeconds(4))
            .withConnectTimeout(Duration.ofSeconds(5))
            .withHalfClose(true)
            .withReadSize(66, 77)
            .withBacklog(8)
            .withOption(StandardSocketOptions.SO_KEEPALIVE, true);
    assertEquals(
        new ChannelSettings(
            new WriteLimits(1, 2, 3),
            new ReadLimits(DEFAULT.reads().readsPerTurn(), 66, 77),
            new ChannelTimeouts(Duration.ofSeconds(4), Duration.ofSeconds(5)),
            new SocketSettings(
                8,
                Map.of(
                    StandardSocketOptions.TCP_NODELAY, true,
                    StandardSocketOptions.SO_KEEPALIVE, true)),
            true),
        changed);
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void optionOfTheWrongTypeIsNamed() {
    SocketOption raw = StandardSocketOptions.SO_LINGER;
    refused("SO_LINGER", () -> DEFAULT.withOption(raw, "5"));
  }
}

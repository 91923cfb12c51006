package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http2.Http2Settings.StreamLimits;
import dev.quickwater.http2.Http2Settings.Timeouts;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class Http2SettingsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private static String refusal(Runnable action) {
    return assertThrows(IllegalArgumentException.class, action::run).getMessage();
  }

  @Test
  void valuesOutOfRangeAreRefusedByName() {
    assertEquals(
        "maxStreams is 0, expected 1 or more", refusal(() -> new StreamLimits(0, 256, 1, 0, 0)));
    assertEquals(
        "maxHeadSize is 65536, expected 256 to 65535",
        refusal(() -> new StreamLimits(1, 1 << 16, 1, 0, 0)));
    assertEquals(
        "headerTable is 65537, expected 0 to 65536",
        refusal(() -> new StreamLimits(1, 256, 1, 0, (1 << 16) + 1)));
    assertEquals(
        "head is PT0S, expected more than zero",
        refusal(() -> new Timeouts(Duration.ZERO, SECOND, SECOND, SECOND, SECOND)));
    assertEquals(
        "pingTimeout is PT0S, expected more than zero",
        refusal(() -> new Timeouts(SECOND, SECOND, SECOND, Duration.ZERO, SECOND)));
  }

  @Test
  void moreStreamsNeedLargerWindowsFirst() {
    Http2Settings settings = Http2Settings.DEFAULT;
    StreamLimits many = new StreamLimits(129, 256, 1, 0, 0);
    assertEquals(
        "maxStreams is 129, expected at most 128, which is maxUnread / 2 / initial of the windows;"
            + " set larger windows first",
        refusal(() -> settings.withStreams(many)));
    WindowSettings large = new WindowSettings(65_535, 1 << 20, 1 << 20, 17 << 20);
    assertEquals(129, settings.withWindows(large).withStreams(many).streams().maxStreams());
    refusal(() -> settings.withWindows(large).withStreams(many).withWindows(settings.windows()));
  }

  @Test
  void partsAreReplacedOneByOne() {
    Http2Settings settings =
        Http2Settings.DEFAULT
            .withStreams(new StreamLimits(7, 256, 1, 0, 0))
            .withExchanges(ExchangeLimits.UNLIMITED);
    assertEquals(7, settings.streams().maxStreams());
    assertEquals(ExchangeLimits.UNLIMITED, settings.exchanges());
    assertEquals(Http2Settings.DEFAULT.windows(), settings.windows());
    assertEquals(Http2Settings.DEFAULT.timeouts(), settings.timeouts());
  }
}

package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

final class Http1SettingsTest {

  private static final Http1Settings SETTINGS = Http1Settings.DEFAULT;

  private static void refused(String name, Executable change) {
    String message = assertThrows(IllegalArgumentException.class, change).getMessage();
    assertTrue(message.startsWith(name + " is ") && message.contains("expected"), message);
  }

  @Test
  void valuesOutOfRangeAreNamed() {
    refused("maxHeadSize", () -> SETTINGS.withHeadLimits(1, 63, 1));
    refused("maxHeadSize", () -> SETTINGS.withHeadLimits(1, 65_536, 1));
    refused("maxTargetLength", () -> SETTINGS.withHeadLimits(0, 64, 1));
    refused("maxTargetLength", () -> SETTINGS.withHeadLimits(65, 64, 1));
    refused("maxFields", () -> SETTINGS.withHeadLimits(1, 64, 0));
    refused("headTimeout", () -> SETTINGS.withTimeouts(Duration.ZERO, Duration.ofSeconds(1)));
    refused("keepAliveTimeout", () -> SETTINGS.withTimeouts(Duration.ofSeconds(1), Duration.ZERO));
    refused("minBodyRate", () -> SETTINGS.withMinBodyRate(-1));
    refused("minResponseRate", () -> SETTINGS.withMinResponseRate(-1));
    refused("maxDiscard", () -> SETTINGS.withDiscard(-1, Duration.ofSeconds(1)));
    refused("discardTimeout", () -> SETTINGS.withDiscard(0, Duration.ofSeconds(-1)));
    refused("maxChunkExtension", () -> SETTINGS.withMaxChunkExtension(-1));
    refused("maxBuffered", () -> SETTINGS.withMaxBuffered(1023));
  }

  @Test
  void withChangesOneThing() {
    Http1Settings changed =
        SETTINGS
            .withHeadLimits(1, 64, 2)
            .withTimeouts(Duration.ofSeconds(3), Duration.ofSeconds(4))
            .withMinBodyRate(5)
            .withMinResponseRate(6)
            .withDiscard(7, Duration.ofSeconds(8))
            .withMaxChunkExtension(9)
            .withMaxBuffered(1024);
    assertEquals(
        new Http1Settings(
            1,
            64,
            2,
            9,
            Duration.ofSeconds(3),
            Duration.ofSeconds(4),
            5,
            6,
            7,
            Duration.ofSeconds(8),
            1024),
        changed);
  }
}

package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.http.ExchangeLimits;
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
    HeadLimits heads = HeadLimits.DEFAULT;
    InputLimits input = InputLimits.DEFAULT;
    refused("maxHeadSize", () -> heads.with(1, 63, 1));
    refused("maxHeadSize", () -> heads.with(1, 65_536, 1));
    refused("maxTargetLength", () -> heads.with(0, 64, 1));
    refused("maxTargetLength", () -> heads.with(65, 64, 1));
    refused("maxFields", () -> heads.with(1, 64, 0));
    refused("maxChunkExtension", () -> heads.withMaxChunkExtension(-1));
    refused("maxInformational", () -> heads.withMaxInformational(-1));
    refused("head", () -> SETTINGS.withTimeouts(Duration.ZERO, Duration.ofSeconds(1)));
    refused("keepAlive", () -> SETTINGS.withTimeouts(Duration.ofSeconds(1), Duration.ZERO));
    refused("maxDiscard", () -> input.withDiscard(-1, Duration.ofSeconds(1)));
    refused("discardTimeout", () -> input.withDiscard(0, Duration.ofSeconds(-1)));
    refused("maxBuffered", () -> input.withMaxBuffered(1023));
    refused("maxLinger", () -> input.withLinger(-1, Duration.ofSeconds(1)));
    refused("lingerTimeout", () -> input.withLinger(0, Duration.ofSeconds(-1)));
    refused("maxBody", () -> ExchangeLimits.DEFAULT.withMaxBody(-1));
    refused("minReceiveRate", () -> ExchangeLimits.DEFAULT.withMinRates(-1, 0));
    refused("minSendRate", () -> ExchangeLimits.DEFAULT.withMinRates(0, -1));
    refused("idleTimeout", () -> ExchangeLimits.DEFAULT.withIdleTimeout(Duration.ofSeconds(-1)));
  }

  @Test
  void withChangesOneThing() {
    HeadLimits heads =
        HeadLimits.DEFAULT.with(1, 64, 2).withMaxChunkExtension(9).withMaxInformational(3);
    InputLimits input =
        InputLimits.DEFAULT
            .withDiscard(7, Duration.ofSeconds(8))
            .withMaxBuffered(1024)
            .withLinger(5, Duration.ofSeconds(6));
    ExchangeLimits exchanges =
        ExchangeLimits.DEFAULT
            .withMaxBody(1)
            .withMinRates(2, 3)
            .withIdleTimeout(Duration.ofSeconds(4));
    Http1Settings changed =
        SETTINGS
            .withHeads(heads)
            .withTimeouts(Duration.ofSeconds(3), Duration.ofSeconds(4))
            .withInput(input)
            .withExchanges(exchanges)
            .withHalfClose(true);
    assertEquals(
        new Http1Settings(
            new HeadLimits(1, 64, 2, 9, 3),
            new Http1Settings.Timeouts(Duration.ofSeconds(3), Duration.ofSeconds(4)),
            new InputLimits(1024, 7, Duration.ofSeconds(8), 5, Duration.ofSeconds(6)),
            new ExchangeLimits(1, 2, 3, Duration.ofSeconds(4)),
            true),
        changed);
  }
}

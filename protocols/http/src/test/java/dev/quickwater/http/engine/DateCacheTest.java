package dev.quickwater.http.engine;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.http.HttpDate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DateCacheTest {

  private static final long SECOND = 1_000_000_000L;

  private static Instant time(byte[] line) {
    String text = new String(line, StandardCharsets.US_ASCII);
    assertTrue(text.startsWith("date: ") && text.endsWith(" GMT\r\n\r\n"), text);
    Instant parsed = HttpDate.parse(text.substring(6).strip());
    assertNotNull(parsed, text);
    return parsed;
  }

  @Test
  void saysTheCurrentSecond() {
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      assertIsNow(DateCache.of(channel.loop()).line());
    }
  }

  private static void assertIsNow(byte[] line) {
    Duration age = Duration.between(time(line), Instant.now());
    assertTrue(age.toMillis() >= 0 && age.toMillis() < 5_000, age.toString());
  }

  @Test
  void isMadeOnceASecondOfTheLoopsClock() {
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      DateCache date = DateCache.of(channel.loop());
      byte[] first = date.line();
      assertSame(first, date.line());
      channel.advance(Duration.ofSeconds(1));
      byte[] second = date.line();
      assertNotSame(first, second);
      assertSame(second, date.line());
    }
  }

  @Test
  void clockOfOneLoopDoesNotCountForAnother() {
    try (EmbeddedChannel still = new EmbeddedChannel();
        EmbeddedChannel moving = new EmbeddedChannel()) {
      DateCache ofStill = DateCache.of(still.loop());
      DateCache ofMoving = DateCache.of(moving.loop());
      byte[] frozen = ofStill.line();
      byte[] before = ofMoving.line();
      assertNotSame(frozen, before);
      moving.advance(Duration.ofSeconds(1));
      assertNotSame(before, ofMoving.line());
      assertSame(frozen, ofStill.line());
    }
  }

  @Test
  void connectionsOfALoopThreadShareIt() throws Exception {
    try (EventLoopGroup group = EventLoopGroup.create(LoopSettings.DEFAULT.withLoops(2))) {
      List<DateCache> caches = new ArrayList<>();
      for (EventLoop loop : group.loops()) {
        DateCache cache = loop.submit(() -> DateCache.of(loop)).await();
        assertSame(cache, loop.submit(() -> DateCache.of(loop)).await());
        caches.add(cache);
      }
      EventLoop first = group.loops().getFirst();
      EventLoop other = group.loops().getLast();
      assertNotSame(caches.getFirst(), caches.getLast());
      assertNotSame(caches.getFirst(), other.submit(() -> DateCache.of(first)).await());
      assertSame(caches.getLast(), other.submit(() -> DateCache.of(other)).await());
    }
  }

  @Test
  void anyStartOfTheClockWorks() {
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      for (long now : new long[] {0, -SECOND, Long.MAX_VALUE, Long.MIN_VALUE, 1}) {
        assertIsNow(DateCache.of(channel.loop()).line(now));
      }
    }
  }
}

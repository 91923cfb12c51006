package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Reading under memory pressure, in virtual time.
final class MemoryGuardTest {

  private boolean high;

  @Test
  void channelThatReadsUnderPressureIsPausedUntilThePressureEnds() {
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      MemoryGuard guard = new MemoryGuard(channel.loop(), () -> high);
      guard.afterRead(channel.channel());
      assertTrue(channel.isReading());
      high = true;
      guard.afterRead(channel.channel());
      assertFalse(channel.isReading());
      assertEquals(List.of("memory pressure"), channel.channel().pauses());
      high = false;
      channel.advance(Duration.ofMillis(10));
      assertTrue(channel.isReading());
    }
  }

  @Test
  void longestPausedChannelReadsAtEachTickWhileThePressureLasts() {
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      MemoryGuard guard = new MemoryGuard(channel.loop(), () -> high);
      high = true;
      guard.afterRead(channel.channel());
      guard.afterRead(channel.channel());
      guard.afterRead(channel.channel());
      assertEquals(3, channel.channel().pauses().size());
      channel.advance(Duration.ofMillis(10));
      assertEquals(2, channel.channel().pauses().size());
      channel.advance(Duration.ofMillis(10));
      channel.advance(Duration.ofMillis(10));
      assertTrue(channel.isReading());
    }
  }
}

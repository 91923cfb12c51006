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
    try (EmbeddedChannel host = new EmbeddedChannel()) {
      MemoryGuard guard = new MemoryGuard(host.loop(), () -> high);
      high = true;
      QuietIo first = new QuietIo();
      QuietIo second = new QuietIo();
      guard.afterRead(first.open(host.loop()));
      guard.afterRead(second.open(host.loop()));
      assertFalse(first.reading || second.reading);
      host.advance(Duration.ofMillis(10));
      assertTrue(first.reading);
      assertFalse(second.reading);
      host.advance(Duration.ofMillis(10));
      assertTrue(second.reading);
    }
  }

  @Test
  void closedChannelsDoNotDelayThePausedOnes() {
    try (EmbeddedChannel embedded = new EmbeddedChannel()) {
      MemoryGuard guard = new MemoryGuard(embedded.loop(), () -> high);
      high = true;
      for (int i = 0; i < 100; i++) {
        Channel closed = new QuietIo().open(embedded.loop());
        guard.afterRead(closed);
        closed.close();
      }
      guard.afterRead(embedded.channel());
      embedded.advance(Duration.ofMillis(10));
      assertTrue(embedded.isReading());
    }
  }

  @Test
  void channelWhoseHandlerInterceptsPausesIsPausedOnce() {
    ChannelHandler intercepting =
        new ChannelHandler() {
          @Override
          public void pauseReading(HandlerContext context) {
            // what is read is needed for a handshake
          }
        };
    try (EmbeddedChannel embedded = new EmbeddedChannel(intercepting)) {
      MemoryGuard guard = new MemoryGuard(embedded.loop(), () -> high);
      high = true;
      for (int i = 0; i < 1000; i++) {
        guard.afterRead(embedded.channel());
      }
      assertEquals(1, embedded.channel().pauses().size());
    }
  }
}

package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

final class WatchdogTest {

  private static final long LIMIT = 1_000;

  @Test
  void aStepThatLastsIsReportedAndAgainWhenItsTimeHasDoubled() {
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      Watchdog.Watched watched = new Watchdog.Watched(channel.loop());
      channel.loop().progress().busy();
      assertEquals(0, watched.check(1, LIMIT));
      assertEquals(0, watched.check(LIMIT, LIMIT));
      assertEquals(LIMIT, watched.check(1 + LIMIT, LIMIT));
      assertEquals(0, watched.check(2 * LIMIT, LIMIT));
      assertEquals(2 * LIMIT, watched.check(1 + 2 * LIMIT, LIMIT));
    }
  }

  @Test
  void progressAndWaitingEndAStep() {
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      Watchdog.Watched watched = new Watchdog.Watched(channel.loop());
      channel.loop().progress().busy();
      assertEquals(0, watched.check(1, LIMIT));
      channel.loop().progress().event(channel.channel());
      assertEquals(0, watched.check(1 + LIMIT, LIMIT));
      channel.loop().progress().waiting();
      assertEquals(0, watched.check(1 + 5 * LIMIT, LIMIT));
    }
  }

  @Test
  void theHandlerIsTheClassThatThePipelineCalled() {
    StackTraceElement[] stack = {
      new StackTraceElement("java.lang.Object", "wait", "Object.java", 1),
      new StackTraceElement("org.example.Store", "load", "Store.java", 1),
      new StackTraceElement("org.example.Slow", "channelRead", "Slow.java", 1),
      new StackTraceElement(HandlerContext.class.getName(), "fireChannelRead", "H.java", 1),
      new StackTraceElement("org.example.Decoder", "channelRead", "Decoder.java", 1),
      new StackTraceElement(Pipeline.class.getName(), "fireRead", "Pipeline.java", 1)
    };
    assertEquals("org.example.Slow", Watchdog.handler(stack));
  }
}

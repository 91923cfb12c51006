package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

final class WatchdogTest {

  private static final long LIMIT = 1_000;

  @Test
  void aStepThatLastsIsReportedAndAgainWhenItsTimeHasDoubled() {
    try (EmbeddedChannel channel = new EmbeddedChannel(_ -> {})) {
      Watchdog.Watched watched = new Watchdog.Watched(channel.loop());
      channel.loop().progress().busy();
      assertEquals(0, watched.look(1, LIMIT));
      assertEquals(0, watched.look(LIMIT, LIMIT));
      assertEquals(LIMIT, watched.look(1 + LIMIT, LIMIT));
      assertEquals(0, watched.look(2 * LIMIT, LIMIT));
      assertEquals(2 * LIMIT, watched.look(1 + 2 * LIMIT, LIMIT));
    }
  }

  @Test
  void progressAndWaitingEndAStep() {
    try (EmbeddedChannel channel = new EmbeddedChannel(_ -> {})) {
      Watchdog.Watched watched = new Watchdog.Watched(channel.loop());
      channel.loop().progress().busy();
      assertEquals(0, watched.look(1, LIMIT));
      channel.loop().progress().event(channel.channel());
      assertEquals(0, watched.look(1 + LIMIT, LIMIT));
      channel.loop().progress().waiting();
      assertEquals(0, watched.look(1 + 5 * LIMIT, LIMIT));
    }
  }

  /// Occupies its loop until the test lets it go.
  private static final class Blocking implements Runnable {
    final CountDownLatch release = new CountDownLatch(1);

    @Override
    public void run() {
      try {
        release.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void aBlockingTaskIsLoggedWithLoopAndStack() throws Exception {
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    Logger logger = Logger.getLogger(Watchdog.class.getName());
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            lines.add(new SimpleFormatter().formatMessage(record));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    LoopSettings settings = new LoopSettings(1, "nio").withStallLimit(Duration.ofMillis(5));
    try (EventLoopGroup group = EventLoopGroup.create(settings)) {
      Blocking blocking = new Blocking();
      group.next().execute(blocking);
      String line = lines.poll(30, TimeUnit.SECONDS);
      blocking.release.countDown();
      assertTrue(line != null && line.contains(group.next().name()), line);
      assertTrue(line.contains("WatchdogTest$Blocking.run"), line);
    } finally {
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
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

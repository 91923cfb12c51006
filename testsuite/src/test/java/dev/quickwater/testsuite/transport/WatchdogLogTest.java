package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.LoopSettings;
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

/// The log of a loop's watchdog.
final class WatchdogLogTest {

  /// Occupies its loop until the test releases it.
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
    Logger logger = Logger.getLogger("dev.quickwater.channel.Watchdog");
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
      assertTrue(line.contains("WatchdogLogTest$Blocking.run"), line);
    } finally {
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
    }
  }
}

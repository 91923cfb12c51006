package dev.quickwater.http1;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.LoopLocal;
import dev.quickwater.common.LoopThread;
import dev.quickwater.http.HttpDate;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The Date field and the empty line after the head, made once a second of one loop's clock.
///
/// Each loop has its own, since each may have a clock of its own: where one stands still, so does
/// its date, and no other's. A loop with its own thread has one for all its connections. Where a
/// host steps the loop, on a thread that is no [LoopThread], each connection has one, for nothing
/// is to stay behind in the host's thread. Validity is in nanoseconds of the loop's clock, so that
/// a request costs no system call. Loop only.
final class DateCache {

  private static final String NAME = "date: ";
  private static final byte[] LINE =
      (NAME + " ".repeat(HttpDate.LENGTH) + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  private static final int DATE = NAME.length();
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private static final LoopLocal<@Nullable DateCache> OF_THREAD =
      LoopLocal.withInitial("date", () -> null);

  private final EventLoop loop;

  /// When the second of the line began; means something once there is a line.
  private long from;

  private byte @Nullable [] line;

  private DateCache(EventLoop loop) {
    this.loop = loop;
  }

  /// The one of the loop whose thread the caller is on.
  static DateCache of(EventLoop loop) {
    if (!loop.inLoop() || !(Thread.currentThread() instanceof LoopThread)) {
      return new DateCache(loop);
    }
    DateCache cache = OF_THREAD.getIfSet();
    if (cache == null || cache.loop != loop) {
      cache = new DateCache(loop);
      OF_THREAD.set(cache);
    }
    return cache;
  }

  /// `date: ...` and two line ends, for the loop's current turn. Callers only read it.
  byte[] line() {
    return line(loop.now());
  }

  byte[] line(long now) {
    byte @Nullable [] current = line;
    long age = now - from;
    return current != null && age >= 0 && age < SECOND ? current : make(now);
  }

  private byte[] make(long now) {
    long millis = System.currentTimeMillis();
    byte[] made = LINE.clone();
    HttpDate.format(millis / 1000, made, DATE);
    // The text holds for the rest of the wall clock's second.
    from = now - TimeUnit.MILLISECONDS.toNanos(millis % 1000);
    line = made;
    return made;
  }
}

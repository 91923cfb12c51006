package dev.quickwater.http.engine;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.LoopLocal;
import dev.quickwater.common.LoopThread;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpDate;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The Date field and the empty line after the head, made once for each second of a loop's clock.
///
/// Each loop has a separate cache, because each loop may have a separate clock; a clock that stands
/// still stops only the date of its loop. A loop with a dedicated thread has one cache for all its
/// connections. If a host steps the loop on another thread, each connection has a cache, because
/// nothing may remain in the host's thread ([LoopThread]). Validity is measured in nanoseconds of
/// the loop's clock, so a request costs no system call. Loop only.
public final class DateCache {

  private static final String NAME = "date: ";
  private static final byte[] LINE =
      (NAME + " ".repeat(HttpDate.LENGTH) + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  private static final int DATE = NAME.length();
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private static final LoopLocal<@Nullable DateCache> OF_THREAD =
      LoopLocal.withInitial("date", () -> null);

  private final EventLoop loop;

  /// When the second of the line began; undefined without a line.
  private long from;

  private byte @Nullable [] line;

  /// The Date field of the line; null until it is requested.
  private @Nullable HeaderField field;

  private DateCache(EventLoop loop) {
    this.loop = loop;
  }

  /// The cache of the loop of the calling thread.
  public static DateCache of(EventLoop loop) {
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
  public byte[] line() {
    return line(loop.now());
  }

  /// The Date field, for the loop's current turn.
  public HeaderField field() {
    byte[] current = line();
    @Nullable HeaderField known = field;
    if (known == null) {
      byte[] value = Arrays.copyOfRange(current, DATE, DATE + HttpDate.LENGTH);
      known = new HeaderField(HeaderName.DATE, value, false);
      field = known;
    }
    return known;
  }

  /// [#line()] at a time.
  public byte[] line(long now) {
    byte @Nullable [] current = line;
    long age = now - from;
    return current != null && age >= 0 && age < SECOND ? current : make(now);
  }

  private byte[] make(long now) {
    long millis = System.currentTimeMillis();
    byte[] made = LINE.clone();
    HttpDate.format(millis / 1000, made, DATE);
    // The text is valid for the rest of the wall clock's second.
    from = now - TimeUnit.MILLISECONDS.toNanos(millis % 1000);
    line = made;
    field = null;
    return made;
  }
}

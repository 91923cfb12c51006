package dev.quickwater.microbench.http;

import dev.quickwater.http.CookieDate;
import dev.quickwater.http.HttpDate;
import dev.quickwater.microbench.jmh.PairedBenchmark;
import io.netty.handler.codec.DateFormatter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Date;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/// What does it cost to write a date and to read each form of one?
///
/// After the benchmark of the same name in Netty's own suite, with times between 1970 and 2070
/// drawn beforehand. Each side makes the text and the object that its users get; `Append` is into
/// something that is there already. Netty reads all forms by one lax method, `Cookie` is our lax
/// one.
public class DateFormatterBenchmark extends PairedBenchmark {

  private static final int TIMES = 1 << 10;

  private final Date[] dates = new Date[TIMES];
  private final Instant[] instants = new Instant[TIMES];
  private final String[] fixed = new String[TIMES];
  private final String[] rfc850 = new String[TIMES];
  private final String[] asctime = new String[TIMES];
  private final byte[] target = new byte[HttpDate.LENGTH];
  private final StringBuilder builder = new StringBuilder(HttpDate.LENGTH);
  private int next;

  @Setup
  public void draw() {
    SplittableRandom random = new SplittableRandom(42);
    DateTimeFormatter old =
        DateTimeFormatter.ofPattern("EEEE, dd-MMM-yy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);
    DateTimeFormatter c =
        DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);
    for (int i = 0; i < TIMES; i++) {
      instants[i] = Instant.ofEpochSecond(random.nextLong(3_155_760_000L));
      dates[i] = new Date(instants[i].toEpochMilli());
      fixed[i] = HttpDate.format(instants[i]);
      rfc850[i] = old.format(instants[i]);
      asctime[i] = c.format(instants[i]);
    }
  }

  private int next() {
    next = next + 1 & TIMES - 1;
    return next;
  }

  @Benchmark
  public String quickwaterFormat() {
    return HttpDate.format(instants[next()]);
  }

  @Benchmark
  public String nettyFormat() {
    return DateFormatter.format(dates[next()]);
  }

  @Benchmark
  public Object quickwaterAppend() {
    HttpDate.format(instants[next()].getEpochSecond(), target, 0);
    return target;
  }

  @Benchmark
  public Object nettyAppend() {
    builder.setLength(0);
    return DateFormatter.append(dates[next()], builder);
  }

  @Benchmark
  public @Nullable Object quickwaterParse() {
    return HttpDate.parse(fixed[next()]);
  }

  @Benchmark
  public @Nullable Object nettyParse() {
    return DateFormatter.parseHttpDate(fixed[next()]);
  }

  @Benchmark
  public @Nullable Object quickwaterParseRfc850() {
    return HttpDate.parse(rfc850[next()]);
  }

  @Benchmark
  public @Nullable Object nettyParseRfc850() {
    return DateFormatter.parseHttpDate(rfc850[next()]);
  }

  @Benchmark
  public @Nullable Object quickwaterParseAsctime() {
    return HttpDate.parse(asctime[next()]);
  }

  @Benchmark
  public @Nullable Object nettyParseAsctime() {
    return DateFormatter.parseHttpDate(asctime[next()]);
  }

  @Benchmark
  public @Nullable Object quickwaterParseCookie() {
    return CookieDate.parse(fixed[next()]);
  }

  @Benchmark
  public @Nullable Object nettyParseCookie() {
    return DateFormatter.parseHttpDate(fixed[next()]);
  }
}

package dev.quickwater.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.sun.management.ThreadMXBean;
import dev.quickwater.buffer.ByteBuf;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/// Dates are written and read without an object.
///
/// It runs in a separate JVM with C1 alone, which removes no allocation of the source. Its name
/// excludes it from the usual test run.
final class DateAllocationGate {

  private static final int CALLS = 20_000;
  private static final int ROUNDS = 5;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static void assertNothing(String what, LongSupplier call) {
    long least = Long.MAX_VALUE;
    assertNotEquals(HttpDate.INVALID, call.getAsLong(), what);
    for (int round = 0; round < ROUNDS; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < CALLS; i++) {
        call.getAsLong();
      }
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    assertEquals(0, least, what + ": bytes in " + CALLS + " calls");
  }

  @Test
  void dates() {
    String fixed = "Sun, 06 Nov 1994 08:49:37 GMT";
    String rfc850 = "Wednesday, 09-Nov-94 08:49:37 GMT";
    String asctime = "Sun Nov  6 08:49:37 1994";
    String cookie = "Sun, 06-Nov-1994 08:49:37 GMT";
    byte[] bytes = fixed.getBytes(US_ASCII);
    byte[] target = new byte[HttpDate.LENGTH];
    ByteBuf buffer = ByteBuf.wrap(new byte[HttpDate.LENGTH]);
    assertNothing("format", () -> HttpDate.format(784_111_777L, target, 0));
    assertNothing(
        "write",
        () -> {
          HttpDate.write(784_111_777L, buffer.clear());
          return buffer.readableBytes();
        });
    assertNothing("fixed form", () -> HttpDate.parseSeconds(fixed));
    assertNothing("bytes", () -> HttpDate.parseSeconds(bytes, 0, bytes.length, 0));
    assertNothing("RFC 850", () -> HttpDate.parseSeconds(rfc850));
    assertNothing("asctime", () -> HttpDate.parseSeconds(asctime));
    assertNothing("cookie", () -> CookieDate.parseSeconds(cookie));
    assertNothing("refused", () -> HttpDate.parseSeconds("tomorrow") + 1);
    buffer.release();
  }
}

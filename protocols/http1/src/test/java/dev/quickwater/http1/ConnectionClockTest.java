package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http1.ConnectionClock.Expiry;
import dev.quickwater.http1.ConnectionClock.Wait;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Deadlines and rates, given the time.
final class ConnectionClockTest {

  private static final ExchangeLimits LIMITS = ExchangeLimits.DEFAULT;

  private final ConnectionClock clock = new ConnectionClock(Http1Settings.DEFAULT);

  private static long s(long seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }

  private Expiry check(long seconds) {
    return clock.check(LIMITS, 0, 0, s(seconds));
  }

  @Test
  void eachWaitHasItsDeadline() {
    clock.start(s(5));
    clock.waitFor(Wait.REQUEST, s(5));
    assertEquals(s(75), clock.remaining(LIMITS, s(5)));
    assertEquals(Expiry.KEEP_ALIVE, check(80));
    clock.waitFor(Wait.HEAD, s(80));
    assertEquals(s(4), clock.remaining(LIMITS, s(86)));
    clock.waitFor(Wait.HEAD, s(89));
    assertEquals(Expiry.HEAD, check(90));
    clock.exchangeBegan(s(100));
    assertEquals(s(60), clock.remaining(LIMITS, s(100)));
    assertEquals(Expiry.EXCHANGE_IDLE, check(160));
    clock.waitFor(Wait.DISCARD, s(200));
    assertEquals(Expiry.DISCARD, check(201));
  }

  @Test
  void connectionThatHasServedARequestIsTrimmedOnce() {
    clock.start(s(0));
    clock.exchangeBegan(s(1));
    clock.waitFor(Wait.REQUEST, s(1));
    assertEquals(s(2), clock.remaining(LIMITS, s(1)));
    assertEquals(Expiry.TRIM, check(3));
    assertEquals(s(73), clock.remaining(LIMITS, s(3)));
    assertEquals(Expiry.NOTHING, check(75));
    assertEquals(Expiry.KEEP_ALIVE, check(76));
  }

  @Test
  void progressMovesTheIdleDeadline() {
    clock.exchangeBegan(s(0));
    clock.progressed(s(50));
    assertEquals(Expiry.NOTHING, check(109));
    assertEquals(Expiry.EXCHANGE_IDLE, check(110));
  }

  @Test
  void windowOfABodyStandsStillWhileItIsNotRead() {
    clock.exchangeBegan(s(0));
    clock.waitFor(Wait.BODY, s(0));
    clock.received(10, s(3));
    clock.waitFor(Wait.ANSWER, s(3));
    clock.waitFor(Wait.BODY, s(20));
    assertEquals(s(2), clock.remaining(LIMITS, s(20)));
    assertEquals(Expiry.NOTHING, check(21));
    assertEquals(Expiry.BODY_RATE, check(22));
  }

  @Test
  void bodyThatIsFastEnoughBeginsAnotherWindow() {
    clock.exchangeBegan(s(0));
    clock.waitFor(Wait.BODY, s(0));
    clock.received(1200, s(4));
    assertEquals(Expiry.NOTHING, check(5));
    clock.received(1199, s(6));
    assertEquals(Expiry.BODY_RATE, check(10));
  }

  @Test
  void limitsWithoutRatesHaveNoWindows() {
    clock.exchangeBegan(s(0));
    clock.waitFor(Wait.BODY, s(0));
    clock.output(100, 100, s(0));
    assertEquals(ConnectionClock.NEVER, clock.remaining(ExchangeLimits.UNLIMITED, s(0)));
    assertEquals(Expiry.NOTHING, clock.check(ExchangeLimits.UNLIMITED, 100, 100, s(9999)));
  }

  @Test
  void peerMustAcceptWhatWaited() {
    ExchangeLimits limits = LIMITS.withIdleTimeout(Duration.ZERO);
    clock.exchangeBegan(s(0));
    clock.output(100_000, 90_000, s(0));
    assertEquals(s(30), clock.remaining(limits, s(0)));
    assertEquals(Expiry.NOTHING, clock.check(limits, 100_000, 80_000, s(30)));
    assertEquals(Expiry.SEND_RATE, clock.check(limits, 100_000, 79_000, s(60)));
  }

  @Test
  void peerThatAcceptedAllThatWaitedIsNeverTooSlow() {
    clock.exchangeBegan(s(0));
    clock.output(100, 100, s(0));
    clock.progressed(s(29));
    assertEquals(Expiry.NOTHING, clock.check(LIMITS, 200, 100, s(30)));
  }
}

package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.Pause;
import dev.quickwater.common.VirtualClock;
import dev.quickwater.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Pipelined exchanges are divided among turns of the loop.
final class TurnBudgetTest {

  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  private final List<Integer> turns = new ArrayList<>();
  private int turn;

  /// Notes the turn in which each exchange begins.
  private TestServer server() {
    return new TestServer(x -> {
      turns.add(turn);
      x.respond(HttpResponse.text("answer"));
    });
  }

  /// Counts the next turns, each before its deferred exchanges begin.
  private void countTurns(EventLoop loop, int left) {
    if (left > 0) {
      loop.defer(() -> {
        turn++;
        countTurns(loop, left - 1);
      });
    }
  }

  private int begunIn(int which) {
    return Collections.frequency(turns, which);
  }

  private static int answers(TestServer server) {
    return server.sent().split("HTTP/1.1 200", -1).length - 1;
  }

  @Test
  void aTurnBeginsAtMostAsManyExchangesAsTheBudgetHas() {
    try (TestServer server = server()) {
      countTurns(server.peer.loop(), 5);
      server.send(GET.repeat(3 * TurnBudget.MAX_EXCHANGES - 10));
      assertEquals(TurnBudget.MAX_EXCHANGES, begunIn(0));
      assertEquals(TurnBudget.MAX_EXCHANGES, begunIn(1));
      assertEquals(TurnBudget.MAX_EXCHANGES - 10, begunIn(2));
      assertEquals(turns.size(), answers(server));
    }
  }

  @Test
  void moreInputInTheSameTurnBeginsNoFurtherExchange() {
    try (TestServer server = server()) {
      Pause pause = server.peer.channel().pauseReading("test");
      server.send(GET.repeat(TurnBudget.MAX_EXCHANGES + 1));
      server.send(GET.repeat(10));
      countTurns(server.peer.loop(), 5);
      pause.close();
      assertEquals(TurnBudget.MAX_EXCHANGES, turns.size());
      server.peer.runTasks();
      assertEquals(TurnBudget.MAX_EXCHANGES + 11, turns.size());
      assertEquals(turns.size(), answers(server));
    }
  }

  @Test
  void endOfInputWaitsForTheExchangesOfLaterTurns() {
    try (TestServer server = server()) {
      Pause pause = server.peer.channel().pauseReading("test");
      server.send(GET.repeat(TurnBudget.MAX_EXCHANGES + 1));
      server.peer.endInput();
      pause.close();
      server.peer.runTasks();
      assertEquals(TurnBudget.MAX_EXCHANGES + 1, answers(server));
      server.assertClosed();
    }
  }

  @Test
  void noExchangeBeginsAfterTheConnectionIsClosed() {
    try (TestServer server = server()) {
      server.peer.loop().defer(server.peer.channel()::close);
      server.send(GET.repeat(2 * TurnBudget.MAX_EXCHANGES));
      server.assertClosed();
      assertEquals(TurnBudget.MAX_EXCHANGES, turns.size());
    }
  }

  @Test
  void timeEndsATurnBeforeTheCountDoes() {
    VirtualClock clock = new VirtualClock();
    TurnBudget budget = new TurnBudget(clock);
    int taken = 0;
    while (budget.take()) {
      taken++;
      clock.advance(Duration.ofNanos(TurnBudget.MAX_NANOS / 16));
    }
    assertEquals(24, taken); // eight before the first look at the clock, sixteen until the second
    assertTrue(budget.isSpent());
    budget.renew();
    assertFalse(budget.isSpent());
    assertTrue(budget.take());
  }
}

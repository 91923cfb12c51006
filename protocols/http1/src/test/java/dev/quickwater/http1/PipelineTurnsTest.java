package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.Pause;
import dev.quickwater.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Pipelined exchanges are divided among turns of the loop.
final class PipelineTurnsTest {

  /// The number of units that [EventLoop#takeUnit] grants in a turn of a clock that stands still.
  private static final int UNITS = 256;

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
      server.send(GET.repeat(3 * UNITS - 10));
      assertEquals(UNITS, begunIn(0));
      assertEquals(UNITS, begunIn(1));
      assertEquals(UNITS - 10, begunIn(2));
      assertEquals(turns.size(), answers(server));
    }
  }

  @Test
  void moreInputInTheSameTurnBeginsNoFurtherExchange() {
    try (TestServer server = server()) {
      Pause pause = server.peer.channel().pauseReading("test");
      server.send(GET.repeat(UNITS + 1));
      server.send(GET.repeat(10));
      countTurns(server.peer.loop(), 5);
      pause.close();
      assertEquals(UNITS, turns.size());
      server.peer.runTasks();
      assertEquals(UNITS + 11, turns.size());
      assertEquals(turns.size(), answers(server));
    }
  }

  @Test
  void endOfInputWaitsForTheExchangesOfLaterTurns() {
    try (TestServer server = server()) {
      Pause pause = server.peer.channel().pauseReading("test");
      server.send(GET.repeat(UNITS + 1));
      server.peer.endInput();
      pause.close();
      server.peer.runTasks();
      assertEquals(UNITS + 1, answers(server));
      server.assertClosed();
    }
  }

  @Test
  void noExchangeBeginsAfterTheConnectionIsClosed() {
    try (TestServer server = server()) {
      server.peer.loop().defer(server.peer.channel()::close);
      server.send(GET.repeat(2 * UNITS));
      server.assertClosed();
      assertEquals(UNITS, turns.size());
    }
  }
}

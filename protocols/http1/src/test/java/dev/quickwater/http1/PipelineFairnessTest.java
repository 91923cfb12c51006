package dev.quickwater.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import org.junit.jupiter.api.Test;

/// A connection that pipelines endlessly alternates with the other work of its loop.
final class PipelineFairnessTest {

  private static final int REQUESTS = 5000;

  private int requests;
  private int sinceTask;
  private int maxSinceTask;

  @Test
  void requestsOfOneConnectionTakeTurnsWithTheTasksOfTheLoop() {
    try (TestServer server =
        new TestServer(
            Http1Settings.DEFAULT,
            exchange -> {
              requests++;
              maxSinceTask = Math.max(maxSinceTask, ++sinceTask);
              exchange.respond(HttpResponse.text(HttpStatus.OK, "x"));
            })) {
      server.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      EventLoop loop = server.peer.loop();
      new Neighbour(loop).run();
      server.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(REQUESTS));
      assertEquals(REQUESTS + 1, requests);
      assertTrue(maxSinceTask <= 600, maxSinceTask + " requests between two tasks");
    }
  }

  /// Queues itself for the next turn until all requests were answered.
  private final class Neighbour implements Runnable {
    private final EventLoop loop;

    Neighbour(EventLoop loop) {
      this.loop = loop;
    }

    @Override
    public void run() {
      sinceTask = 0;
      if (requests <= REQUESTS) {
        loop.defer(this);
      }
    }
  }
}

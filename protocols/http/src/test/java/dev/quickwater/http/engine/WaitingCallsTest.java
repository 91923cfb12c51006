package dev.quickwater.http.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Future;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.ExchangeEndedException;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.RequestHead;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class WaitingCallsTest {

  private final EmbeddedChannel host = new EmbeddedChannel();
  private final Gate gate = new Gate();
  private final WaitingCalls calls = new WaitingCalls(host.loop(), gate);

  private static final class Gate implements WaitingCalls.Opener {
    final List<RequestHead> opened = new ArrayList<>();
    int free;
    boolean closed;
    @Nullable RuntimeException failure;

    @Override
    public boolean isClosed() {
      return closed;
    }

    @Override
    public boolean canOpen(RequestHead head) {
      return free > 0 && !head.method().equals(HttpMethod.DELETE);
    }

    @Override
    public String peer() {
      return "a peer";
    }

    @Override
    public ClientExchange open(RequestHead head) {
      if (failure != null) {
        throw failure;
      }
      free--;
      opened.add(head);
      return (ClientExchange)
          Proxy.newProxyInstance(
              ClientExchange.class.getClassLoader(),
              new Class<?>[] {ClientExchange.class},
              (_, method, _) -> {
                throw new AssertionError(method);
              });
    }
  }

  private static RequestHead head(HttpMethod method) {
    return RequestHead.builder(method, "http://server.test/").build();
  }

  @AfterEach
  void close() {
    host.close();
  }

  @Test
  void callsAreServedInTheirOrder() {
    RequestHead first = head(HttpMethod.GET);
    RequestHead second = head(HttpMethod.PUT);
    calls.open(first);
    Future<ClientExchange> last = calls.open(second);
    assertEquals(List.of(), gate.opened);
    gate.free = 1;
    calls.openWaiting();
    assertEquals(List.of(first), gate.opened);
    assertFalse(last.isDone());
    gate.free = 1;
    calls.openWaiting();
    assertEquals(List.of(first, second), gate.opened);
    assertTrue(last.isSuccess());
  }

  @Test
  void callThatMustWaitHoldsThoseBehindIt() {
    gate.free = 2;
    calls.open(head(HttpMethod.DELETE));
    calls.open(head(HttpMethod.GET));
    assertEquals(List.of(), gate.opened);
  }

  @Test
  void cancelledCallOpensNothingAndHoldsNothing() {
    Future<ClientExchange> cancelled = calls.open(head(HttpMethod.DELETE));
    RequestHead behind = head(HttpMethod.GET);
    calls.open(behind);
    cancelled.cancel();
    gate.free = 2;
    calls.openWaiting();
    assertEquals(List.of(behind), gate.opened);
  }

  @Test
  void callFailsIfItsExchangeCannotBeOpened() {
    gate.free = 1;
    gate.failure = new IllegalStateException("no memory");
    assertSame(gate.failure, calls.open(head(HttpMethod.GET)).cause());
  }

  @Test
  void callsThatWaitForAClosedConnectionAreUnprocessed() {
    Future<ClientExchange> waits = calls.open(head(HttpMethod.POST));
    gate.closed = true;
    calls.fail(null);
    for (Future<ClientExchange> call : List.of(waits, calls.open(head(HttpMethod.POST)))) {
      ExchangeEndedException cause = assertInstanceOf(ExchangeEndedException.class, call.cause());
      assertTrue(cause.outcome().isUnprocessed());
    }
  }

  @Test
  void numberOfWaitingCallsIsLimited() {
    for (int i = 0; i < 1000; i++) {
      assertFalse(calls.open(head(HttpMethod.GET)).isDone());
    }
    assertInstanceOf(IllegalStateException.class, calls.open(head(HttpMethod.GET)).cause());
  }

  @Test
  void callbacksForTheAnnouncedCloseRunOnce() {
    int[] runs = {0};
    calls.onDrain(() -> runs[0]++);
    calls.closeAnnounced();
    calls.closeAnnounced();
    host.runTasks();
    assertEquals(1, runs[0]);
    calls.onDrain(() -> runs[0]++);
    assertEquals(2, runs[0]);
  }
}

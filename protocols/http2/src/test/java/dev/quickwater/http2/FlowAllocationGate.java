package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/// Flow control, distribution and budgets allocate nothing.
///
/// It runs in a separate JVM with C1 alone, which removes no allocation of the source. Its name
/// excludes it from the usual test run.
final class FlowAllocationGate {

  private static final int CALLS = 20_000;
  private static final int ROUNDS = 5;
  private static final int STREAMS = 100;
  private static final int STREAM_BYTES = 72;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private interface Operation {
    void run(int call) throws Http2Exception;
  }

  private static void assertNothing(String what, Operation operation) throws Http2Exception {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < CALLS; i++) {
        operation.run(i);
      }
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    assertEquals(0, least, what + ": bytes in " + CALLS + " calls");
  }

  /// Accepts all bytes and drops them.
  private static final class Sink extends StreamFlow {
    Sink(int id) {
      super(id);
    }

    @Override
    int send(int allowed) {
      return allowed;
    }
  }

  private static Sink[] streams() {
    Sink[] streams = new Sink[STREAMS];
    for (int i = 0; i < STREAMS; i++) {
      streams[i] = new Sink(2 * i + 1);
    }
    return streams;
  }

  private static void send(Distributor distributor, String name) throws Http2Exception {
    SendFlow flow = new SendFlow(distributor, 1 << 30);
    Sink[] streams = streams();
    for (Sink s : streams) {
      flow.open(s);
      distributor.weight(s, 1 + s.id);
      distributor.prioritize(s, s.id % 8, s.id % 3 > 0);
    }
    assertNothing(
        name,
        i -> {
          Sink s = streams[i % STREAMS];
          flow.queued(s, 1_500, false);
          if (i % 10 == 0) {
            flow.distribute(20_000);
          }
          flow.increased(s, 1_500);
          flow.increased(1_500);
        });
    assertNothing(
        name + " direct",
        i -> {
          Sink s = streams[i % STREAMS];
          flow.distribute(Integer.MAX_VALUE);
          assertTrue(flow.take(s, 10));
          flow.increased(s, 10);
          flow.increased(10);
        });
  }

  @Test
  void uniform() throws Http2Exception {
    send(new UniformDistributor(), "uniform");
  }

  @Test
  void weighted() throws Http2Exception {
    send(new WeightedDistributor(), "weighted");
  }

  @Test
  void receive() throws Http2Exception {
    ReceiveFlow flow = new ReceiveFlow(Windows.PROTOCOL_INITIAL, WindowSettings.DEFAULT);
    flow.connectionStart();
    Sink[] streams = streams();
    for (Sink s : streams) {
      flow.open(s);
    }
    assertNothing(
        "receive",
        i -> {
          Sink s = streams[i % STREAMS];
          flow.received(s, 10_000);
          flow.consumed(s, 10_000);
          flow.connectionIncrement();
          if (flow.wantsProbe(i)) {
            flow.probeSent(i);
          } else if (i % 7 == 0) {
            flow.probeAcknowledged(i);
          }
        });
  }

  @Test
  void budgets() throws Http2Exception {
    Budgets budgets = new Budgets(BudgetSettings.DEFAULT);
    long[] time = {0};
    assertNothing(
        "budgets",
        i -> {
          time[0] += 100_000_000;
          long now = time[0];
          budgets.streamOpened(now);
          if (i % 4 == 0) {
            budgets.streamReset(now);
            budgets.resetBeforeHandler(now);
          }
          budgets.ping(now, 1);
          budgets.settings(now, 1);
          budgets.emptyData(now);
          budgets.windowUpdate(now);
          budgets.ignored(now);
          budgets.progress();
          budgets.dataSent(3);
          budgets.fieldsDecoded(500);
          budgets.fieldsReleased(500);
        });
  }

  /// The state of a stream in both directions and in a distributor. A stream with its exchange has
  /// a budget of 250 bytes.
  @Test
  void stream() {
    Sink[] streams = new Sink[1];
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < CALLS; i++) {
      streams[0] = new Sink(i);
    }
    long bytes = (THREADS.getCurrentThreadAllocatedBytes() - before) / CALLS;
    assertEquals(STREAM_BYTES, bytes, "bytes of a StreamFlow");
  }
}

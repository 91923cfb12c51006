package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// A peer that obeys its windows, and readers that consume at random.
final class ReceiveFlowPropertyTest {

  private static final int RUNS = 100_000;
  private static final int STEPS = 40;
  private static final int INITIAL = Windows.PROTOCOL_INITIAL;

  /// The peer's side of a stream.
  private static final class Peer extends FlowStream {
    long window;
    long unreadBytes;
    boolean closed;

    Peer(int id) {
      super(id);
    }
  }

  private static final class Run {
    final Random random;
    final WindowSettings settings;
    final ReceiveFlow flow;
    final List<Peer> open = new ArrayList<>();
    final List<Peer> closed = new ArrayList<>();
    long window = INITIAL;
    long initial = INITIAL;
    boolean acknowledged;
    boolean probing;
    long now;
    int ids = 1;

    Run(long seed) {
      random = new Random(seed);
      int first = INITIAL + random.nextInt(2) * random.nextInt(100_000);
      int max = first + random.nextInt(300_000);
      int connection = max + random.nextInt(300_000);
      settings =
          new WindowSettings(
              first, max, connection, Math.max(connection, 12 * first) + random.nextInt(500_000));
      flow = new ReceiveFlow(INITIAL, settings);
      window += flow.connectionStart();
      assertEquals(connection, window);
    }

    void step() throws Http2Exception {
      now += random.nextInt(200_000_000);
      int what = random.nextInt(12);
      if (open.isEmpty() || what == 0 && open.size() < settings.maxStreams()) {
        Peer s = new Peer(ids);
        ids += 2;
        s.window = initial;
        flow.open(s);
        open.add(s);
      }
      Peer s = open.get(random.nextInt(open.size()));
      switch (what) {
        case 1 -> acknowledge();
        case 2 -> close(s);
        case 3 -> probe();
        case 4, 5, 6 -> consume(s);
        case 7 -> {
          int bytes = (int) Math.min(random.nextInt(20_000), window);
          window -= bytes;
          flow.receivedUnknown(bytes);
        }
        default -> send(s);
      }
      window += flow.connectionIncrement();
      check();
    }

    void send(Peer s) throws Http2Exception {
      boolean all = random.nextBoolean();
      int bytes =
          (int)
              Math.min(
                  Math.min(all ? Integer.MAX_VALUE : random.nextInt(40_000), s.window), window);
      s.window -= bytes;
      s.unreadBytes += bytes;
      window -= bytes;
      flow.received(s, bytes);
    }

    void consume(Peer s) {
      int bytes =
          random.nextBoolean() ? (int) s.unreadBytes : random.nextInt((int) s.unreadBytes + 1);
      s.unreadBytes -= bytes;
      s.window += flow.consumed(s, bytes);
    }

    void acknowledge() {
      if (!acknowledged) {
        acknowledged = true;
        for (Peer s : open) {
          s.window += settings.initial() - initial;
        }
        initial = settings.initial();
        flow.acknowledged(open);
      }
    }

    void close(Peer s) {
      open.remove(s);
      flow.closed(s);
      s.closed = true;
      if (s.unreadBytes > 0 && random.nextBoolean()) {
        closed.add(s);
      } else {
        flow.discarded(s, (int) s.unreadBytes);
      }
    }

    void probe() {
      if (probing) {
        flow.probeAcknowledged(now);
        probing = false;
      } else if (flow.wantsProbe(now)) {
        flow.probeSent(now);
        probing = true;
      }
    }

    void check() {
      assertEquals(window, flow.window());
      long unread = 0;
      long growth = 0;
      for (Peer s : open) {
        assertEquals(s.window, s.receiveWindow);
        assertTrue(s.window + s.unreadBytes <= s.receiveLimit);
        assertTrue(s.receiveLimit <= settings.max());
        unread += s.unreadBytes;
        growth += s.receiveLimit - initial;
        boolean starved = s.window > 0 && window == 0 && closed.isEmpty();
        assertTrue(!starved || !acknowledged, "the connection stops a stream that may send");
        assertTrue(
            s.unreadBytes > 0 || s.window > s.receiveLimit / 2 - 1, "a reader waits for ever");
      }
      for (Peer s : closed) {
        unread += s.unreadBytes;
      }
      assertEquals(unread, flow.unread());
      assertTrue(unread + window <= settings.maxUnread());
      assertTrue(growth <= settings.maxGrowth());
      assertTrue(window <= settings.connection());
    }

    /// Everything is consumed: windows and unannounced credit add up to the windows' sizes.
    void quiet() throws Http2Exception {
      for (Peer s : closed) {
        flow.discarded(s, (int) s.unreadBytes);
      }
      closed.clear();
      for (Peer s : open) {
        s.window += flow.consumed(s, (int) s.unreadBytes);
        s.unreadBytes = 0;
      }
      window += flow.connectionIncrement();
      check();
      assertEquals(0, flow.unread());
      assertTrue(window > settings.connection() / 2 - 1);
      for (Peer s : open) {
        int one = (int) s.window + 1;
        if (one <= window) {
          assertEquals(
              s.id, assertThrows(Http2Exception.class, () -> flow.received(s, one)).stream());
          window -= one;
          window += flow.connectionIncrement();
        }
      }
      assertEquals(
          0,
          assertThrows(Http2Exception.class, () -> flow.receivedUnknown((int) window + 1))
              .stream());
    }
  }

  @Test
  void windowsFollowTheModel() throws Http2Exception {
    for (int seed = 0; seed < RUNS; seed++) {
      Run run = new Run(seed);
      try {
        for (int i = 0; i < STEPS; i++) {
          run.step();
        }
        run.quiet();
      } catch (AssertionError | RuntimeException | Http2Exception e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }
}

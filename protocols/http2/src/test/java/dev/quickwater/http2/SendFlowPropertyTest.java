package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random operations on send windows against a model that counts.
final class SendFlowPropertyTest {

  private static final int RUNS = 50_000;
  private static final int STEPS = 40;

  /// The model of a stream.
  private static final class Modelled extends FlowStream {
    long window;
    long queued;
    long total;
    int ends;
    boolean open = true;

    Modelled(int id) {
      super(id);
    }
  }

  private static final class Run {
    final Random random;
    final SendFlow flow;
    final List<Modelled> streams = new ArrayList<>();
    long window = 65_535;
    int initial;
    int inside;

    /// The peer sends priorities, from some step on.
    final boolean prioritizes;

    Run(long seed, Distributor distributor) {
      random = new Random(seed);
      prioritizes = random.nextInt(3) == 0;
      initial = random.nextInt(3_000);
      flow = new SendFlow(distributor, initial);
    }

    Modelled some() {
      return streams.get(random.nextInt(streams.size()));
    }

    void open() {
      Modelled s = new Modelled(2 * streams.size() + 1);
      s.window = initial;
      if (random.nextInt(10) == 0) {
        s.maxPerSend = 1 + random.nextInt(500);
      }
      s.inside =
          count -> {
            s.window -= count;
            s.queued -= count;
            window -= count;
            if (inside-- > 0) {
              change(some());
            }
          };
      streams.add(s);
      flow.open(s);
    }

    /// An action of the caller, which may come during a distribution.
    void change(Modelled s) {
      switch (random.nextInt(4)) {
        case 0 -> drop(s);
        case 1 -> take(s);
        default -> queue(s);
      }
    }

    void queue(Modelled s) {
      if (s.open && s.ends == 0) {
        int bytes = random.nextInt(3) == 0 ? 0 : random.nextInt(4_000);
        boolean end = random.nextInt(6) == 0;
        s.ends = end ? 1 : 0;
        s.queued += bytes;
        s.total += bytes;
        flow.queued(s, bytes, end);
      }
    }

    void take(Modelled s) {
      int bytes = random.nextInt(1_000);
      if (s.open && s.ends == 0 && flow.take(s, bytes)) {
        assertEquals(0, s.queued);
        s.window -= bytes;
        s.total += bytes;
        s.sent += bytes;
        window -= bytes;
        assertTrue(window >= 0 && (bytes == 0 || s.window >= 0));
      }
    }

    void drop(Modelled s) {
      if (s.open && random.nextInt(3) == 0) {
        s.open = false;
        flow.dropped(s);
      }
    }

    void step() throws Http2Exception {
      Modelled s = some();
      switch (random.nextInt(9)) {
        case 0 -> open();
        case 1 -> {
          int increment = 1 + random.nextInt(3_000);
          s.window += increment;
          flow.increased(s, increment);
        }
        case 2 -> {
          int increment = 1 + random.nextInt(20_000);
          window += increment;
          flow.increased(increment);
        }
        case 3 -> {
          int size = random.nextInt(3_000);
          for (Modelled each : streams) {
            each.window += size - initial;
          }
          initial = size;
          flow.initialWindow(size, streams);
        }
        case 5 -> {
          if (prioritizes) {
            flow.prioritize(s, random.nextInt(8), random.nextBoolean());
          }
        }
        case 4 -> {
          inside = random.nextInt(3);
          flow.distribute(random.nextInt(20_000));
        }
        default -> change(s);
      }
      check();
    }

    void check() {
      assertEquals(window, flow.window());
      assertTrue(window >= 0);
      long sum = 0;
      long offered = 0;
      for (Modelled s : streams) {
        if (s.open) {
          assertEquals(s.window, flow.window(s));
          assertEquals(s.queued, flow.queued(s));
          sum += s.queued;
          offered += Math.max(0, Math.min(s.window, s.queued));
          assertEquals(Math.max(0, Math.min(s.window, s.queued)), s.offered);
        } else {
          assertEquals(0, flow.queued(s));
          assertEquals(StreamList.NONE, s.place);
        }
      }
      assertEquals(sum, flow.queued());
      assertEquals(sum > Math.min(offered, window), flow.isBlocked());
    }

    /// Opens the windows: every queued byte leaves exactly once.
    void quiet() throws Http2Exception {
      inside = 0;
      for (Modelled s : streams) {
        s.maxPerSend = Integer.MAX_VALUE;
        if (s.open) {
          s.window += 1 << 28;
          flow.increased(s, 1 << 28);
        }
      }
      window += 1 << 30;
      flow.increased(1 << 30);
      long queued = flow.queued();
      assertEquals(queued, flow.distribute(Integer.MAX_VALUE));
      check();
      for (Modelled s : streams) {
        if (s.open) {
          assertEquals(s.total, s.sent);
          assertTrue(s.emptyFrames <= s.ends);
          assertTrue(!s.endQueued);
        }
      }
      assertTrue(!flow.isBlocked());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void windowsAndQueuesFollowTheModel(boolean weighted) throws Http2Exception {
    for (int seed = 0; seed < RUNS; seed++) {
      Run run = new Run(seed, weighted ? new WeightedDistributor() : new UniformDistributor());
      run.open();
      try {
        for (int i = 0; i < STEPS; i++) {
          run.step();
        }
        run.quiet();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }
}

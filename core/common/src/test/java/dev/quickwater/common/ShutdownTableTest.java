package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What an executor does with everything that can come, in every state of its life: each future
/// ends exactly once, as the table of [ExecutorState] says.
class ShutdownTableTest {

  /// How a future ends, or what was thrown instead of making one.
  enum End {
    VALUE,
    CANCELLED,
    OVER_LIMIT,
    REFUSED
  }

  enum Phase {
    /// Nobody drives it yet.
    FRESH {
      @Override
      void happen(ShutdownTableTest test, Runnable event) {
        event.run();
        test.executor.step();
        test.executor.close();
      }
    },
    RUNNING {
      @Override
      void happen(ShutdownTableTest test, Runnable event) {
        test.executor.execute(event);
        test.executor.step();
        test.executor.close();
      }
    },
    /// It was asked to end and has not got to it.
    ASKED {
      @Override
      void happen(ShutdownTableTest test, Runnable event) {
        test.executor.bind();
        test.executor.shutdown();
        event.run();
        test.executor.step();
      }
    },
    /// A task asks, and goes on.
    ASKED_INSIDE {
      @Override
      void happen(ShutdownTableTest test, Runnable event) {
        test.executor.execute(() -> {
          test.executor.close();
          event.run();
        });
        test.executor.step();
        test.executor.step();
      }
    },
    /// It runs the tasks that are left.
    DRAINING {
      @Override
      void happen(ShutdownTableTest test, Runnable event) {
        test.executor.bind();
        test.executor.execute(event);
        test.executor.close();
      }
    },
    /// As it runs one of those that are left, the limit passes.
    OVER_LIMIT {
      @Override
      void happen(ShutdownTableTest test, Runnable event) {
        test.executor.bind();
        test.executor.execute(() -> {
          event.run();
          test.clock.advance(EventExecutor.SHUTDOWN_LIMIT);
        });
        test.executor.close();
      }
    },
    /// The queue has been emptied for the last time.
    ENDED {
      @Override
      void happen(ShutdownTableTest test, Runnable event) {
        test.executor.bind();
        test.executor.close();
        event.run();
      }
    };

    abstract void happen(ShutdownTableTest test, Runnable event);
  }

  enum Event {
    SUBMIT {
      @Override
      Future<Integer> on(SteppedExecutor executor) {
        return executor.submit(() -> 1);
      }
    },
    SUBMIT_ELSEWHERE {
      @Override
      Future<Integer> on(SteppedExecutor executor) throws Exception {
        return elsewhere(() -> executor.submit(() -> 1));
      }
    },
    LATER {
      @Override
      Future<Integer> on(SteppedExecutor executor) {
        return executor.submit(() -> 1, Duration.ofSeconds(1));
      }
    },
    LATER_ELSEWHERE {
      @Override
      Future<Integer> on(SteppedExecutor executor) throws Exception {
        return elsewhere(() -> executor.submit(() -> 1, Duration.ofSeconds(1)));
      }
    },
    /// A promise ends elsewhere; its listener ends another.
    LISTENER {
      @Override
      Future<Integer> on(SteppedExecutor executor) throws Exception {
        Promise<Integer> promise = executor.newPromise();
        Future<Integer> told = promise.map(n -> n);
        elsewhere(() -> {
          promise.success(1);
          return promise;
        });
        return told;
      }
    };

    abstract Future<Integer> on(SteppedExecutor executor) throws Exception;
  }

  interface Making {
    Future<Integer> make();
  }

  private static Future<Integer> elsewhere(Making making) throws Exception {
    List<Future<Integer>> made = new ArrayList<>();
    List<RejectedExecutionException> refused = new ArrayList<>();
    Threads.elsewhere(() -> {
      try {
        made.add(making.make());
      } catch (RejectedExecutionException e) {
        refused.add(e);
      }
    });
    if (!refused.isEmpty()) {
      throw refused.getFirst();
    }
    return made.getFirst();
  }

  static Stream<Arguments> table() {
    return Stream.of(
            row(Phase.FRESH, End.VALUE, End.VALUE, End.CANCELLED, End.CANCELLED),
            row(Phase.RUNNING, End.VALUE, End.VALUE, End.CANCELLED, End.CANCELLED),
            row(Phase.ASKED, End.VALUE, End.REFUSED, End.CANCELLED, End.REFUSED),
            row(Phase.ASKED_INSIDE, End.VALUE, End.REFUSED, End.CANCELLED, End.REFUSED),
            row(Phase.DRAINING, End.VALUE, End.REFUSED, End.CANCELLED, End.REFUSED),
            row(Phase.OVER_LIMIT, End.OVER_LIMIT, End.REFUSED, End.CANCELLED, End.REFUSED),
            row(Phase.ENDED, End.REFUSED, End.REFUSED, End.CANCELLED, End.REFUSED))
        .flatMap(row -> row);
  }

  private static Stream<Arguments> row(
      Phase phase, End submit, End submitElsewhere, End later, End laterElsewhere) {
    return Stream.of(
        Arguments.of(phase, Event.SUBMIT, submit),
        Arguments.of(phase, Event.SUBMIT_ELSEWHERE, submitElsewhere),
        Arguments.of(phase, Event.LATER, later),
        Arguments.of(phase, Event.LATER_ELSEWHERE, laterElsewhere),
        Arguments.of(phase, Event.LISTENER, End.VALUE));
  }

  private final VirtualClock clock = new VirtualClock();
  private final SteppedExecutor executor = new SteppedExecutor(clock);
  private final List<End> ends = new ArrayList<>();

  @ParameterizedTest
  @MethodSource("table")
  void everyFutureEndsOnce(Phase phase, Event event, End expected) {
    phase.happen(
        this,
        () -> {
          try {
            event.on(executor).onComplete(future -> ends.add(end(future)));
          } catch (RejectedExecutionException e) {
            assertTrue(e.getMessage().contains("'stepped'"), e.getMessage());
            ends.add(End.REFUSED);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    assertEquals(List.of(expected), ends);
    assertEquals(ExecutorState.ENDED, executor.state());
    assertTrue(executor.ended().isSuccess());
    assertEquals(0, executor.queue.timers());
  }

  private static End end(Future<Integer> future) {
    return switch (future.cause()) {
      case null -> End.VALUE;
      case CancellationException _ -> End.CANCELLED;
      case RejectedExecutionException e when e.getMessage().contains("limit") -> End.OVER_LIMIT;
      case Throwable t -> throw new AssertionError(t);
    };
  }

  static Stream<Consumer<SteppedExecutor>> ways() {
    return Stream.of(
        SteppedExecutor::close,
        EventExecutor::shutdown,
        e -> e.shutdown(Duration.ZERO),
        e -> {
          e.shutdown(Duration.ofDays(1));
          e.shutdown(Duration.ZERO);
          e.shutdown(Duration.ofDays(1));
        });
  }

  /// Asked again, by whatever way and in whatever state, it ends once, and last of all.
  @ParameterizedTest
  @MethodSource("ways")
  void endedComesLastAndOnce(Consumer<SteppedExecutor> way) throws Exception {
    List<String> order = new ArrayList<>();
    executor.ended().onComplete(_ -> order.add("ended"));
    executor.submit(() -> 1).onComplete(_ -> order.add("task"));
    executor.submit(() -> 1, Duration.ofDays(1)).onComplete(_ -> order.add("timer"));
    way.accept(executor);
    Threads.elsewhere(() -> way.accept(executor));
    executor.step();
    executor.step();
    way.accept(executor);
    assertEquals(3, order.size(), order.toString());
    assertEquals("ended", order.getLast());
  }
}

package dev.quickwater.common;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Futures that are derived from others; the rules are in [Future] and [EventExecutor].
final class Derived {

  private Derived() {}

  /// There is no other kind of future.
  private static <T> Promise<T> of(Future<T> future) {
    return (Promise<T>) future;
  }

  /// Passes a failure of its source through to `result`.
  private abstract static class Through<T, R> extends Promise.Listener<T> {
    /// Read by subclasses, which therefore need no separate field.
    final Promise<R> result;

    Through(Promise<R> result) {
      this.result = result;
    }

    abstract void succeeded(T value);

    @Override
    final void deliver(Promise<T> done) {
      @Nullable Throwable cause = done.cause();
      if (cause == null) {
        succeeded(done.value());
      } else {
        result.tryFailure(cause);
      }
    }
  }

  static <T, R> Future<R> map(Promise<T> source, Function<? super T, ? extends R> function) {
    Promise<R> result = new Promise<>(source.executor());
    source.listen(
        new Through<T, R>(result) {
          @Override
          void succeeded(T value) {
            if (result.claim()) {
              apply(result, function, value);
            }
          }
        });
    return result;
  }

  static <T> Future<T> recover(
      Promise<T> source, Function<? super Throwable, ? extends T> function) {
    Promise<T> result = new Promise<>(source.executor());
    source.listen(
        new Promise.Listener<>() {
          @Override
          void deliver(Promise<T> done) {
            @Nullable Throwable cause = done.cause();
            if (cause == null) {
              result.trySuccess(done.value());
            } else if (result.claim()) {
              apply(result, function, cause);
            }
          }
        });
    return result;
  }

  private static <A, R> void apply(
      Promise<R> result, Function<? super A, ? extends R> function, A argument) {
    R value;
    try {
      value = function.apply(argument);
    } catch (Throwable t) {
      result.tryFailure(t);
      return;
    }
    result.trySuccess(value);
  }

  static <T, R> Future<R> flatMap(
      Promise<T> source, Function<? super T, ? extends Future<? extends R>> function) {
    Promise<R> result = new Promise<>(source.executor());
    source.listen(
        new Through<T, R>(result) {
          @Override
          void succeeded(T value) {
            if (result.isDone()) {
              return;
            }
            Future<? extends R> inner;
            try {
              inner =
                  Objects.requireNonNull(
                      function.apply(value), "the function of flatMap returned null");
            } catch (Throwable t) {
              result.tryFailure(t);
              return;
            }
            follow(of(inner), result);
          }
        });
    return result;
  }

  private static <R, S extends R> void follow(Promise<S> source, Promise<R> result) {
    source.listen(
        new Through<S, R>(result) {
          @Override
          void succeeded(S value) {
            result.trySuccess(value);
          }
        });
  }

  static <T> Future<List<T>> all(
      EventExecutor executor, Collection<? extends Future<? extends T>> sources) {
    Promise<List<T>> result = new Promise<>(executor);
    All<T> all = new All<>(result, sources.size());
    if (sources.isEmpty()) {
      result.trySuccess(List.of());
    }
    int place = 0;
    for (Future<? extends T> source : sources) {
      all.add(of(source), place++);
    }
    return result;
  }

  /// Sources may end on different threads. Each writes to its place before it counts down.
  private static final class All<T> {
    private final Promise<List<T>> result;
    private final @Nullable Object[] values;
    private final AtomicInteger left;

    All(Promise<List<T>> result, int count) {
      this.result = result;
      this.values = new Object[count];
      this.left = new AtomicInteger(count);
    }

    <S extends T> void add(Promise<S> source, int place) {
      source.listen(
          new Through<S, List<T>>(result) {
            @Override
            void succeeded(S value) {
              values[place] = value;
              if (left.decrementAndGet() == 0) {
                result.trySuccess(list());
              }
            }
          });
    }

    @SuppressWarnings("unchecked")
    private List<T> list() {
      return (List<T>) Collections.unmodifiableList(Arrays.asList(values));
    }
  }

  static <T> Future<T> any(
      EventExecutor executor, Collection<? extends Future<? extends T>> sources) {
    Promise<T> result = new Promise<>(executor);
    if (sources.isEmpty()) {
      result.tryFailure(new NoSuchElementException("any of no futures"));
    }
    Any<T> any = new Any<>(result, sources.size());
    for (Future<? extends T> source : sources) {
      any.add(of(source));
    }
    return result;
  }

  private static final class Any<T> {
    private final Promise<T> result;
    private final AtomicReferenceArray<Throwable> causes;
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger told = new AtomicInteger();

    Any(Promise<T> result, int count) {
      this.result = result;
      this.causes = new AtomicReferenceArray<>(count);
    }

    <S extends T> void add(Promise<S> source) {
      source.listen(
          new Promise.Listener<>() {
            @Override
            void deliver(Promise<S> done) {
              @Nullable Throwable cause = done.cause();
              if (cause == null) {
                result.trySuccess(done.value());
              } else {
                causes.set(failed.getAndIncrement(), cause);
                if (told.incrementAndGet() == causes.length()) {
                  result.tryFailure(noneOf());
                }
              }
            }
          });
    }

    private CompletionException noneOf() {
      CompletionException none =
          new CompletionException(
              "none of " + causes.length() + " futures succeeded, the first failure first",
              causes.get(0));
      for (int i = 1; i < causes.length(); i++) {
        none.addSuppressed(causes.get(i));
      }
      return none;
    }
  }

  static <T> Future<T> adopt(EventExecutor executor, CompletionStage<? extends T> stage) {
    Promise<T> result = new Promise<>(executor);
    stage.whenComplete((value, failure) -> {
      if (failure == null) {
        result.trySuccess(value);
      } else if (failure instanceof CompletionException wrapper && wrapper.getCause() != null) {
        result.tryFailure(wrapper.getCause()); // dependent stages wrap what their source threw
      } else {
        result.tryFailure(failure);
      }
    });
    return result;
  }
}

package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a local does on every kind of thread.
class LoopLocalTest {

  enum On {
    LOOP,
    LOOP_WITHOUT_NUMBER,
    PLATFORM,
    VIRTUAL;

    void run(Threads.Action action) throws Exception {
      switch (this) {
        case LOOP -> {
          try (LoopRunner loop = new LoopRunner()) {
            loop.run(action);
          }
        }
        case LOOP_WITHOUT_NUMBER -> {
          try (LoopRunner loop = new LoopRunner()) {
            loop.run(() -> {
              int slot = loop.thread().slot;
              loop.thread().slot = LoopSlots.NONE;
              try {
                action.run();
              } finally {
                LoopLocal.removeAll();
                loop.thread().slot = slot;
              }
            });
          }
        }
        case PLATFORM -> Threads.elsewhere(action);
        case VIRTUAL -> {
          var task = Threads.task(action);
          Thread.ofVirtual().start(task);
          Threads.join(task);
        }
      }
    }
  }

  private final AtomicInteger made = new AtomicInteger();
  private final LoopLocal<Integer> local =
      LoopLocal.withInitial("numbers", made::incrementAndGet, _ -> {});

  @ParameterizedTest
  @EnumSource
  void supplierIsAskedOnceAThread(On on) throws Exception {
    on.run(() -> {
      assertFalse(local.isSet());
      assertNull(local.getIfSet());
      assertEquals(1, local.get());
      assertEquals(1, local.get());
      assertTrue(local.isSet());
      assertEquals(1, local.getIfSet());
    });
    on.run(() -> assertEquals(2, local.get()));
  }

  @ParameterizedTest
  @EnumSource
  void valuesOfThreadsAreApart(On on) throws Exception {
    local.set(70);
    try (LoopRunner loop = new LoopRunner()) {
      loop.run(() -> local.set(80));
      on.run(() -> {
        local.set(90);
        loop.run(() -> assertEquals(80, local.get()));
        assertEquals(90, local.get());
      });
    }
    assertEquals(70, local.get());
    local.remove();
  }

  @ParameterizedTest
  @EnumSource
  void removedValueIsMadeAnew(On on) throws Exception {
    on.run(() -> {
      local.set(50);
      local.remove();
      assertFalse(local.isSet());
      assertEquals(1, local.get());
      local.remove();
      local.remove();
      assertEquals(2, local.get());
    });
  }

  @ParameterizedTest
  @EnumSource
  void nullIsAValue(On on) throws Exception {
    LoopLocal<Object> nothing =
        LoopLocal.withInitial(
            "nothing",
            () -> {
              made.incrementAndGet();
              return null;
            });
    on.run(() -> {
      assertNull(nothing.get());
      assertNull(nothing.get());
      assertTrue(nothing.isSet());
      assertEquals(1, made.get());
      nothing.set(this);
      assertSame(this, nothing.get());
      nothing.set(null);
      assertTrue(nothing.isSet());
      assertNull(nothing.getIfSet());
      nothing.remove();
      assertFalse(nothing.isSet());
    });
  }

  @ParameterizedTest
  @EnumSource
  void supplierThatThrowsSetsNothing(On on) throws Exception {
    LoopLocal<Integer> failing =
        LoopLocal.withInitial(
            "failing",
            () -> {
              if (made.incrementAndGet() == 1) {
                throw new IllegalStateException("on purpose");
              }
              return made.get();
            });
    on.run(() -> {
      assertEquals(
          "on purpose", assertThrows(IllegalStateException.class, failing::get).getMessage());
      assertFalse(failing.isSet());
      assertEquals(2, failing.get());
    });
  }

  private LoopLocal<Integer> recursive() {
    AtomicInteger depth = new AtomicInteger();
    LoopLocal<?>[] self = new LoopLocal<?>[1];
    LoopLocal<Integer> recursive =
        LoopLocal.withInitial(
            "recursive", () -> depth.incrementAndGet() < 3 ? 10 + (Integer) self[0].get() : 1);
    self[0] = recursive;
    return recursive;
  }

  @ParameterizedTest
  @EnumSource
  void supplierMayUseItsLocal(On on) throws Exception {
    LoopLocal<Integer> recursive = recursive();
    on.run(() -> {
      assertEquals(21, recursive.get());
      assertEquals(21, recursive.get());
    });
  }

  @ParameterizedTest
  @EnumSource
  void whatAThreadHasCanBeListed(On on) throws Exception {
    LoopLocal<Object> named = LoopLocal.withInitial("a list", () -> null);
    on.run(() -> {
      assertEquals(List.of(), LoopLocal.inUse());
      named.set(List.of());
      assertEquals(
          List.of(new LoopLocal.Usage("a list", List.of().getClass().getName())),
          LoopLocal.inUse());
      local.get();
      assertEquals(2, LoopLocal.size());
      named.set(null);
      local.remove();
      assertEquals(List.of(new LoopLocal.Usage("a list", "null")), LoopLocal.inUse());
      LoopLocal.removeAll();
      assertEquals(0, LoopLocal.size());
      assertFalse(named.isSet());
    });
  }

  @ParameterizedTest
  @EnumSource
  void valueOfAThreadThatEndedIsNotSeenByTheNext(On on) throws Exception {
    LoopLocal<Object> objects = LoopLocal.withInitial("objects", Object::new);
    Object[] seen = new Object[2];
    on.run(() -> seen[0] = objects.get());
    on.run(() -> {
      assertFalse(objects.isSet());
      seen[1] = objects.get();
    });
    assertNotSame(seen[0], seen[1]);
  }
}

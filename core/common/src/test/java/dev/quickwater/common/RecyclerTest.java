package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecyclerTest {

  private static final class Thing {
    final Recycler.Handle<Thing> handle;
    int number;

    Thing(Recycler.Handle<Thing> handle) {
      this.handle = handle;
    }
  }

  private final AtomicInteger made = new AtomicInteger();

  private Recycler<Thing> recycler(int maxKept, int maxWaiting) {
    return Recycler.of(
        RecyclerSettings.DEFAULT.withMaxKept(maxKept).withMaxWaiting(maxWaiting),
        handle -> {
          made.incrementAndGet();
          return new Thing(handle);
        });
  }

  private static List<Thing> take(Recycler<Thing> recycler, int count) {
    List<Thing> things = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      things.add(recycler.take());
    }
    return things;
  }

  private static void recycle(List<Thing> things) {
    things.forEach(thing -> thing.handle.recycle());
  }

  @Test
  void objectThatWentBackIsHandedOutAgainTheLatestFirst() throws Exception {
    Recycler<Thing> recycler = recycler(10, 10);
    try (LoopRunner loop = new LoopRunner()) {
      loop.run(() -> {
        Thing first = recycler.take();
        Thing second = recycler.take();
        assertNotSame(first, second);
        first.handle.recycle();
        second.handle.recycle();
        assertEquals(2, recycler.kept());
        assertSame(second, recycler.take());
        assertSame(first, recycler.take());
        assertEquals(0, recycler.kept());
        assertNotSame(first, recycler.take());
      });
    }
    assertEquals(3, made.get());
  }

  @Test
  void objectFromAnotherThreadComesBackWhenNoneIsLeft() throws Exception {
    Recycler<Thing> recycler = recycler(10, 10);
    try (LoopRunner loop = new LoopRunner()) {
      loop.run(() -> {
        List<Thing> things = take(recycler, 3);
        Threads.elsewhere(() -> {
          things.get(0).number = 70;
          things.get(0).handle.recycle();
          things.get(1).handle.recycle();
        });
        things.get(2).handle.recycle();
        assertSame(things.get(2), recycler.take());
        Set<Thing> back = Collections.newSetFromMap(new IdentityHashMap<>());
        back.addAll(take(recycler, 2));
        assertEquals(Set.of(things.get(0), things.get(1)), new HashSet<>(back));
        assertEquals(70, things.get(0).number);
      });
    }
    assertEquals(3, made.get());
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "1, 1", "16, 5", "17, 100", "100, 17", "1000, 1000"})
  void noMoreAreKeptThanSet(int maxKept, int maxWaiting) throws Exception {
    Recycler<Thing> recycler = recycler(maxKept, maxWaiting);
    int many = 1500;
    try (LoopRunner loop = new LoopRunner()) {
      loop.run(() -> {
        recycle(take(recycler, many));
        assertEquals(maxKept, recycler.kept());
        take(recycler, maxKept);
        assertEquals(many, made.get());
        List<Thing> things = take(recycler, many);
        assertEquals(2 * many, made.get());
        Threads.elsewhere(() -> recycle(things));
        take(recycler, many);
        assertEquals(3 * many - Math.min(maxKept, maxWaiting), made.get());
      });
    }
  }

  @Test
  void recyclingTwiceIsAnErrorWhereverItHappens() throws Exception {
    Recycler<Thing> recycler = recycler(10, 10);
    try (LoopRunner loop = new LoopRunner()) {
      loop.run(() -> {
        Thing thing = recycler.take();
        thing.handle.recycle();
        IllegalStateException e = assertThrows(IllegalStateException.class, thing.handle::recycle);
        assertTrue(
            e.getMessage().startsWith("a " + Thing.class.getName() + " was recycled twice"),
            e.getMessage());
        Threads.elsewhere(() -> assertThrows(IllegalStateException.class, thing.handle::recycle));
        assertSame(thing, recycler.take());
        Threads.elsewhere(thing.handle::recycle);
        assertThrows(IllegalStateException.class, thing.handle::recycle);
        assertSame(thing, recycler.take());
        assertNotSame(thing, recycler.take());
      });
    }
    Thing unpooled = recycler.take();
    unpooled.handle.recycle();
    assertThrows(IllegalStateException.class, unpooled.handle::recycle);
  }

  @Test
  void objectWhoseThreadHasEndedIsDropped() throws Exception {
    Recycler<Thing> recycler = recycler(10, 10);
    List<Thing> things = new ArrayList<>();
    try (LoopRunner loop = new LoopRunner()) {
      loop.run(() -> things.addAll(take(recycler, 2)));
      loop.run(things.getFirst().handle::recycle);
    }
    things.getLast().handle.recycle();
    assertThrows(IllegalStateException.class, things.getLast().handle::recycle);
    try (LoopRunner loop = new LoopRunner()) {
      loop.run(() -> assertTrue(Collections.disjoint(things, take(recycler, 2))));
    }
  }

  @Test
  void objectsOfALocalThatIsRemovedLaterAreDropped() throws Exception {
    Recycler<Thing> recycler = recycler(10, 10);
    Thing[] held = new Thing[1];
    LoopLocal<Object> holder =
        LoopLocal.withInitial("holder", Object::new, _ -> held[0].handle.recycle());
    try (LoopRunner loop = new LoopRunner()) {
      loop.run(() -> {
        holder.get();
        held[0] = recycler.take();
      });
    }
    assertThrows(IllegalStateException.class, held[0].handle::recycle);
  }

  @Test
  void otherThreadsHoardNothing() throws Exception {
    Recycler<Thing> recycler = recycler(10, 10);
    Threads.Action use =
        () -> {
          Thing thing = recycler.take();
          thing.handle.recycle();
          assertNotSame(thing, recycler.take());
          assertEquals(0, recycler.kept());
          assertEquals(0, LoopLocal.size());
        };
    Threads.elsewhere(use);
    var task = Threads.task(use);
    Thread.ofVirtual().start(task);
    Threads.join(task);
    assertEquals(4, made.get());
  }

  @Test
  void makerThatThrowsLeavesNothingBehind() throws Exception {
    Recycler<Thing> failing =
        Recycler.of(handle -> {
          if (made.incrementAndGet() == 1) {
            throw new IllegalStateException("on purpose");
          }
          return new Thing(handle);
        });
    try (LoopRunner loop = new LoopRunner()) {
      loop.run(() -> {
        assertThrows(IllegalStateException.class, failing::take);
        failing.take().handle.recycle();
        assertEquals(1, failing.kept());
      });
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "-1, 5", "1048577, 5", "5, -1", "5, 1048577"})
  void settingsOutOfRangeAreRefused(int maxKept, int maxWaiting) {
    assertThrows(IllegalArgumentException.class, () -> new RecyclerSettings(maxKept, maxWaiting));
  }
}

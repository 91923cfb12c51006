package dev.quickwater.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.common.LoopThread;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OutputListTest {

  enum On {
    LOOP,
    PLATFORM,
    VIRTUAL;

    void run(Runnable body) throws Exception {
      FutureTask<Void> task = new FutureTask<>(body, null);
      switch (this) {
        case LOOP -> new LoopThread("loop", task).start();
        case PLATFORM -> Thread.ofPlatform().start(task);
        case VIRTUAL -> Thread.ofVirtual().start(task);
      }
      task.get(60, TimeUnit.SECONDS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void lentListIsEmptyWhateverItHeldBefore(On on) throws Exception {
    on.run(() -> {
      for (int size : new int[] {0, 1, 15, 16, 17, 1000}) {
        OutputList list = OutputList.take();
        assertTrue(list.isEmpty());
        for (int i = 0; i < size; i++) {
          assertTrue(list.add(i));
        }
        assertEquals(size, list.size());
        for (int i = 0; i < size; i++) {
          assertEquals(i, list.get(i));
          assertEquals(i, list.getUnchecked(i));
        }
        list.recycle();
      }
    });
  }

  @ParameterizedTest
  @EnumSource
  void nestedCallsHaveListsOfTheirOwn(On on) throws Exception {
    on.run(() -> nest(0, 40));
  }

  private static void nest(int depth, int most) {
    try (OutputList list = OutputList.take()) {
      list.add("before " + depth);
      if (depth < most) {
        nest(depth + 1, most);
      }
      list.add("after " + depth);
      assertEquals(List.of("before " + depth, "after " + depth), list);
    }
  }

  @Test
  void threadThatIsNotVirtualGetsTheSameListAgain() throws Exception {
    Runnable reuse =
        () -> {
          OutputList outer = OutputList.take();
          OutputList inner = OutputList.take();
          assertNotSame(outer, inner);
          inner.recycle();
          assertSame(inner, OutputList.take());
          inner.recycle();
          outer.recycle();
          assertSame(outer, OutputList.take());
        };
    On.LOOP.run(reuse);
    On.PLATFORM.run(reuse);
  }

  @Test
  void virtualThreadKeepsNoList() throws Exception {
    On.VIRTUAL.run(() -> {
      OutputList list = OutputList.take();
      list.recycle();
      assertNotSame(list, OutputList.take());
    });
  }

  @Test
  void recycledListIsOutOfUse() {
    OutputList list = OutputList.take();
    list.add("x");
    list.recycle();
    assertThrows(IllegalStateException.class, () -> list.add("late"));
    assertThrows(IllegalStateException.class, list::recycle);
    assertThrows(IndexOutOfBoundsException.class, () -> list.get(0));
    assertEquals(0, list.size());
    list.clear();
    assertThrows(IllegalStateException.class, () -> list.add("late"));
    OutputList again = OutputList.take();
    assertSame(list, again);
    again.recycle();
  }

  @Test
  void recycledListHoldsNoMessage() {
    OutputList list = OutputList.take();
    for (int i = 0; i < 300; i++) {
      list.add(i);
    }
    list.recycle();
    assertNull(list.getUnchecked(0));
    assertThrows(IndexOutOfBoundsException.class, () -> list.getUnchecked(300));
    OutputList small = OutputList.take();
    small.add(new Object());
    WeakReference<Object> message = new WeakReference<>(small.get(0));
    small.recycle();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (message.get() != null && System.nanoTime() < deadline) {
      System.gc();
    }
    assertNull(message.get());
  }

  @Test
  void messagesAreTheCallersToRelease() {
    ByteBuf buffer = ByteBuf.wrap(new byte[] {1});
    try (OutputList list = OutputList.take()) {
      list.add(buffer);
      list.clear();
      list.add(buffer);
    }
    assertEquals(1, buffer.readByte());
    buffer.release();
  }

  @Test
  void isAListInOtherWays() {
    try (OutputList list = OutputList.take()) {
      assertThrows(NullPointerException.class, () -> list.add(null));
      list.addAll(List.of("a", "b"));
      assertEquals("a", list.set(0, "c"));
      assertThrows(NullPointerException.class, () -> list.set(0, null));
      assertThrows(IndexOutOfBoundsException.class, () -> list.get(2));
      assertThrows(IndexOutOfBoundsException.class, () -> list.get(-1));
      assertEquals(List.of("c", "b"), new ArrayList<>(list));
      list.clear();
      assertEquals(List.of(), list);
      list.add("d");
      assertEquals(List.of("d"), list);
    }
  }
}

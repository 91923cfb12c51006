package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.common.Recycler.Handle;
import org.junit.jupiter.api.Test;

/// The steps of threads that meet, in an order that the test chooses.
class ReturnedListTest {

  private final ReturnedList<Object> list = new ReturnedList<>();
  private final ReturnedList<Object> next = new ReturnedList<>();
  private final Handle<Object> first = handle();
  private final Handle<Object> second = handle();
  private final Handle<Object> third = handle();

  private static Handle<Object> handle() {
    return new Handle<>(null, new Object());
  }

  @Test
  void lengthIsKnownAtTheFirst() {
    assertTrue(list.add(first, null));
    assertTrue(list.add(second, first));
    assertSame(second, list.first());
    assertEquals(2, ReturnedList.length(second));
    assertSame(second, list.close(next));
    assertSame(first, second.next);
    assertNull(first.next);
  }

  @Test
  void whoeverLookedBeforeAnotherCameLooksAgain() {
    assertTrue(list.add(first, null));
    assertTrue(list.add(second, first));
    assertFalse(list.add(third, first));
    assertFalse(list.add(third, null));
    assertSame(second, list.first());
  }

  /// A thread sees the first handle; that is fetched, handed out, and comes back as the last of a
  /// list that is full by now; then the thread goes on by what it saw.
  @Test
  void handleThatIsFirstAgainIsNotTakenForTheSame() {
    assertTrue(list.add(first, null));
    assertSame(first, list.close(next));
    list.pass();
    assertTrue(next.add(second, null));
    assertTrue(next.add(first, second));
    assertFalse(list.add(third, first));
    assertSame(first, next.first());
    assertEquals(2, ReturnedList.length(first));
  }

  @Test
  void closedListSaysWhereToGoAndKeepsNoOtherAlive() {
    assertSame(null, list.close(next));
    assertSame(next, list.first());
    assertFalse(list.add(first, null));
    assertFalse(list.isWaiting());
    list.pass();
    assertSame(ReturnedList.PASSED, list.first());
    assertFalse(list.add(first, null));
    assertTrue(next.add(first, null));
    assertTrue(next.isWaiting());
    next.end();
    assertSame(ReturnedList.ENDED, next.first());
    assertFalse(next.add(second, first));
    assertFalse(next.isWaiting());
  }
}

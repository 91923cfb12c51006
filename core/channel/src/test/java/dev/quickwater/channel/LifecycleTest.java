package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.Lifecycle.Action;
import dev.quickwater.channel.Lifecycle.Event;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class LifecycleTest {

  /// Pairs that no caller may bring about; all others give a step.
  private static final Map<Lifecycle, Set<Event>> ILLEGAL = illegal();

  private static Map<Lifecycle, Set<Event>> illegal() {
    Set<Event> opening = EnumSet.of(Event.CONNECT, Event.LISTEN, Event.OPEN);
    Map<Lifecycle, Set<Event>> illegal = new EnumMap<>(Lifecycle.class);
    for (Lifecycle state : Lifecycle.values()) {
      illegal.put(state, EnumSet.copyOf(opening));
    }
    illegal.put(Lifecycle.NEW, EnumSet.of(Event.INPUT_ENDED, Event.OUTPUT_ENDED));
    illegal.get(Lifecycle.CONNECTING).addAll(illegal.get(Lifecycle.NEW));
    illegal.get(Lifecycle.CONNECTING).remove(Event.OPEN);
    illegal.get(Lifecycle.LISTENING).addAll(illegal.get(Lifecycle.NEW));
    illegal.get(Lifecycle.OPEN).add(Event.OUTPUT_ENDED);
    illegal.get(Lifecycle.INPUT_ENDED).addAll(illegal.get(Lifecycle.NEW));
    illegal.get(Lifecycle.OUTPUT_ENDED).add(Event.OUTPUT_ENDED);
    illegal.get(Lifecycle.LAST_OUTPUT).add(Event.INPUT_ENDED);
    illegal.get(Lifecycle.BOTH_ENDED).addAll(illegal.get(Lifecycle.NEW));
    illegal.get(Lifecycle.LINGER_LAST_OUTPUT).add(Event.INPUT_ENDED);
    illegal.get(Lifecycle.LINGER_WAITING).add(Event.OUTPUT_ENDED);
    illegal.get(Lifecycle.CLOSED).clear();
    return illegal;
  }

  @Test
  void illegalPairsNameStateAndEvent() {
    for (Lifecycle state : Lifecycle.values()) {
      for (Event event : Event.values()) {
        if (ILLEGAL.get(state).contains(event)) {
          IllegalStateException e =
              assertThrows(
                  IllegalStateException.class, () -> state.on(event), state + " on " + event);
          assertTrue(e.getMessage().contains(state.name()), e.getMessage());
          assertTrue(e.getMessage().contains(event.name()), e.getMessage());
        } else {
          state.on(event);
        }
      }
    }
  }

  @Test
  void closeEndsEveryStateOnce() {
    for (Lifecycle state : Lifecycle.values()) {
      Action expected =
          state == Lifecycle.CLOSED
              ? Action.NOTHING
              : state.isActive() ? Action.CLOSE_ACTIVE : Action.CLOSE;
      assertEquals(new Lifecycle.Step(Lifecycle.CLOSED, expected), state.on(Event.CLOSE));
    }
  }

  @Test
  void closedStaysClosed() {
    for (Event event : Event.values()) {
      assertEquals(
          new Lifecycle.Step(Lifecycle.CLOSED, Action.NOTHING), Lifecycle.CLOSED.on(event));
    }
  }

  /// Every walk that never closes by command ends closed when both directions have ended.
  @Test
  void bothDirectionsEndInEitherOrder() {
    assertEquals(Lifecycle.CLOSED, walk(Event.END_OUTPUT, Event.INPUT_ENDED, Event.OUTPUT_ENDED));
    assertEquals(
        Lifecycle.BOTH_ENDED, walk(Event.END_OUTPUT, Event.OUTPUT_ENDED, Event.INPUT_ENDED));
    assertEquals(Lifecycle.CLOSED, walk(Event.INPUT_ENDED, Event.END_OUTPUT, Event.OUTPUT_ENDED));
    assertEquals(Lifecycle.CLOSED, walk(Event.LINGER, Event.OUTPUT_ENDED, Event.INPUT_ENDED));
    assertEquals(Lifecycle.CLOSED, walk(Event.LINGER, Event.INPUT_ENDED, Event.OUTPUT_ENDED));
    assertEquals(Lifecycle.CLOSED, walk(Event.INPUT_ENDED, Event.LINGER, Event.OUTPUT_ENDED));
  }

  private static Lifecycle walk(Event... events) {
    Lifecycle state = Lifecycle.OPEN;
    for (Event event : events) {
      assertNotEquals(Lifecycle.CLOSED, state);
      state = state.on(event).next();
    }
    return state;
  }

  @Test
  void onlyStatesWithAnOpenOutputTakeWrites() {
    for (Lifecycle state : Lifecycle.values()) {
      boolean ends = state.on(Event.END_OUTPUT).action() == Action.END_OUTPUT;
      assertEquals(ends, state.takesWrites(), state.name());
    }
  }
}

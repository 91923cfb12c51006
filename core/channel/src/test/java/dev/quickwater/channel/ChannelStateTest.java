package dev.quickwater.channel;

import static dev.quickwater.channel.ChannelState.CLOSED;
import static dev.quickwater.channel.ChannelState.CONNECTING;
import static dev.quickwater.channel.ChannelState.LINGERING;
import static dev.quickwater.channel.ChannelState.LISTENING;
import static dev.quickwater.channel.ChannelState.NEW;
import static dev.quickwater.channel.ChannelState.OPEN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.ChannelState.Event;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ChannelStateTest {

  /// Every legal pair; all others throw.
  private static final Map<ChannelState, Map<Event, ChannelState>> LEGAL =
      Map.of(
          NEW,
          Map.of(
              Event.CONNECT, CONNECTING,
              Event.LISTEN, LISTENING,
              Event.OPEN, OPEN,
              Event.CLOSE, CLOSED),
          CONNECTING,
          Map.of(Event.OPEN, OPEN, Event.CLOSE, CLOSED),
          LISTENING,
          Map.of(Event.CLOSE, CLOSED),
          OPEN,
          Map.of(Event.LINGER, LINGERING, Event.CLOSE, CLOSED),
          LINGERING,
          Map.of(Event.CLOSE, CLOSED),
          CLOSED,
          Map.of(Event.CLOSE, CLOSED));

  @Test
  void everyPairOfStateAndEvent() {
    for (ChannelState state : ChannelState.values()) {
      for (Event event : Event.values()) {
        ChannelState next = LEGAL.get(state).get(event);
        if (next != null) {
          assertEquals(next, state.on(event), state + " on " + event);
        } else {
          IllegalStateException e =
              assertThrows(
                  IllegalStateException.class, () -> state.on(event), state + " on " + event);
          assertTrue(e.getMessage().contains(state.name()), e.getMessage());
          assertTrue(e.getMessage().contains(event.name()), e.getMessage());
        }
      }
    }
  }
}

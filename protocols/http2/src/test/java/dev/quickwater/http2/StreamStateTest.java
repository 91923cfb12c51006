package dev.quickwater.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.quickwater.http2.StreamState.Event;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StreamStateTest {

  /// All legal pairs; every other pair is impossible.
  @Test
  void legalPairsAreThoseOfTheRfc() {
    Map<StreamState, String> legal = new LinkedHashMap<>();
    for (StreamState state : StreamState.values()) {
      StringJoiner pairs = new StringJoiner(" ");
      for (Event event : Event.values()) {
        if (state.allows(event)) {
          pairs.add(event + ">" + state.on(event));
        } else {
          assertThrows(IllegalStateException.class, () -> state.on(event));
        }
      }
      legal.put(state, pairs.toString());
    }
    assertEquals(
        "HEADERS_SENT>OPEN HEADERS_RECEIVED>OPEN"
            + " PROMISE_SENT>RESERVED_LOCAL PROMISE_RECEIVED>RESERVED_REMOTE",
        legal.get(StreamState.IDLE));
    assertEquals(
        "HEADERS_SENT>HALF_CLOSED_REMOTE RESET_SENT>CLOSED RESET_RECEIVED>CLOSED",
        legal.get(StreamState.RESERVED_LOCAL));
    assertEquals(
        "HEADERS_RECEIVED>HALF_CLOSED_LOCAL RESET_SENT>CLOSED RESET_RECEIVED>CLOSED",
        legal.get(StreamState.RESERVED_REMOTE));
    assertEquals(
        "HEADERS_SENT>OPEN HEADERS_RECEIVED>OPEN DATA_SENT>OPEN DATA_RECEIVED>OPEN"
            + " END_SENT>HALF_CLOSED_LOCAL END_RECEIVED>HALF_CLOSED_REMOTE"
            + " RESET_SENT>CLOSED RESET_RECEIVED>CLOSED",
        legal.get(StreamState.OPEN));
    assertEquals(
        "HEADERS_RECEIVED>HALF_CLOSED_LOCAL DATA_RECEIVED>HALF_CLOSED_LOCAL END_RECEIVED>CLOSED"
            + " RESET_SENT>CLOSED RESET_RECEIVED>CLOSED",
        legal.get(StreamState.HALF_CLOSED_LOCAL));
    assertEquals(
        "HEADERS_SENT>HALF_CLOSED_REMOTE DATA_SENT>HALF_CLOSED_REMOTE END_SENT>CLOSED"
            + " RESET_SENT>CLOSED RESET_RECEIVED>CLOSED",
        legal.get(StreamState.HALF_CLOSED_REMOTE));
    assertEquals("RESET_SENT>CLOSED RESET_RECEIVED>CLOSED", legal.get(StreamState.CLOSED));
  }

  @ParameterizedTest
  @CsvSource({
    "IDLE, DATA_RECEIVED, PROTOCOL_ERROR, 0",
    "IDLE, RESET_RECEIVED, PROTOCOL_ERROR, 0",
    "HALF_CLOSED_REMOTE, DATA_RECEIVED, STREAM_CLOSED, 5",
    "HALF_CLOSED_REMOTE, HEADERS_RECEIVED, STREAM_CLOSED, 5",
    "CLOSED, HEADERS_RECEIVED, STREAM_CLOSED, 0",
    "RESERVED_REMOTE, DATA_RECEIVED, PROTOCOL_ERROR, 0",
    "RESERVED_LOCAL, HEADERS_RECEIVED, PROTOCOL_ERROR, 0",
  })
  void framesOfThePeerAreRefused(StreamState state, Event event, ErrorCode code, int scope) {
    Http2Exception refusal = state.refusal(5, event);
    assertEquals(code, refusal.code());
    assertEquals(scope, refusal.stream());
  }

  @Test
  void allowedFramesAreNotRefused() {
    assertEquals(null, StreamState.OPEN.refusal(5, Event.DATA_RECEIVED));
  }
}

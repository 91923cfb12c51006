package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.spi.TransportProvider;
import org.junit.jupiter.api.Test;

final class TransportChoiceTest {

  @Test
  void nioIsAlwaysThereAndLast() {
    TransportProvider last = TransportChoice.installed().getLast();
    assertEquals("nio", last.name());
    assertEquals(null, last.unusableReason());
  }

  @Test
  void selectionByNameIsTheReason() {
    TransportChoice choice = TransportChoice.of("nio");
    assertEquals("nio", choice.name());
    assertEquals("nio (selected by name)", choice.toString());
  }

  @Test
  void anUnknownNameIsAnsweredWithTheKnownOnes() {
    UnsupportedOperationException e =
        assertThrows(UnsupportedOperationException.class, () -> TransportChoice.of("carrier"));
    assertTrue(e.getMessage().contains("carrier"), e.getMessage());
    assertTrue(e.getMessage().contains("installed: "), e.getMessage());
    assertTrue(e.getMessage().contains("nio"), e.getMessage());
  }

  @Test
  void groupReportsItsTransport() {
    try (EventLoopGroup group = EventLoopGroup.create(new LoopSettings(3, "nio"))) {
      assertEquals("nio", group.transport().name());
      assertEquals(3, group.loops().size());
    }
  }
}

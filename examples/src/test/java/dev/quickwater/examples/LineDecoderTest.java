package dev.quickwater.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.junit.NoLeaks;
import java.util.List;
import org.junit.jupiter.api.Test;

// @start region=class
@NoLeaks
final class LineDecoderTest {

  @Test
  void lineArrivesInAnyNumberOfPieces() {
    try (EmbeddedChannel channel = new EmbeddedChannel(new LineDecoder(16))) {
      channel.send("hel").send("lo\nwor");
      assertEquals(List.of("hello"), channel.takeReceived());
      channel.send("ld\n\n");
      assertEquals(List.of("world", ""), channel.takeReceived());
    }
  }

  // @end

  @Test
  void linesAreTheSameAtEveryCut() {
    String text = "one\n\ntwo three\nfour";
    for (int cut = 0; cut <= text.length(); cut++) {
      try (EmbeddedChannel channel = new EmbeddedChannel(new LineDecoder(16))) {
        channel.send(text.substring(0, cut)).send(text.substring(cut));
        assertEquals(List.of("one", "", "two three"), channel.takeReceived(), "cut at " + cut);
      }
    }
  }

  // @start region=limit
  @Test
  void longLineClosesTheChannel() {
    try (EmbeddedChannel channel = new EmbeddedChannel(new LineDecoder(16)).keepUnhandled()) {
      channel.send("0123456789").send("0123456789");
      assertInstanceOf(LineDecoder.LineTooLongException.class, channel.takeUnhandled());
      assertTrue(channel.isClosed());
    }
  }

  // @end

  @Test
  void lineOfTheMaximumLengthPasses() {
    try (EmbeddedChannel channel = new EmbeddedChannel(new LineDecoder(4))) {
      channel.send("0123").send("\n");
      assertEquals(List.of("0123"), channel.takeReceived());
    }
  }

  // @start region=ownership
  @Test
  void bufferHasOneOwner() {
    ByteBuf greeting = ByteBuf.utf8("hello");
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      channel.channel().writeAndFlush(greeting.share()); // the channel owns the shared handle
      assertEquals("hello", channel.takeSentText());
    }
    assertEquals(5, greeting.readableBytes()); // this handle is still ours
    greeting.release();
  }

  // @end
}

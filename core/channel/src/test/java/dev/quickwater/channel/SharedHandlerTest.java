package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

/// A handler object is in one pipeline, and a name stands for one handler.
final class SharedHandlerTest {

  private static final class Stateful implements ChannelHandler {}

  private static final class Stateless implements ChannelHandler {
    @Override
    public boolean isShareable() {
      return true;
    }
  }

  @Test
  void oneHandlerInTwoChannelsIsRefused() {
    Stateful handler = new Stateful();
    try (EmbeddedChannel first = new EmbeddedChannel(handler);
        EmbeddedChannel second = new EmbeddedChannel()) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> second.channel().pipeline().addLast(handler));
      assertTrue(e.getMessage().contains("isShareable"), e.getMessage());
      assertSame(handler, first.channel().pipeline().find(Stateful.class));
    }
  }

  @Test
  void handlerMayMoveToAnotherChannel() {
    Stateful handler = new Stateful();
    try (EmbeddedChannel first = new EmbeddedChannel(handler);
        EmbeddedChannel second = new EmbeddedChannel()) {
      first.channel().pipeline().remove(handler);
      second.channel().pipeline().addLast(handler);
      assertSame(handler, second.channel().pipeline().find(Stateful.class));
    }
    try (EmbeddedChannel third = new EmbeddedChannel(handler)) {
      assertSame(handler, third.channel().pipeline().find(Stateful.class));
    }
  }

  @Test
  void shareableHandlerMayBeInManyPlaces() {
    Stateless handler = new Stateless();
    try (EmbeddedChannel first = new EmbeddedChannel(handler, handler);
        EmbeddedChannel second = new EmbeddedChannel(handler)) {
      assertSame(handler, first.channel().pipeline().find(Stateless.class));
      assertSame(handler, second.channel().pipeline().find(Stateless.class));
    }
  }

  @Test
  void oneHandlerTwiceInAPipelineIsRefused() {
    Stateful handler = new Stateful();
    try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
      assertThrows(
          IllegalArgumentException.class, () -> channel.channel().pipeline().addLast(handler));
    }
  }

  @Test
  void twoHandlersOfOneNameAreRefused() {
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      Stateful named = new Stateful();
      channel.channel().pipeline().addLast("codec", named);
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class,
              () -> channel.channel().pipeline().addLast("codec", new Stateful()));
      assertTrue(e.getMessage().contains("codec"), e.getMessage());
      assertSame(named, channel.channel().pipeline().remove("codec"));
      assertEquals(null, channel.channel().pipeline().find(Stateful.class));
    }
  }
}

package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a protocol sees of pauses and of a graceful close, and may hold back.
final class InterceptionTest {

  private final List<String> events = new ArrayList<>();

  /// Takes the pauses of others for itself, as TLS does during a handshake.
  private final class KeepsReading implements ChannelHandler {
    @Override
    public void pauseReading(HandlerContext context) {
      events.add("pause");
    }

    @Override
    public void resumeReading(HandlerContext context) {
      events.add("resume");
    }
  }

  @Test
  void handlerMayKeepTheTransportReadingWhileThePauseOfOthersIsHeld() {
    try (EmbeddedChannel channel = new EmbeddedChannel(new KeepsReading())) {
      Pause first = channel.channel().pauseReading("first");
      Pause second = channel.channel().pauseReading("second");
      assertTrue(channel.isReading());
      assertTrue(channel.channel().isReadingPaused());
      first.close();
      second.close();
      assertEquals(List.of("pause", "resume"), events);
    }
  }

  @Test
  void onlyTheFirstAndTheLastPauseReachTheTransport() {
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      Pause first = channel.channel().pauseReading("first");
      Pause second = channel.channel().pauseReading("second");
      first.close();
      first.close();
      assertFalse(channel.isReading());
      assertEquals(List.of("second"), channel.channel().pauses());
      second.close();
      assertTrue(channel.isReading());
    }
  }

  /// As HTTP/2 does with its GOAWAY and TLS with its close_notify.
  @Test
  void protocolSendsItsClosingMessageBeforeAGracefulClose() {
    ChannelHandler protocol =
        new ChannelHandler() {
          @Override
          public void closeGracefully(HandlerContext context, Duration limit, long maxBytes) {
            context.write(ByteBuf.utf8(" goodbye"));
            context.closeGracefully(limit, maxBytes);
          }
        };
    try (EmbeddedChannel channel = new EmbeddedChannel(protocol)) {
      channel.channel().write(ByteBuf.utf8("last"));
      channel.channel().closeGracefully(Duration.ofSeconds(1), 10);
      assertEquals("last goodbye", channel.takeSentText());
      assertTrue(channel.isOutputEnded());
      channel.endInput();
      assertTrue(channel.isClosed());
    }
  }

  @Test
  void handlerThatFailsDuringAGracefulCloseDoesNotKeepTheChannelOpen() {
    ChannelHandler faulty =
        new ChannelHandler() {
          @Override
          public void closeGracefully(HandlerContext context, Duration limit, long maxBytes) {
            throw new IllegalStateException("on purpose");
          }
        };
    try (EmbeddedChannel channel = new EmbeddedChannel(faulty)) {
      channel.channel().closeGracefully(Duration.ofSeconds(1), 10);
      assertTrue(channel.isClosed());
      assertEquals(Outcome.Kind.FAILED, channel.channel().outcome().kind());
    }
  }

  @Test
  void messageHandlerTakesItsTypeAndPassesOnTheRest() {
    MessageHandler<Integer> numbers =
        new MessageHandler<>(Integer.class) {
          @Override
          protected void received(HandlerContext context, Integer message) {
            events.add("number " + message);
          }
        };
    ChannelHandler rest =
        new ChannelHandler() {
          @Override
          public void channelRead(HandlerContext context, Object message) {
            events.add("other " + message);
          }
        };
    try (EmbeddedChannel channel = new EmbeddedChannel(numbers, rest)) {
      channel.channel().pipeline().fireChannelRead(1);
      channel.channel().pipeline().fireChannelRead("text");
      assertEquals(List.of("number 1", "other text"), events);
    }
  }
}

package dev.quickwater.channel.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.LingerLimitException;
import dev.quickwater.channel.Outcome;
import dev.quickwater.channel.Pause;
import dev.quickwater.common.Promise;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EmbeddedChannelTest {

  private static final class Upper implements ChannelHandler {
    @Override
    public void channelRead(HandlerContext context, Object message) {
      ByteBuf in = (ByteBuf) message;
      String text = new String(in.readBytes(in.readableBytes()));
      in.release();
      context.writeAndFlush(ByteBuf.utf8(text.toUpperCase(java.util.Locale.ROOT)));
    }
  }

  @Test
  void bytesGoInAndOut() {
    try (EmbeddedChannel channel = new EmbeddedChannel(new Upper())) {
      assertEquals("HELLO", channel.send("hello").takeSentText());
      assertEquals("", channel.takeSentText());
    }
  }

  @Test
  void messagesThatPassTheLastHandlerAreCollected() {
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      ByteBuf bytes = ByteBuf.utf8("x");
      channel.deliver(bytes).deliver("text");
      assertEquals(List.of(bytes, "text"), channel.takeReceived());
      bytes.release();
      assertEquals(List.of(), channel.takeReceived());
    }
  }

  @Test
  void collectedMessagesThatAreNotTakenAreReleasedAtClose() {
    ByteBuf bytes = ByteBuf.utf8("x");
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      channel.deliver(bytes);
      assertTrue(bytes.isLive());
    }
    assertFalse(bytes.isLive());
  }

  @Test
  void inputWaitsWhileReadingIsPaused() {
    try (EmbeddedChannel channel = new EmbeddedChannel(new Upper())) {
      Pause pause = channel.channel().pauseReading("test");
      assertFalse(channel.isReading());
      assertEquals("", channel.send("a").send("b").takeSentText());
      pause.close();
      assertEquals("AB", channel.takeSentText());
    }
  }

  @Test
  void outputWaitsForTheWindow() {
    try (EmbeddedChannel channel = new EmbeddedChannel(new Upper())) {
      channel.setWindow(3).send("hello");
      assertEquals("HEL", channel.takeSentText());
      assertEquals("LO", channel.setWindow(10).takeSentText());
    }
  }

  @Test
  void stallRunsInVirtualTime() {
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      channel.setWindow(1);
      Promise<Void> promise = channel.loop().newPromise();
      channel.channel().writeAndFlush(ByteBuf.utf8("hello"), promise);
      channel.advance(Duration.ofSeconds(29));
      channel.setWindow(1); // progress
      channel.advance(Duration.ofSeconds(29));
      assertFalse(promise.isDone());
      assertThrows(UncheckedIOException.class, () -> channel.advance(Duration.ofSeconds(1)));
      assertInstanceOf(SocketTimeoutException.class, promise.cause());
      assertTrue(channel.isClosed());
    }
  }

  @Test
  void aNewFlushHasAFullStallTimeout() {
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      channel.setWindow(0);
      channel.channel().writeAndFlush(ByteBuf.utf8("a"));
      channel.advance(Duration.ofSeconds(1));
      channel.setWindow(1); // the first is through; its timer still runs
      channel.advance(Duration.ofSeconds(28));
      channel.channel().writeAndFlush(ByteBuf.utf8("b"));
      channel.advance(Duration.ofSeconds(29));
      assertFalse(channel.isClosed());
      assertThrows(UncheckedIOException.class, () -> channel.advance(Duration.ofSeconds(2)));
      assertTrue(channel.isClosed());
    }
  }

  @Test
  void lingeringEndsAtItsLimitInVirtualTime() {
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      channel.setWindow(0);
      channel.channel().write(ByteBuf.utf8("bye"));
      channel.channel().closeGracefully(Duration.ofSeconds(1), 100);
      channel.advance(Duration.ofSeconds(20));
      assertFalse(channel.isClosed(), "the limit counts from the end of our direction");
      channel.setWindow(3);
      assertTrue(channel.isOutputEnded());
      channel.advance(Duration.ofMillis(999));
      assertFalse(channel.isClosed());
      channel.advance(Duration.ofMillis(1));
      assertTrue(channel.isClosed());
    }
  }

  @Test
  void lingeringReadsNoMoreThanItsLimitWhileOutputIsUnsent() {
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      channel.setWindow(0);
      channel.channel().write(ByteBuf.utf8("bye"));
      Pause pause = channel.channel().pauseReading("test");
      channel.channel().closeGracefully(Duration.ofSeconds(1), 10);
      assertTrue(channel.send("0123456789").isReading());
      assertFalse(channel.send("0").isReading());
      pause.close();
      assertFalse(channel.isReading());
      assertFalse(channel.isClosed());
      channel.setWindow(3);
      assertTrue(channel.isClosed());
      assertEquals(Outcome.Kind.FAILED, channel.channel().outcome().kind());
      assertInstanceOf(LingerLimitException.class, channel.channel().outcome().cause());
    }
  }

  @Test
  void lingeringClosesAboveItsLimitOfBytes() {
    try (EmbeddedChannel channel = new EmbeddedChannel()) {
      channel.channel().closeGracefully(Duration.ofSeconds(1), 10);
      assertFalse(channel.send("0123456789").isClosed());
      assertTrue(channel.send("0").isClosed());
      assertInstanceOf(LingerLimitException.class, channel.channel().outcome().cause());
    }
  }

  @Test
  void initializerThatThrowsIsReported() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new EmbeddedChannel(
                ChannelSettings.DEFAULT,
                _ -> {
                  throw new Exception("on purpose");
                }));
  }

  @Test
  void closingTwiceIsFine() {
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.close();
    channel.close();
    assertTrue(channel.isClosed());
  }

  @Test
  void anyMessageGoesInAndOut() {
    ChannelHandler twice =
        new ChannelHandler() {
          @Override
          public void channelRead(HandlerContext context, Object message) {
            context.write((Integer) message * 2);
          }
        };
    try (EmbeddedChannel channel = new EmbeddedChannel(twice)) {
      channel.deliver(1).deliver(2);
      assertEquals(List.of(), channel.takeMessages(), "not flushed");
      channel.channel().flush();
      assertEquals(List.of(2, 4), channel.takeMessages());
    }
  }

  @Test
  void failureThatNoHandlerTookIsRethrown() {
    ChannelHandler faulty =
        new ChannelHandler() {
          @Override
          public void channelRead(HandlerContext context, Object message) {
            throw new IllegalStateException("on purpose");
          }
        };
    try (EmbeddedChannel channel = new EmbeddedChannel(faulty)) {
      IllegalStateException e =
          assertThrows(IllegalStateException.class, () -> channel.deliver("message"));
      assertEquals("on purpose", e.getMessage());
      assertTrue(channel.isClosed());
    }
  }

  @Test
  void receivedBuffersMayGrowLikeThoseOfTransports() {
    ChannelHandler growing =
        new ChannelHandler() {
          @Override
          public void channelRead(HandlerContext context, Object message) {
            context.writeAndFlush(((ByteBuf) message).writeBytes(new byte[5000]));
          }
        };
    try (EmbeddedChannel channel = new EmbeddedChannel(growing)) {
      assertEquals(5001, channel.send("x").takeSent().readableBytes());
    }
  }
}

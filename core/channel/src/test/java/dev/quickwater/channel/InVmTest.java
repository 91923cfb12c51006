package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.CompositeByteBuf;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.FileSource;
import dev.quickwater.channel.invm.InVm;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// In-VM channels, step by step.
final class InVmTest {

  private static final ChannelSettings DEFAULT = ChannelSettings.DEFAULT;

  private static final class Notes implements ChannelHandler {
    final List<Object> messages = new ArrayList<>();
    final List<String> events = new ArrayList<>();

    @Override
    public void channelRead(HandlerContext context, Object message) {
      messages.add(message);
    }

    @Override
    public void channelInputClosed(HandlerContext context) {
      events.add("inputClosed");
    }

    @Override
    public void exceptionCaught(HandlerContext context, Throwable cause) {
      events.add(cause.getClass().getSimpleName());
    }

    @Override
    public void channelInactive(HandlerContext context) {
      events.add("inactive");
    }

    /// Releases the messages, which are buffers.
    String text() {
      StringBuilder text = new StringBuilder();
      for (Object message : messages) {
        ByteBuf buffer = (ByteBuf) message;
        text.append(new String(buffer.readBytes(buffer.readableBytes())));
        buffer.release();
      }
      messages.clear();
      return text.toString();
    }
  }

  @Test
  void objectsArriveAsTheyWereWritten() throws Exception {
    Notes notes = new Notes();
    try (InVmPair pair = new InVmPair(false, DEFAULT, notes)) {
      Channel client = pair.connect(new Notes());
      Object plain = new Object();
      ByteBuf buffer = ByteBufAllocator.shared().allocate(3).writeBytes(new byte[3]);
      client.write(plain);
      client.writeAndFlush(buffer);
      pair.run();
      assertEquals(List.of(plain, buffer), notes.messages);
      assertSame(buffer, notes.messages.get(1));
      buffer.release();
    }
  }

  @Test
  void compositesArriveAsTheirUnreadParts() throws Exception {
    Notes notes = new Notes();
    try (InVmPair pair = new InVmPair(false, DEFAULT, notes)) {
      Channel client = pair.connect(new Notes());
      CompositeByteBuf composite =
          CompositeByteBuf.of(ByteBuf.utf8("xa"), ByteBuf.wrap(), ByteBuf.utf8("bc"));
      composite.readerIndex(1);
      client.write(composite);
      Promise<Void> empty = client.loop().newPromise();
      client.writeAndFlush(CompositeByteBuf.of(), empty);
      pair.run();
      assertEquals("abc", notes.text());
      assertTrue(empty.isSuccess());
      assertEquals(0, client.core().account().pending());
    }
  }

  /// A file that no disk has.
  private static final class Letters implements FileSource {
    long end = 1 << 20;
    boolean closed;

    @Override
    public long size() {
      return 1 << 20;
    }

    @Override
    public int read(long position, ByteBuf target, int length) throws IOException {
      if (position >= end) {
        return -1;
      }
      int some = (int) Math.min(Math.min(length, 1000), end - position);
      target.writeBytes("x".repeat(some).getBytes());
      return some;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  void filesAreReadAsTheOtherEndReads() throws Exception {
    Notes notes = new Notes();
    Letters file = new Letters();
    try (InVmPair pair = new InVmPair(false, DEFAULT, notes)) {
      Channel client = pair.connect(new Notes());
      Pause pause = pair.server().pauseReading("test");
      Promise<Void> sent = client.loop().newPromise();
      client.writeAndFlush(new FileRegion(file, 10, 200_000), sent);
      pair.run();
      assertFalse(sent.isDone());
      assertFalse(client.isWritable());
      assertTrue(client.core().account().pending() < 80_000);
      pause.close();
      pair.run();
      assertTrue(sent.isSuccess());
      assertTrue(file.closed);
      assertEquals(200_000, notes.text().length());
      assertEquals(0, client.core().account().pending());
    }
  }

  /// The writer may have stopped to read because of what it wrote.
  @Test
  void endThatReadsEverythingAndClosesMakesTheOtherWritable() throws Exception {
    ChannelHandler reader =
        new ChannelHandler() {
          @Override
          public void channelRead(HandlerContext context, Object message) {
            ((ByteBuf) message).release();
            context.channel().close();
          }
        };
    try (InVmPair pair = new InVmPair(false, DEFAULT, reader)) {
      Channel client = pair.connect(new Notes());
      Pause backlog = client.pauseReading("backlog");
      client.writeAndFlush(ByteBuf.wrap(new byte[100_000]));
      assertFalse(client.isWritable());
      pair.run();
      assertTrue(client.isWritable());
      assertEquals(0, client.core().account().pending());
      backlog.close();
    }
  }

  @Test
  void fileThatIsTooShortFailsTheChannel() throws Exception {
    Notes notes = new Notes();
    Letters file = new Letters();
    file.end = 10;
    try (InVmPair pair = new InVmPair(true, DEFAULT, notes)) {
      Notes sender = new Notes();
      Channel client = pair.connect(sender);
      client.writeAndFlush(new FileRegion(file, 0, 100));
      pair.run();
      assertEquals(List.of("EOFException", "inactive"), sender.events);
      assertEquals("x".repeat(10), notes.text());
      assertTrue(file.closed);
    }
  }

  @Test
  void unreadMessagesCountAgainstTheMarks() throws Exception {
    Notes notes = new Notes();
    try (InVmPair pair = new InVmPair(false, DEFAULT.withWaterMarks(500, 1000), notes)) {
      Channel client = pair.connect(new Notes());
      Pause pause = pair.server().pauseReading("test");
      client.writeAndFlush(ByteBuf.wrap(new byte[2000]));
      Promise<Void> beyond = client.loop().newPromise();
      client.writeAndFlush(ByteBuf.utf8("beyond the window"), beyond);
      pair.run();
      assertFalse(client.isWritable());
      assertFalse(beyond.isDone());
      pause.close();
      pair.run();
      assertTrue(client.isWritable());
      assertTrue(beyond.isSuccess());
      assertEquals(2017, notes.text().length());
    }
  }

  @Test
  void unreadMessagesReachTheHardLimit() throws Exception {
    Notes sender = new Notes();
    ChannelSettings settings = DEFAULT.withWaterMarks(500, 1000).withHardLimit(5000);
    try (InVmPair pair = new InVmPair(false, settings, new Notes())) {
      Channel client = pair.connect(sender);
      pair.server().pauseReading("test");
      for (int i = 0; i < 100; i++) {
        client.writeAndFlush(new Object());
      }
      pair.run();
      assertEquals(List.of("IOException", "inactive"), sender.events);
    }
  }

  @Test
  void peerThatDoesNotReadRunsIntoTheStallTimeoutOnlyBeyondTheWindow() throws Exception {
    Notes sender = new Notes();
    try (InVmPair pair = new InVmPair(false, DEFAULT.withWaterMarks(50, 100), new Notes())) {
      Channel client = pair.connect(sender);
      pair.server().pauseReading("test");
      client.writeAndFlush(new Object());
      pair.run();
      pair.clock.advance(Duration.ofMinutes(1));
      pair.run();
      assertTrue(client.isActive());
      client.writeAndFlush(ByteBuf.wrap(new byte[100]));
      client.writeAndFlush(new Object());
      pair.run();
      pair.clock.advance(Duration.ofMinutes(1));
      pair.run();
      assertEquals(
          List.of(SocketTimeoutException.class.getSimpleName(), "inactive"), sender.events);
    }
  }

  @Test
  void flushedMessagesArriveAfterTheWriterHasClosed() throws Exception {
    Notes notes = new Notes();
    try (InVmPair pair = new InVmPair(false, DEFAULT, notes)) {
      Channel client = pair.connect(new Notes());
      Pause pause = pair.server().pauseReading("test");
      client.writeAndFlush(ByteBuf.utf8("last words"));
      client.write(ByteBuf.utf8("never flushed"));
      client.close();
      pair.run();
      assertEquals(List.of(), notes.events);
      pause.close();
      pair.run();
      assertEquals("last words", notes.text());
      assertEquals(List.of("inputClosed", "inactive"), notes.events);
    }
  }

  /// A message that the close delimits must not look complete.
  @Test
  void closeWithoutLingerFailsThePeerBehindWhatWasSent() throws Exception {
    Notes notes = new Notes();
    try (InVmPair pair = new InVmPair(false, DEFAULT, notes)) {
      Channel client = pair.connect(new Notes());
      assertEquals(-1, client.getOption(StandardSocketOptions.SO_LINGER));
      client.setOption(StandardSocketOptions.SO_LINGER, 0);
      assertEquals(0, client.getOption(StandardSocketOptions.SO_LINGER));
      client.writeAndFlush(ByteBuf.utf8("half"));
      client.close();
      pair.run();
      assertEquals("half", notes.text());
      assertEquals(List.of("IOException", "inactive"), notes.events);
    }
  }

  @Test
  void writerFailsWhenItsPeerClosesWithoutReadingEverything() throws Exception {
    Notes sender = new Notes();
    try (InVmPair pair = new InVmPair(false, DEFAULT, new Notes())) {
      Channel client = pair.connect(sender);
      pair.server().pauseReading("test");
      client.writeAndFlush(new Object());
      pair.run();
      pair.server().close();
      pair.run();
      assertEquals(List.of("IOException", "inactive"), sender.events);
      assertEquals(Outcome.Kind.FAILED, Objects.requireNonNull(client.outcome()).kind());
    }
  }

  @Test
  void directionsEndOneByOne() throws Exception {
    Notes notes = new Notes();
    Notes sender = new Notes();
    try (InVmPair pair = new InVmPair(false, DEFAULT.withHalfClose(true), notes)) {
      Channel client = pair.connect(sender);
      client.write(ByteBuf.utf8("question"));
      client.shutdownOutput();
      pair.run();
      assertEquals(List.of("inputClosed"), notes.events);
      assertEquals("question", notes.text());
      pair.server().write(ByteBuf.utf8("answer"));
      pair.server().shutdownOutput();
      pair.run();
      assertEquals("answer", sender.text());
      assertEquals(List.of("inputClosed", "inactive"), sender.events);
      assertEquals(List.of("inputClosed", "inactive"), notes.events);
    }
  }

  @Test
  void connectWithoutListenerIsRefusedByName() throws Exception {
    try (InVmPair pair = new InVmPair(false, DEFAULT, new Notes())) {
      pair.listener.close();
      Notes notes = new Notes();
      Future<Channel> future = pair.connecting(notes);
      pair.run();
      Throwable cause = Objects.requireNonNull(future.cause());
      assertInstanceOf(ConnectException.class, cause);
      assertTrue(cause.getMessage().contains(pair.address.toString()), cause.getMessage());
      assertEquals(List.of(), notes.events);
    }
  }

  @Test
  void connectOnALoopWhoseListenerLoopEndsIsRefused() throws Exception {
    try (InVmPair pair = new InVmPair(false, DEFAULT, new Notes())) {
      Future<Channel> future = pair.connecting(new Notes());
      pair.clientLoop.step();
      pair.serverLoop.shutdown(Duration.ZERO);
      pair.serverLoop.step();
      pair.run();
      assertInstanceOf(ConnectException.class, future.cause());
    }
  }

  @Test
  void requestsBeyondTheBacklogAreRefused() throws Exception {
    try (InVmPair pair = new InVmPair(false, DEFAULT.withBacklog(1), new Notes())) {
      Pause pause = pair.listener.pauseReading("test");
      Future<Channel> first = pair.connecting(new Notes());
      pair.run();
      Future<Channel> second = pair.connecting(new Notes());
      pair.run();
      assertFalse(first.isDone());
      assertInstanceOf(ConnectException.class, second.cause());
      pause.close();
      pair.run();
      assertTrue(first.isSuccess());
    }
  }

  @Test
  void closingTheListenerRefusesThoseThatWait() throws Exception {
    try (InVmPair pair = new InVmPair(false, DEFAULT, new Notes())) {
      pair.listener.pauseReading("test");
      Future<Channel> waiting = pair.connecting(new Notes());
      pair.run();
      pair.listener.close();
      pair.run();
      assertInstanceOf(ConnectException.class, waiting.cause());
    }
  }

  @Test
  void attemptThatWasCancelledClosesTheAcceptedEnd() throws Exception {
    Notes notes = new Notes();
    try (InVmPair pair = new InVmPair(false, DEFAULT, notes)) {
      Future<Channel> future = pair.connecting(new Notes());
      pair.clientLoop.step();
      assertTrue(future.cancel());
      pair.run();
      assertEquals(List.of("inputClosed", "inactive"), notes.events);
    }
  }

  @Test
  void nameIsTakenUntilTheListenerHasClosed() throws Exception {
    try (InVmPair pair = new InVmPair(false, DEFAULT, new Notes())) {
      InVmAddress same = InVmAddress.of(pair.address.name());
      BindException taken =
          assertThrows(
              BindException.class, () -> InVm.listen(pair.serverLoop.poller(), same, DEFAULT));
      assertTrue(taken.getMessage().contains(same.toString()), taken.getMessage());
      pair.listener.close();
      Channel next =
          new Channel(
              pair.serverLoop, InVm.listen(pair.serverLoop.poller(), same, DEFAULT), DEFAULT);
      next.core().register(_ -> {});
      next.core().listen();
      assertEquals(same, next.localAddress());
    }
  }

  @Test
  void chosenNameIsNoneThatAProgramListensOn() throws Exception {
    try (InVmPair pair = new InVmPair(false, DEFAULT, new Notes())) {
      int last = Integer.parseInt(pair.address.name().substring(1));
      InVmAddress next = InVmAddress.of("#" + (last + 1));
      List<ChannelIo> listeners = new ArrayList<>();
      listeners.add(InVm.listen(pair.serverLoop.poller(), next, DEFAULT));
      listeners.add(InVm.listen(pair.serverLoop.poller(), InVmAddress.any(), DEFAULT));
      assertNotEquals(next, listeners.getLast().localAddress());
      listeners.forEach(ChannelIo::close);
    }
  }

  @Test
  void endOfOneLoopClosesTheChannelOfTheOther() throws Exception {
    Notes notes = new Notes();
    try (InVmPair pair = new InVmPair(false, DEFAULT, notes)) {
      Channel client = pair.connect(new Notes());
      client.writeAndFlush(new Object());
      pair.clientLoop.endStepped();
      pair.run();
      assertEquals(1, notes.messages.size());
      assertEquals(List.of("inputClosed", "inactive"), notes.events);
      assertNotNull(client.outcome());
    }
  }

  /// Counts down, and how deep its calls nest: the current depth and the largest.
  private record CountDown(int[] depth) implements ChannelHandler {
    @Override
    public void channelRead(HandlerContext context, Object message) {
      depth[1] = Math.max(depth[1], ++depth[0]);
      int left = (Integer) message;
      if (left > 0) {
        context.writeAndFlush(left - 1);
      }
      depth[0]--;
    }
  }

  @Test
  void channelsOfOneLoopDoNotNest() throws Exception {
    int[] depth = new int[2];
    try (InVmPair pair = new InVmPair(true, DEFAULT, new CountDown(depth))) {
      pair.connect(new CountDown(depth)).writeAndFlush(10_000);
      pair.run();
      assertEquals(1, depth[1]);
    }
  }
}

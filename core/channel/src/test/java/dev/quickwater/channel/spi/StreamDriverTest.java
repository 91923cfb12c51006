package dev.quickwater.channel.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.ChannelState;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.channel.Pause;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A channel on a socket that answers what a test has written down.
final class StreamDriverTest {

  private static final int READ = ReadinessSocket.READ;
  private static final int WRITE = ReadinessSocket.WRITE;

  private final EmbeddedChannel host = new EmbeddedChannel(); // lends its loop and clock
  private final ScriptedSocket socket = new ScriptedSocket();
  private final StreamDriver io = new StreamDriver(socket);
  private final List<String> events = new ArrayList<>();
  private Channel channel;

  @BeforeEach
  void open() throws Exception {
    open(ChannelSettings.DEFAULT.withReadSize(64, 1024).withHalfClose(true));
  }

  private void open(ChannelSettings settings) throws Exception {
    channel = Channel.open(host.loop(), io, settings, c -> c.pipeline().addLast(new Noting()));
  }

  @AfterEach
  void close() {
    channel.close();
    assertTrue(socket.closed, "the peer is disconnected at once");
    host.close();
  }

  private final class Noting implements ChannelHandler {
    @Override
    public void channelRead(HandlerContext context, Object message) {
      ByteBuf buffer = (ByteBuf) message;
      events.add("read " + buffer.readableBytes());
      buffer.release();
    }

    @Override
    public void channelReadComplete(HandlerContext context) {
      events.add("complete");
    }

    @Override
    public void channelInputClosed(HandlerContext context) {
      events.add("ended");
    }

    @Override
    public void exceptionCaught(HandlerContext context, Throwable cause) {
      events.add(String.valueOf(cause.getMessage()));
    }
  }

  private void expect(String... expected) {
    host.runTasks();
    assertEquals(List.of(expected), events);
    events.clear();
  }

  @Test
  void readsUntilABufferIsNotFull() {
    socket.readable(1024); // the first size, which fills
    socket.readable(10);
    socket.readable(10);
    io.ready(READ);
    expect("read 1024", "read 10", "complete");
    io.ready(READ);
    expect("read 10", "complete");
  }

  @Test
  void aTurnIsBounded() {
    for (int i = 0; i < 100; i++) {
      socket.readable(1024);
    }
    io.ready(READ);
    assertEquals(ChannelSettings.DEFAULT.reads().readsPerTurn() + 1, events.size());
    socket.reads.clear();
  }

  @Test
  void bufferSizesFollowWhatIsRead() {
    for (int i = 0; i < 20; i++) {
      socket.readable(1);
      io.ready(READ);
    }
    assertEquals(64, socket.rooms.getLast(), "small reads shrink it to the minimum");
    socket.readable(64);
    socket.readable(128);
    socket.readable(256);
    io.ready(READ);
    assertEquals(512, socket.rooms.getLast(), "full reads double it");
  }

  @Test
  void pausingCostsNothingUntilAnEventComes() {
    int before = socket.interests.size();
    channel.pauseReading("test").close();
    Pause pause = channel.pauseReading("test");
    assertEquals(before, socket.interests.size());
    io.ready(READ);
    assertEquals(0, socket.interests.getLast());
    pause.close();
    assertEquals(READ, socket.interests.getLast());
  }

  @Test
  void endOfStreamIsReportedOnceAndDropsTheInterest() {
    socket.readable(5);
    socket.readable(-1);
    io.ready(READ);
    io.ready(READ);
    io.ready(READ);
    expect("read 5", "complete", "complete", "ended");
    assertEquals(0, socket.interests.getLast());
    channel.pauseReading("test").close();
    assertEquals(0, socket.interests.getLast());
  }

  @Test
  void writeInterestComesAndGoesWithWhatIsLeft() {
    socket.room = 3;
    channel.writeAndFlush(ByteBuf.utf8("hello"));
    assertEquals(READ | WRITE, socket.interests.getLast());
    int calls = socket.writes;
    channel.flush();
    channel.writeAndFlush(ByteBuf.utf8("!"));
    assertEquals(calls, socket.writes, "nobody asks a kernel that has said no");
    socket.room = 100;
    io.ready(WRITE);
    assertEquals(READ, socket.interests.getLast());
    assertEquals("hello!", socket.sent.toString());
  }

  @Test
  void spuriousWritabilityIsHarmless() {
    io.ready(WRITE);
    io.ready(READ | WRITE);
    assertEquals(ChannelState.OPEN, channel.state());
  }

  @Test
  void failedWriteLetsAReaderReadFirst() {
    IOException broken = new IOException("broken pipe");
    socket.writeFailure = broken;
    socket.readable(3);
    socket.readable(-1);
    Promise<Void> promise = host.loop().newPromise();
    channel.writeAndFlush(ByteBuf.utf8("x"), promise);
    host.runTasks();
    assertEquals(ChannelState.OPEN, channel.state());
    channel.flush();
    io.broken();
    io.broken();
    expect("read 3", "complete", "complete", "broken pipe");
    assertSame(broken, promise.cause());
  }

  @Test
  void failedWriteOfAChannelThatDoesNotReadFailsAtOnce() {
    socket.writeFailure = new IOException("broken pipe");
    channel.pauseReading("test");
    channel.writeAndFlush(ByteBuf.utf8("x"));
    expect("broken pipe");
    assertEquals(ChannelState.CLOSED, channel.state());
  }

  @Test
  void errorOfABrokenUnreadSocketIsRead() {
    channel.pauseReading("test");
    socket.error = new IOException("reset");
    io.broken();
    expect("reset");
    assertTrue(io.broken(), "a closed one needs nothing more");
  }

  @Test
  void hangUpWithoutAnErrorLeavesThePollerUntilSomethingIsWanted() {
    Pause pause = channel.pauseReading("test");
    assertFalse(io.broken());
    assertEquals(ChannelState.OPEN, channel.state());
    pause.close();
    assertEquals(READ, socket.interests.getLast());
  }

  @Test
  void faultOfTheSocketFailsItsChannelAlone() {
    socket.fault = new IllegalStateException("a bug");
    io.ready(READ);
    expect("a bug");
    assertEquals(ChannelState.CLOSED, channel.state());
  }

  /// As NIO does when it has no direct memory for a copy.
  @Test
  void noMemoryInAReadFailsTheChannelAndFreesTheBuffer() {
    socket.noMemory = new OutOfMemoryError("no direct memory");
    io.ready(READ);
    expect("no direct memory");
    assertEquals(ChannelState.CLOSED, channel.state());
    assertEquals(0, host.loop().allocator().metrics().used());
  }

  @Test
  void noMemoryInAFlushFailsTheChannelAndItsPromise() {
    socket.noMemory = new OutOfMemoryError("no direct memory");
    Promise<Void> sent = host.loop().newPromise();
    channel.write(ByteBuf.utf8("x"), sent);
    channel.flush();
    expect("no direct memory");
    assertEquals(ChannelState.CLOSED, channel.state());
    assertSame(socket.noMemory, sent.cause());
  }

  @Test
  void failureToChangeTheInterestFailsTheChannel() {
    socket.room = 0;
    socket.interestFailure = new IOException("no memory for a registration");
    channel.writeAndFlush(ByteBuf.utf8("x"));
    expect("no memory for a registration");
    assertInstanceOf(ChannelState.class, channel.state());
    assertEquals(ChannelState.CLOSED, channel.state());
  }

  /// The read side is paused before it meets the failure.
  @Test
  void failedWriteIsReportedWhenNothingIsReadAnyMore() {
    IOException broken = new IOException("broken pipe");
    socket.writeFailure = broken;
    Promise<Void> promise = host.loop().newPromise();
    channel.writeAndFlush(ByteBuf.utf8("x"), promise);
    channel.pauseReading("test");
    expect("broken pipe");
    assertSame(broken, promise.cause());
    assertEquals(ChannelState.CLOSED, channel.state());
  }

  @Test
  void failedWriteWaitsForThePeersLastWordsAcrossAPauseThatEndsAtOnce() {
    socket.writeFailure = new IOException("broken pipe");
    channel.writeAndFlush(ByteBuf.utf8("x"));
    channel.pauseReading("test").close();
    expect();
    socket.readable(3);
    io.ready(READ);
    expect("read 3", "complete");
  }

  @Test
  void interestThatTheKernelRefusedIsRequestedAgain() {
    ScriptedListener listening = new ScriptedListener();
    ListenerDriver listener = new ListenerDriver(listening);
    TestEvents noted = new TestEvents();
    listener.attach(noted);
    listening.interestFailure = new IOException("no space for a watch");
    listener.startReading();
    assertEquals(1, noted.failures.size());
    listening.interestFailure = null;
    listener.stopReading();
    listener.startReading();
    assertEquals(List.of(READ), listening.interests);
  }

  @Test
  void socketThatAListenerHasClosedIsNotShutDown() {
    Promise<Void> promise = host.loop().newPromise();
    promise.onComplete(_ -> channel.close());
    channel.write(ByteBuf.utf8("last"), promise);
    channel.closeAfterFlush();
    assertEquals("last", socket.sent.toString());
    assertFalse(socket.usedAfterClose);
  }

  @Test
  void listenerStaysOpenWhenMemoryIsShort() {
    ScriptedListener listening = new ScriptedListener();
    ListenerDriver listener = new ListenerDriver(listening);
    TestEvents noted =
        new TestEvents() {
          @Override
          public void failed(Throwable cause) {
            throw new AssertionError("the channel fails", cause);
          }
        };
    listener.attach(noted);
    listener.startReading();
    listening.noMemory = new OutOfMemoryError("no room for a connection");
    listener.ready(READ);
    assertSame(listening.noMemory, noted.failures.getFirst());
  }
}

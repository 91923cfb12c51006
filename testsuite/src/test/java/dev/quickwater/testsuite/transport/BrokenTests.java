package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.Pause;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// A peer resets the connection in every state. The loop reports the reset, or at least does not
/// spin (CVE-2026-42577).
abstract class BrokenTests extends TransportTest {

  /// Epoll reports a reset for every interest. NIO ignores a socket without interest, and reports
  /// the reset when there is one.
  private boolean noticesAtOnce() {
    return transport().equals("epoll");
  }

  @Test
  void resetIsOneExceptionAndTheEnd() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    reset(rawAccept(peer));
    Recorder.await(recorder.inactive);
    assertEquals(List.of("active", "exception", "inactive"), recorder.events);
    assertInstanceOf(IOException.class, recorder.failures.getFirst());
  }

  @Test
  void whatCameBeforeTheResetIsRead() throws Exception {
    assumeTcp();
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    Socket socket = rawAccept(peer);
    CountDownLatch done = new CountDownLatch(1);
    channel.loop().execute(() -> awaitUnchecked(done));
    channel.writeAndFlush(ByteBuf.wrap(new byte[1000]));
    socket.getOutputStream().write("413".getBytes());
    reset(socket);
    done.countDown();
    Recorder.await(recorder.inactive);
    assertEquals("413", recorder.text());
    assertEquals(List.of("active", "exception", "inactive"), recorder.events);
  }

  private static void awaitUnchecked(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void resetWithWritesWaitingFailsEachPromiseOnce() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    Socket socket = rawAccept(peer);
    Promise<Void> flushed = channel.loop().newPromise();
    Promise<Void> written = channel.loop().newPromise();
    channel.writeAndFlush(ByteBuf.wrap(new byte[16 << 20]), flushed);
    channel.write(ByteBuf.utf8("never flushed"), written);
    run(channel, () -> {});
    assertEquals(0, socket.getInputStream().read());
    reset(socket);
    Throwable cause = failureOf(flushed);
    assertInstanceOf(IOException.class, cause);
    assertEquals(cause, failureOf(written));
    Recorder.await(recorder.inactive);
    assertEquals(List.of(cause), recorder.failures);
  }

  @Test
  void resetWhileReadingIsPaused() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    Socket socket = rawAccept(peer);
    Pause pause = channel.pauseReading("test");
    run(channel, () -> {});
    reset(socket);
    assertRests(channel.loop());
    if (noticesAtOnce()) {
      Recorder.await(recorder.inactive);
    } else {
      pause.close();
      Recorder.await(recorder.inactive);
    }
    assertEquals(List.of("active", "exception", "inactive"), recorder.events);
  }

  @Test
  void resetOfAHalfClosedChannel() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT.withHalfClose(true), recorder);
    Socket socket = rawAccept(peer);
    socket.shutdownOutput();
    Recorder.await(recorder.inputClosed);
    reset(socket);
    assertRests(channel.loop());
    if (!noticesAtOnce()) {
      channel.writeAndFlush(ByteBuf.utf8("anybody?"));
    }
    Recorder.await(recorder.inactive);
    assertEquals(List.of("active", "inputClosed", "exception", "inactive"), recorder.events);
  }

  @Test
  void resetAfterWeEndedOurDirection() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT.withHalfClose(true), recorder);
    Socket socket = rawAccept(peer);
    channel.shutdownOutput();
    assertEquals(-1, socket.getInputStream().read());
    reset(socket);
    Recorder.await(recorder.inactive);
    assertEquals(List.of("active", "exception", "inactive"), recorder.events);
    assertRests(channel.loop());
  }

  @Test
  void bothDirectionsEndedWhileReadingIsPaused() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT.withHalfClose(true), recorder);
    Socket socket = rawAccept(peer);
    Pause pause = channel.pauseReading("test");
    channel.shutdownOutput();
    assertEquals(-1, socket.getInputStream().read());
    socket.getOutputStream().write("for later".getBytes());
    socket.shutdownOutput();
    assertRests(channel.loop());
    pause.close();
    Recorder.await(recorder.inactive);
    assertEquals("for later", recorder.text());
    assertEquals(List.of("active", "inputClosed", "inactive"), recorder.events);
  }

  @Test
  void bytesThatWaitWhileReadingIsPausedDoNotTurnTheLoop() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    Socket socket = rawAccept(peer);
    Pause pause = channel.pauseReading("test");
    run(channel, () -> {});
    socket.getOutputStream().write(new byte[1000]);
    assertRests(channel.loop());
    assertEquals(0, recorder.received);
    pause.close();
    eventually("the bytes", () -> recorder.received == 1000);
  }

  /// The failure of the write is reported after the bytes that the peer sent before. They are not
  /// read after the pause.
  @Test
  void failedWriteIsReportedWhenReadingIsPausedAfterIt() throws Exception {
    assumeTcp();
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    Socket socket = rawAccept(peer);
    CountDownLatch done = new CountDownLatch(1);
    Promise<Void> promise = channel.loop().newPromise();
    channel
        .loop()
        .execute(() -> {
          awaitUnchecked(done);
          channel.writeAndFlush(ByteBuf.wrap(new byte[1000]), promise);
          channel.pauseReading("test");
        });
    reset(socket);
    done.countDown();
    assertInstanceOf(IOException.class, failureOf(promise));
    Recorder.await(recorder.inactive);
    assertEquals(List.of("active", "exception", "inactive"), recorder.events);
  }

  /// In a fifth of a second an idle loop turns for the timer and hardly more. A spinning loop turns
  /// a hundred thousand times.
  private static void assertRests(EventLoop loop) throws Exception {
    long before = loop.metrics().turns();
    Promise<Void> later = loop.newPromise();
    loop.schedule(() -> later.success(null), Duration.ofMillis(200));
    await(later);
    long turns = loop.metrics().turns() - before;
    assertTrue(turns < 40, turns + " turns");
  }
}

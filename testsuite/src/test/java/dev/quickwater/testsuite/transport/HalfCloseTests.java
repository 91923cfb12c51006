package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.common.Promise;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The two directions of a connection end separately.
abstract class HalfCloseTests extends TransportTest {

  @Test
  void peersEndClosesTheChannelUnlessHalfCloseIsOn() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    Socket socket = rawAccept(peer);
    socket.getOutputStream().write("last words".getBytes());
    socket.shutdownOutput();
    Recorder.await(recorder.inactive);
    assertEquals("last words", recorder.text());
    assertEquals(List.of("active", "inputClosed", "inactive"), recorder.events);
    assertEquals(-1, socket.getInputStream().read());
  }

  @Test
  void withHalfCloseOurDirectionStaysOpen() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT.withHalfClose(true), recorder);
    Socket socket = rawAccept(peer);
    socket.shutdownOutput();
    Recorder.await(recorder.inputClosed);
    assertTrue(channel.isActive());
    channel.writeAndFlush(ByteBuf.utf8("answer"));
    assertEquals("answer", new String(socket.getInputStream().readNBytes(6)));
    channel.shutdownOutput();
    assertEquals(-1, socket.getInputStream().read());
    Recorder.await(recorder.inactive);
    assertEquals(List.of("active", "inputClosed", "inactive"), recorder.events);
  }

  @Test
  void ourEndComesAfterEverythingWritten() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    Socket socket = rawAccept(peer);
    byte[] much = Payloads.bytes(0, 8 << 20);
    channel.write(ByteBuf.wrap(much));
    channel.shutdownOutput();
    assertArrayEquals(much, socket.getInputStream().readAllBytes());
    socket.getOutputStream().write("the other way".getBytes());
    eventually("the other direction", () -> recorder.received == 13);
    socket.close();
    Recorder.await(recorder.inactive);
  }

  @Test
  void writingAfterOurEndFails() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    rawAccept(peer);
    channel.shutdownOutput();
    Promise<Void> promise = channel.loop().newPromise();
    channel.writeAndFlush(ByteBuf.utf8("late"), promise);
    assertInstanceOf(IOException.class, failureOf(promise));
    assertEquals(List.of(), recorder.failures, "the promise has the failure, nobody else");
    channel.writeAndFlush(ByteBuf.utf8("late"));
    eventually("an exception event", () -> recorder.failures.size() == 1);
  }

  @Test
  void peersEndWhileWeStillSendWithHalfClose() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT.withHalfClose(true), recorder);
    Socket socket = rawAccept(peer);
    byte[] much = Payloads.bytes(0, 8 << 20);
    channel.write(ByteBuf.wrap(much));
    channel.shutdownOutput();
    socket.shutdownOutput();
    Recorder.await(recorder.inputClosed);
    assertArrayEquals(much, socket.getInputStream().readAllBytes());
    Recorder.await(recorder.inactive);
    assertEquals(List.of(), recorder.failures);
  }
}

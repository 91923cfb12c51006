package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.ChannelState;
import dev.quickwater.channel.HandlerContext;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Closing that lets the peer read our last message (RFC 9112 section 9.6).
abstract class LingerTests extends TransportTest {

  private static final Duration LONG = Duration.ofSeconds(20);

  @Test
  void peerThatIsStillSendingGetsTheWholeAnswer() throws Exception {
    byte[] answer = Payloads.bytes(0, 2 << 20);
    Channel server =
        listen(
            DEFAULT,
            channel -> channel.pipeline().addLast(new AnswersAndLeaves(answer, Long.MAX_VALUE)));
    Socket socket = rawConnect(server);
    Thread upload =
        Thread.ofPlatform()
            .start(() -> {
              try {
                for (int i = 0; i < 64; i++) {
                  socket.getOutputStream().write(new byte[64 << 10]);
                }
                socket.shutdownOutput();
              } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    assertArrayEquals(answer, socket.getInputStream().readAllBytes());
    upload.join();
  }

  private record AnswersAndLeaves(byte[] answer, long mostBytes) implements ChannelHandler {

    @Override
    public void channelRead(HandlerContext context, Object message) {
      ((ByteBuf) message).release();
      context.channel().pauseReading("test"); // lingering reads nevertheless
      context.write(ByteBuf.wrap(answer));
      context.channel().closeGracefully(LONG, mostBytes);
    }
  }

  @Test
  void endsWhenThePeerEnds() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    Socket socket = rawAccept(peer);
    channel.write(ByteBuf.utf8("bye"));
    channel.closeGracefully(LONG, 100);
    assertEquals("bye", new String(socket.getInputStream().readAllBytes()));
    assertEquals(ChannelState.LINGERING, channel.state());
    socket.getOutputStream().write("ignored".getBytes());
    socket.close();
    Recorder.await(recorder.inactive);
    assertEquals(0, recorder.received);
    assertTrue(recorder.failures.isEmpty());
  }

  @Test
  void endsAtTheLimit() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    rawAccept(peer);
    channel.closeGracefully(Duration.ofMillis(100), 100);
    Recorder.await(recorder.inactive);
  }

  @Test
  void endsWhenTooMuchWasDropped() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, recorder);
    Socket socket = rawAccept(peer);
    channel.closeGracefully(LONG, 1000);
    assertEquals(-1, socket.getInputStream().read());
    try {
      for (int i = 0; i < 10; i++) {
        socket.getOutputStream().write(new byte[1000]);
      }
    } catch (SocketException _) {
      // the peer has closed already
    }
    Recorder.await(recorder.inactive);
  }

  @Test
  void slowPeerHasTheStallTimeoutAndNotTheLimitToTakeTheAnswer() throws Exception {
    byte[] answer = Payloads.bytes(0, 8 << 20);
    AtomicReference<Channel> accepted = new AtomicReference<>();
    Channel server = listen(DEFAULT, accepted::set);
    Socket socket = rawConnect(server);
    eventually("the other end", () -> accepted.get() != null);
    Channel channel = accepted.get();
    channel.write(ByteBuf.wrap(answer));
    channel.closeGracefully(Duration.ofMillis(50), 0);
    // A turn of the loop long after the limit proves that nothing was closed.
    dev.quickwater.common.Promise<Void> later = channel.loop().newPromise();
    channel.loop().schedule(() -> later.success(null), Duration.ofMillis(200));
    await(later);
    InputStream in = socket.getInputStream();
    assertArrayEquals(answer, in.readAllBytes());
    await(channel.closeFuture());
  }

  @Test
  void peerThatTakesNothingRunsIntoTheStallTimeout() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel =
        connect(
            peer.getLocalSocketAddress(),
            DEFAULT.withStallTimeout(Duration.ofMillis(200)),
            recorder);
    rawAccept(peer);
    channel.write(ByteBuf.wrap(new byte[16 << 20]));
    channel.closeGracefully(LONG, 100);
    Recorder.await(recorder.inactive);
  }
}

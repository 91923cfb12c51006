package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelSettings;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Socket options behave the same on every transport.
abstract class OptionTests extends TransportTest {

  private static <T> T get(Channel channel, SocketOption<T> option) {
    return call(channel.loop(), () -> channel.getOption(option));
  }

  private static <T> void check(Channel channel, SocketOption<T> option, T value) {
    run(
        channel,
        () -> {
          try {
            channel.setOption(option, value);
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });
    assertEquals(value, get(channel, option), option.name());
  }

  @Test
  void valuesComeBackAsSet() throws Exception {
    ServerSocket peer = rawListen();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, new Recorder());
    assertEquals(true, get(channel, StandardSocketOptions.TCP_NODELAY));
    check(channel, StandardSocketOptions.TCP_NODELAY, false);
    check(channel, StandardSocketOptions.SO_KEEPALIVE, true);
    check(channel, StandardSocketOptions.SO_LINGER, 3);
    check(channel, StandardSocketOptions.SO_LINGER, -1);
    check(channel, StandardSocketOptions.SO_SNDBUF, 32 << 10);
    check(channel, StandardSocketOptions.SO_RCVBUF, 32 << 10);
    check(channel, StandardSocketOptions.SO_REUSEADDR, true);
    check(channel, StandardSocketOptions.IP_TOS, 0x10);
  }

  @Test
  void settingsReachAcceptedAndListeningSockets() throws Exception {
    AtomicReference<Channel> accepted = new AtomicReference<>();
    Channel server =
        listen(
            DEFAULT
                .withOption(StandardSocketOptions.SO_KEEPALIVE, true)
                .withOption(StandardSocketOptions.SO_RCVBUF, 16 << 10),
            accepted::set);
    rawConnect(server);
    eventually("the accepted end", () -> accepted.get() != null);
    assertTrue(get(accepted.get(), StandardSocketOptions.SO_KEEPALIVE));
    assertEquals(16 << 10, get(accepted.get(), StandardSocketOptions.SO_RCVBUF));
    assertEquals(16 << 10, get(server, StandardSocketOptions.SO_RCVBUF));
  }

  @Test
  void unknownOptionIsAnErrorOfTheCaller() throws Exception {
    ServerSocket peer = rawListen();
    Channel channel = connect(peer.getLocalSocketAddress(), DEFAULT, new Recorder());
    assertThrows(
        UnsupportedOperationException.class,
        () -> get(channel, StandardSocketOptions.IP_MULTICAST_LOOP));
  }

  /// The descriptor of the closed channel belongs to the next one.
  @Test
  void optionsOfAClosedChannelReachNoOther() throws Exception {
    ServerSocket peer = rawListen();
    Channel closed = connect(peer.getLocalSocketAddress(), DEFAULT, new Recorder());
    closed.close();
    await(closed.closeFuture());
    Channel next = connect(peer.getLocalSocketAddress(), DEFAULT, new Recorder());
    run(
        closed,
        () -> {
          assertThrows(
              ClosedChannelException.class,
              () -> closed.getOption(StandardSocketOptions.SO_LINGER));
          assertThrows(
              ClosedChannelException.class,
              () -> closed.setOption(StandardSocketOptions.SO_LINGER, 0));
        });
    assertEquals(-1, get(next, StandardSocketOptions.SO_LINGER));
  }

  /// Otherwise every accepted connection would be reset.
  @Test
  void listenAndConnectRefuseAnOptionThatConnectionsDoNotTake() throws Exception {
    ServerSocket peer = rawListen();
    ChannelSettings unsupported = DEFAULT.withOption(StandardSocketOptions.IP_MULTICAST_TTL, 1);
    UnsupportedOperationException listening =
        assertThrows(UnsupportedOperationException.class, () -> listen(unsupported, _ -> {}));
    assertTrue(listening.getMessage().contains("IP_MULTICAST_TTL"), listening.getMessage());
    UnsupportedOperationException connecting =
        assertThrows(
            UnsupportedOperationException.class,
            () -> connect(peer.getLocalSocketAddress(), unsupported, new Recorder()));
    assertTrue(connecting.getMessage().contains("IP_MULTICAST_TTL"), connecting.getMessage());
  }
}

package dev.quickwater.io.linux;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.io.posix.PeerCredentials;
import dev.quickwater.io.posix.RawSocketOption;
import dev.quickwater.io.posix.gate.Errno;
import dev.quickwater.io.posix.gate.NativeOrder;
import dev.quickwater.io.posix.gate.SocketConstants;
import dev.quickwater.io.posix.socket.OffLoopCalls;
import dev.quickwater.io.posix.socket.SocketKind;
import dev.quickwater.io.posix.socket.SocketOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Options on sockets of the real kernel: what is set is read back.
final class SocketOptionsTest {

  private final ScriptedKernel kernel = new ScriptedKernel();
  private EpollPoller poller;
  private int stream;
  private int datagram;

  @BeforeEach
  void open() throws IOException {
    poller = EpollPoller.open(kernel);
    stream = kernel.socket(SocketConstants.AF_INET6, SocketConstants.SOCK_STREAM, 0);
    datagram = kernel.socket(SocketConstants.AF_INET, SocketConstants.SOCK_DGRAM, 0);
  }

  @AfterEach
  void close() {
    kernel.close(stream);
    kernel.close(datagram);
    poller.close();
  }

  private <T> void keeps(int fd, SocketKind kind, SocketOption<T> option, T value)
      throws IOException {
    SocketOptions.set(poller.sockets(), fd, kind, option, value);
    assertEquals(value, SocketOptions.get(poller.sockets(), fd, kind, option), option.name());
  }

  private <T> void keepsTcp(SocketOption<T> option, T value) throws IOException {
    keeps(stream, SocketKind.STREAM, option, value);
  }

  @Test
  void optionsOfConnectionsAreReadBack() throws IOException {
    keepsTcp(StandardSocketOptions.TCP_NODELAY, true);
    keepsTcp(StandardSocketOptions.SO_KEEPALIVE, true);
    keepsTcp(StandardSocketOptions.SO_REUSEADDR, true);
    keepsTcp(StandardSocketOptions.SO_REUSEPORT, true);
    keepsTcp(StandardSocketOptions.SO_SNDBUF, 40_000);
    keepsTcp(StandardSocketOptions.SO_RCVBUF, 50_000);
    keepsTcp(StandardSocketOptions.SO_LINGER, 7);
    keepsTcp(StandardSocketOptions.SO_LINGER, -1);
    keepsTcp(StandardSocketOptions.IP_TOS, 0x10);
    keepsTcp(LinuxSocketOptions.TCP_NOTSENT_LOWAT, 16_384);
    keepsTcp(LinuxSocketOptions.TCP_USER_TIMEOUT, 30_000);
    keepsTcp(LinuxSocketOptions.TCP_KEEPIDLE, 60);
    keepsTcp(LinuxSocketOptions.TCP_KEEPINTVL, 10);
    keepsTcp(LinuxSocketOptions.TCP_KEEPCNT, 3);
    keepsTcp(LinuxSocketOptions.TCP_QUICKACK, false);
    keepsTcp(LinuxSocketOptions.TCP_CORK, true);
    keepsTcp(LinuxSocketOptions.TCP_FASTOPEN_CONNECT, true);
    keepsTcp(LinuxSocketOptions.TCP_CONGESTION, "reno");
    keepsTcp(LinuxSocketOptions.SO_INCOMING_CPU, 0);
    keepsTcp(LinuxSocketOptions.SO_PRIORITY, 5);
    keepsTcp(LinuxSocketOptions.IP_FREEBIND, true);
  }

  @Test
  void optionsOfListeningSocketsAreReadBack() throws IOException {
    keeps(stream, SocketKind.LISTENER, LinuxSocketOptions.TCP_FASTOPEN, 256);
    SocketOptions.set(
        poller.sockets(), stream, SocketKind.LISTENER, LinuxSocketOptions.TCP_DEFER_ACCEPT, 5);
    assertTrue(
        SocketOptions.get(
                poller.sockets(), stream, SocketKind.LISTENER, LinuxSocketOptions.TCP_DEFER_ACCEPT)
            >= 5);
  }

  @Test
  void optionsOfDatagramSocketsAreReadBack() throws IOException {
    keeps(datagram, SocketKind.DATAGRAM, StandardSocketOptions.SO_BROADCAST, true);
    keeps(datagram, SocketKind.DATAGRAM, StandardSocketOptions.IP_MULTICAST_TTL, 4);
    keeps(datagram, SocketKind.DATAGRAM, StandardSocketOptions.IP_MULTICAST_LOOP, false);
    keeps(datagram, SocketKind.DATAGRAM, LinuxSocketOptions.UDP_GRO, true);
    assertNull(
        SocketOptions.get(
            poller.sockets(),
            datagram,
            SocketKind.DATAGRAM,
            StandardSocketOptions.IP_MULTICAST_IF));
    NetworkInterface loopback =
        NetworkInterface.getByInetAddress(InetAddress.getByName("127.0.0.1"));
    keeps(datagram, SocketKind.DATAGRAM, StandardSocketOptions.IP_MULTICAST_IF, loopback);
    int six = kernel.socket(SocketConstants.AF_INET6, SocketConstants.SOCK_DGRAM, 0);
    keeps(six, SocketKind.DATAGRAM, StandardSocketOptions.IP_MULTICAST_IF, loopback);
    keeps(six, SocketKind.DATAGRAM, StandardSocketOptions.IP_MULTICAST_TTL, 9);
    kernel.close(six);
  }

  /// More than the system's limit needs a permission that a test may lack.
  @Test
  void busyPollingIsReadBackOrRefusedByName() throws IOException {
    try {
      keepsTcp(LinuxSocketOptions.SO_BUSY_POLL, 50);
    } catch (SocketException e) {
      assertEquals("socket option SO_BUSY_POLL: operation not permitted (EPERM)", e.getMessage());
    }
  }

  @Test
  void trafficClassIsThatOfBothProtocols() throws IOException {
    keepsTcp(StandardSocketOptions.IP_TOS, 0x28);
    RawSocketOption<Integer> six =
        RawSocketOption.ofInt("IPV6_TCLASS", SocketConstants.IPPROTO_IPV6, 67);
    assertEquals(0x28, SocketOptions.get(poller.sockets(), stream, SocketKind.STREAM, six));
  }

  @Test
  void anyOptionIsSetByItsNumbers() throws IOException {
    keepsTcp(RawSocketOption.ofInt("TCP_SYNCNT", SocketConstants.IPPROTO_TCP, 7), 3);
    RawSocketOption<byte[]> linger =
        RawSocketOption.ofBytes("linger", SocketConstants.SOL_SOCKET, 13, 8);
    byte[] value = {1, 0, 0, 0, 9, 0, 0, 0};
    SocketOptions.set(poller.sockets(), stream, SocketKind.STREAM, linger, value);
    assertArrayEquals(
        value, SocketOptions.get(poller.sockets(), stream, SocketKind.STREAM, linger));
    assertEquals(
        9,
        SocketOptions.get(
            poller.sockets(), stream, SocketKind.STREAM, StandardSocketOptions.SO_LINGER));
    assertThrows(IllegalArgumentException.class, () -> RawSocketOption.ofBytes("none", 0, 0, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> new RawSocketOption<>("short", Integer.class, 0, 0, Short.BYTES));
  }

  @Test
  void informationOfAConnectionIsPlausible() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        SocketChannel client = SocketChannel.open(server.getLocalSocketAddress());
        var accepted = server.accept()) {
      accepted.getOutputStream().write(new byte[1000]);
      int fd = descriptorOf(client);
      assertEquals(1000, client.socket().getInputStream().readNBytes(1000).length);
      TcpInfo info =
          SocketOptions.get(poller.sockets(), fd, SocketKind.STREAM, LinuxSocketOptions.TCP_INFO);
      assertNotNull(info);
      assertEquals(TcpInfo.State.ESTABLISHED, info.state());
      assertEquals(1000, info.traffic().received());
      assertTrue(info.roundTrip().smoothed().isPositive());
      assertTrue(info.roundTrip().minimum().compareTo(info.roundTrip().smoothed()) <= 0);
      assertTrue(info.window().segmentSize() > 500);
      assertTrue(info.window().congestion() > 0);
      assertEquals(0, info.loss().retransmissions());
      assertThrows(
          UnsupportedOperationException.class,
          () ->
              SocketOptions.set(
                  poller.sockets(), fd, SocketKind.STREAM, LinuxSocketOptions.TCP_INFO, info));
    }
  }

  /// The descriptor whose local port is the channel's.
  private int descriptorOf(SocketChannel channel) throws IOException {
    int port = channel.socket().getLocalPort();
    for (int fd = 0; fd < 1000; fd++) {
      if (OffLoopCalls.local(fd) instanceof InetSocketAddress local && local.getPort() == port) {
        return fd;
      }
    }
    throw new AssertionError("no descriptor has port " + port);
  }

  @Test
  void everyOptionHasAName() {
    for (SocketKind kind : SocketKind.values()) {
      assertTrue(LinuxOptions.TABLE.names(kind).contains("SO_RCVBUF"), kind.toString());
    }
  }

  // ---- refusals ----

  private static Map<SocketOption<?>, Object> of(SocketOption<?> option, Object value) {
    return new HashMap<>(Map.of(option, value));
  }

  private record Declared<T>(String name, Class<T> type) implements SocketOption<T> {}

  private static final SocketOption<Integer> UNKNOWN =
      new Declared<>("SO_UNHEARD_OF", Integer.class);

  @Test
  void optionThatAKindDoesNotTakeIsRefusedByName() {
    for (SocketOption<?> option :
        new SocketOption<?>[] {LinuxSocketOptions.TCP_FASTOPEN, UNKNOWN}) {
      UnsupportedOperationException e =
          assertThrows(
              UnsupportedOperationException.class,
              () -> LinuxOptions.TABLE.validate(SocketKind.STREAM, of(option, 1)));
      assertTrue(e.getMessage().contains(option.name()), e.getMessage());
    }
    assertThrows(
        UnsupportedOperationException.class,
        () ->
            LinuxOptions.TABLE.validate(
                SocketKind.UNIX_STREAM, of(StandardSocketOptions.TCP_NODELAY, true)));
    LinuxOptions.TABLE.validate(
        SocketKind.STREAM, of(RawSocketOption.ofInt("TCP_SYNCNT", 6, 7), 3));
  }

  @Test
  void valueOutOfRangeOrOfAnotherTypeIsRefusedByName() {
    assertEquals(
        "option TCP_KEEPIDLE is 0, expected 1 to 32767",
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    LinuxOptions.TABLE.validate(
                        SocketKind.STREAM, of(LinuxSocketOptions.TCP_KEEPIDLE, 0)))
            .getMessage());
    assertEquals(
        "option TCP_NODELAY takes a value of type Boolean, not 1",
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    LinuxOptions.TABLE.validate(
                        SocketKind.STREAM, of(StandardSocketOptions.TCP_NODELAY, 1)))
            .getMessage());
  }

  @Test
  void optionThatAProgramDeclaresWithAnotherTypeIsRefusedByName() {
    for (Object value : new Object[] {"1", 1L}) {
      for (String name : new String[] {"TCP_NODELAY", "SO_SNDBUF", "SO_LINGER"}) {
        SocketOption<?> option = new Declared<>(name, value.getClass());
        IllegalArgumentException e =
            assertThrows(
                IllegalArgumentException.class,
                () ->
                    SocketOptions.set(poller.sockets(), stream, SocketKind.STREAM, option, value));
        assertTrue(e.getMessage().startsWith("option " + name + " takes a "), e.getMessage());
      }
    }
  }

  @Test
  void optionOfAnotherKindIsNeitherSetNorRead() {
    assertThrows(
        UnsupportedOperationException.class,
        () ->
            SocketOptions.get(
                poller.sockets(),
                stream,
                SocketKind.STREAM,
                StandardSocketOptions.IP_MULTICAST_LOOP));
    assertThrows(
        UnsupportedOperationException.class,
        () ->
            SocketOptions.set(
                poller.sockets(),
                stream,
                SocketKind.STREAM,
                StandardSocketOptions.SO_BROADCAST,
                true));
  }

  private static ChannelSettings with(SocketOption<Integer> option, int value) {
    return ChannelSettings.DEFAULT.withOption(option, value);
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  @Test
  void listeningRefusesWhatItsConnectionsWouldNotTake() throws IOException {
    assertThrows(
        UnsupportedOperationException.class, () -> poller.listen(anyPort(), with(UNKNOWN, 1)));
    kernel.next("setsockopt", -Errno.ENOPROTOOPT);
    SocketException e =
        assertThrows(
            SocketException.class, () -> poller.listen(anyPort(), ChannelSettings.DEFAULT));
    assertEquals("socket option TCP_NODELAY: no such option (ENOPROTOOPT)", e.getMessage());
    poller.listen(anyPort(), with(LinuxSocketOptions.TCP_KEEPIDLE, 60)).close();
    poller.listen(anyPort(), with(LinuxSocketOptions.TCP_FASTOPEN, 16)).close();
  }

  @Test
  void connectingRefusesOptionsOfListeningSockets() throws IOException {
    assertThrows(
        UnsupportedOperationException.class,
        () -> poller.openStream(anyPort(), with(LinuxSocketOptions.TCP_FASTOPEN, 16)));
    poller.openStream(anyPort(), with(LinuxSocketOptions.TCP_KEEPIDLE, 60)).close();
  }

  @Test
  void peerOfAUnixSocketIsThisProcess() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      long pair = arena.allocate(8, 4).address();
      assertEquals(
          0, kernel.socketpair(SocketConstants.AF_UNIX, SocketConstants.SOCK_STREAM, 0, pair));
      int fd = NativeOrder.getInt(pair);
      PeerCredentials peer =
          SocketOptions.get(
              poller.sockets(), fd, SocketKind.UNIX_STREAM, LinuxSocketOptions.SO_PEERCRED);
      assertEquals(ProcessHandle.current().pid(), peer.processId());
      kernel.close(fd);
      kernel.close(NativeOrder.getInt(pair + 4));
    }
  }
}

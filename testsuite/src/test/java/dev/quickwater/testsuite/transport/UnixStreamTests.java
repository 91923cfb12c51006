package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.channel.ServerBootstrap;
import dev.quickwater.common.Future;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Behaviour that only Unix stream sockets have, on every transport.
abstract class UnixStreamTests extends TransportTest {

  private static final ChannelSettings UNIX = ChannelSettings.UNIX;

  final Future<Channel> listening(SocketAddress address, ChannelSettings settings) {
    return new ServerBootstrap(group, settings, _ -> {}).listen(address);
  }

  private Throwable refusalOf(SocketAddress address) throws Exception {
    return failureOf(listening(address, UNIX));
  }

  @Test
  void pathOfADeadSocketIsNamedAndKept() throws Exception {
    ServerSocket dead = rawListen();
    SocketAddress address = dead.getLocalSocketAddress();
    dead.close();
    Throwable cause = assertInstanceOf(BindException.class, refusalOf(address));
    assertTrue(cause.getMessage().contains(address.toString()), cause.getMessage());
    assertTrue(cause.getMessage().contains("no process listens"), cause.getMessage());
    Path path = ((UnixDomainSocketAddress) address).getPath();
    Files.delete(path); // it is still there
    keep(await(listening(address, UNIX)));
  }

  @Test
  void pathOfALivingSocketIsInUse() throws Exception {
    SocketAddress address = rawListen().getLocalSocketAddress();
    Throwable cause = assertInstanceOf(BindException.class, refusalOf(address));
    assertTrue(cause.getMessage().contains("another socket"), cause.getMessage());
  }

  @Test
  void pathOfAnotherFileIsRefusedAndKept() throws Exception {
    UnixDomainSocketAddress address = UnixPaths.free();
    Files.writeString(address.getPath(), "precious");
    Throwable cause = assertInstanceOf(BindException.class, refusalOf(address));
    assertTrue(cause.getMessage().contains("no socket"), cause.getMessage());
    assertEquals("precious", Files.readString(address.getPath()));
  }

  @Test
  void pathInAMissingFolderIsRefused() throws Exception {
    Path missing = UnixPaths.free().getPath().resolveSibling("missing").resolve("socket");
    Throwable cause =
        assertInstanceOf(IOException.class, refusalOf(UnixDomainSocketAddress.of(missing)));
    assertTrue(cause.getMessage().contains("missing"), cause.getMessage());
  }

  @Test
  void connectingToADeadSocketNamesThePath() throws Exception {
    ServerSocket dead = rawListen();
    SocketAddress address = dead.getLocalSocketAddress();
    dead.close();
    Throwable cause =
        assertInstanceOf(
            ConnectException.class, failureOf(connecting(address, UNIX, new Recorder())));
    assertTrue(cause.getMessage().contains(address.toString()), cause.getMessage());
  }

  @Test
  void tcpOptionsAreRefusedBeforeThereIsASocket() throws Exception {
    Throwable listen = failureOf(listening(UnixPaths.free(), ChannelSettings.DEFAULT));
    Throwable connect =
        failureOf(
            new ClientBootstrap(group, ChannelSettings.DEFAULT, _ -> {})
                .connect(rawListen().getLocalSocketAddress()));
    for (Throwable cause : List.of(listen, connect)) {
      assertInstanceOf(UnsupportedOperationException.class, cause);
      assertTrue(cause.getMessage().contains("TCP_NODELAY"), cause.getMessage());
      assertTrue(cause.getMessage().contains("ChannelSettings.UNIX"), cause.getMessage());
    }
  }

  @Test
  void clientThatIsBoundIsKnownByItsPath() throws Exception {
    AtomicReference<Channel> accepted = new AtomicReference<>();
    Channel server = listen(UNIX, accepted::set);
    SocketAddress mine = UnixPaths.free();
    Channel client =
        keep(await(new ClientBootstrap(group, UNIX, _ -> {}).connect(address(server), mine)));
    eventually("the accepted end", () -> accepted.get() != null);
    assertEquals(mine, client.localAddress());
    assertEquals(mine, accepted.get().remoteAddress());
  }

  @Test
  void peerThatClosesWithBytesUnreadResetsTheConnection() throws Exception {
    ServerSocket peer = rawListen();
    Recorder recorder = new Recorder();
    Channel channel = connect(peer.getLocalSocketAddress(), UNIX, recorder);
    Socket socket = rawAccept(peer);
    channel.writeAndFlush(ByteBuf.utf8("never read"));
    eventually("sent", () -> call(channel.loop(), channel::pendingBytes) == 0);
    socket.close();
    Recorder.await(recorder.inactive);
    assertEquals(List.of("active", "exception", "inactive"), recorder.events);
  }
}

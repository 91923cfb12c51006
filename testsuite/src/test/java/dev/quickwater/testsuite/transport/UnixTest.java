package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.channel.ServerBootstrap;
import dev.quickwater.common.Future;
import dev.quickwater.io.linux.LinuxSocketOptions;
import dev.quickwater.io.posix.PeerCredentials;
import dev.quickwater.util.net.AbstractUnixAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Behaviour that Unix stream sockets have only on epoll.
final class UnixTest extends TransportTest implements OnEpollUnix {

  private static final ChannelSettings UNIX = ChannelSettings.UNIX;

  static AbstractUnixAddress freeName() {
    return AbstractUnixAddress.of("quickwater test " + ThreadLocalRandom.current().nextLong());
  }

  @Test
  void abstractNameCarriesAConnection() throws Exception {
    AbstractUnixAddress name = freeName();
    AtomicReference<Channel> accepted = new AtomicReference<>();
    Channel server =
        keep(
            await(
                new ServerBootstrap(
                        group,
                        UNIX,
                        channel -> {
                          keep(channel);
                          channel.pipeline().addLast(new Echo());
                          accepted.set(channel);
                        })
                    .listen(name)));
    assertEquals(name, server.localAddress());
    Recorder recorder = new Recorder();
    Channel client = connect(name, UNIX, recorder);
    assertEquals(name, client.remoteAddress());
    client.writeAndFlush(ByteBuf.utf8("hello"));
    eventually("the echo", () -> recorder.text().equals("hello"));
    assertEquals(name, accepted.get().localAddress());
  }

  @Test
  void nioRefusesAbstractNamesClearly() throws Exception {
    try (EventLoopGroup nio = EventLoopGroup.create(new LoopSettings(1, "nio"))) {
      AbstractUnixAddress name = freeName();
      Throwable listen = failureOf(new ServerBootstrap(nio, UNIX, _ -> {}).listen(name));
      Throwable connect = failureOf(new ClientBootstrap(nio, UNIX, _ -> {}).connect(name));
      assertInstanceOf(UnsupportedOperationException.class, listen);
      assertInstanceOf(UnsupportedOperationException.class, connect);
      assertTrue(listen.getMessage().contains("abstract"), listen.getMessage());
    }
  }

  @Test
  void bothEndsReadTheProcessAndUserOfTheOther() throws Exception {
    AtomicReference<Channel> accepted = new AtomicReference<>();
    Channel server = listen(UNIX, accepted::set);
    Channel client = connect(server, UNIX, new Recorder());
    eventually("the accepted end", () -> accepted.get() != null);
    int user = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    int userGroup = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:gid");
    int process = (int) ProcessHandle.current().pid();
    for (Channel end : new Channel[] {client, accepted.get()}) {
      PeerCredentials peer = call(end.loop(), () -> end.getOption(LinuxSocketOptions.SO_PEERCRED));
      assertEquals(new PeerCredentials(process, user, userGroup), peer);
    }
  }

  @Test
  void connectWaitsUntilTheBacklogHasRoom() throws Exception {
    ServerSocket full = rawListen(1);
    SocketAddress address = full.getLocalSocketAddress();
    for (int i = 0; i < 2; i++) {
      connect(address, UNIX, new Recorder());
    }
    Future<Channel> waiting = connecting(address, UNIX, new Recorder());
    for (int i = 0; i < 20; i++) {
      for (var loop : group.loops()) {
        call(loop, () -> "a turn");
      }
    }
    assertFalse(waiting.isDone());
    track(full.accept());
    await(waiting);
  }
}

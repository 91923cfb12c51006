package dev.quickwater.channel;

import dev.quickwater.channel.invm.InVm;
import dev.quickwater.channel.spi.AcceptedSocket;
import dev.quickwater.common.Future;
import dev.quickwater.common.VirtualClock;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Two stepped loops of the test's thread, or one, with a listening in-VM channel on the first. The
/// test decides which loop takes the next step.
final class InVmPair implements AutoCloseable {

  final VirtualClock clock = new VirtualClock();
  final EventLoop serverLoop = EventLoop.stepped(new IdlePoller(), clock);
  final EventLoop clientLoop;
  final Channel listener;
  final InVmAddress address;

  private final ChannelSettings settings;
  private final ChannelHandler serverHandler;
  @Nullable Channel server;

  InVmPair(boolean oneLoop, ChannelSettings settings, ChannelHandler serverHandler)
      throws Exception {
    this.settings = settings;
    this.serverHandler = serverHandler;
    clientLoop = oneLoop ? serverLoop : EventLoop.stepped(new IdlePoller(), clock);
    serverLoop.step();
    clientLoop.step();
    listener =
        new Channel(
            serverLoop, InVm.listen(serverLoop.poller(), InVmAddress.any(), settings), settings);
    listener.core().register(channel -> channel.pipeline().addLast(new Accepting()));
    listener.core().listen();
    address = (InVmAddress) Objects.requireNonNull(listener.localAddress());
  }

  private final class Accepting implements ChannelHandler {
    @Override
    public void channelRead(HandlerContext context, Object message) throws Exception {
      server =
          Channel.open(
              serverLoop,
              ((AcceptedSocket) message).open(serverLoop.poller(), settings),
              settings,
              channel -> channel.pipeline().addLast(serverHandler));
    }
  }

  Future<Channel> connecting(ChannelHandler handler) {
    return new ClientBootstrap(clientLoop, settings, channel -> channel.pipeline().addLast(handler))
        .connect(address);
  }

  Channel connect(ChannelHandler handler) {
    Future<Channel> future = connecting(handler);
    run();
    return future.value();
  }

  Channel server() {
    return Objects.requireNonNull(server);
  }

  /// Steps both loops until neither has anything to do.
  void run() {
    int ran;
    do {
      ran = serverLoop.step() + clientLoop.step();
    } while (ran > 0);
  }

  List<EventLoop> loops() {
    return List.of(serverLoop, clientLoop);
  }

  @Override
  public void close() {
    run();
    clientLoop.endStepped();
    serverLoop.endStepped();
  }
}

package dev.quickwater.channel;

import dev.quickwater.channel.spi.AcceptedSocket;
import dev.quickwater.channel.spi.ChannelIo;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

/// Turns accepted sockets into channels of the group's loops.
///
/// When accepting fails, as it does while the process is out of descriptors, it rests for a moment
/// instead of spinning on the socket that stays readable; connections wait in the kernel's backlog
/// meanwhile.
final class Acceptor implements ChannelHandler {

  private static final System.Logger LOG = System.getLogger(Acceptor.class.getName());
  private static final Duration REST = Duration.ofMillis(100);

  private final EventLoopGroup group;
  private final ChannelSettings settings;
  private final ChannelInitializer initializer;
  private boolean failing;

  Acceptor(EventLoopGroup group, ChannelSettings settings, ChannelInitializer initializer) {
    this.group = group;
    this.settings = settings;
    this.initializer = initializer;
  }

  @Override
  public void channelRead(HandlerContext context, Object message) {
    AcceptedSocket socket = (AcceptedSocket) message;
    failing = false;
    EventLoop loop = group.next();
    if (loop == context.channel().loop()) {
      open(loop, socket);
      return;
    }
    try {
      loop.execute(() -> open(loop, socket));
    } catch (RejectedExecutionException _) {
      socket.close();
    }
  }

  private void open(EventLoop loop, AcceptedSocket socket) {
    ChannelIo io;
    try {
      io = socket.open(loop.poller(), settings);
    } catch (Throwable t) {
      LOG.log(System.Logger.Level.DEBUG, "an accepted connection could not be opened", t);
      return;
    }
    try {
      Channel.open(loop, io, settings, initializer);
    } catch (Throwable t) {
      LOG.log(System.Logger.Level.WARNING, "an accepted connection could not be set up", t);
    }
  }

  @Override
  public void exceptionCaught(HandlerContext context, Throwable cause) {
    Channel channel = context.channel();
    channel.pauseReading(PauseReason.BACKLOG);
    channel.loop().schedule(() -> channel.resumeReading(PauseReason.BACKLOG), REST);
    report(channel, cause);
  }

  /// Once a row of failures. A logger may want a descriptor when it is first used, and its own
  /// failure must not end the listening channel: it is tried again with the next one.
  private void report(Channel channel, Throwable cause) {
    if (!failing) {
      try {
        LOG.log(
            System.Logger.Level.WARNING,
            "accepting on " + channel.localAddress() + " fails; it is tried again",
            cause);
        failing = true;
      } catch (Throwable _) {
        // there is nobody to tell
      }
    }
  }
}

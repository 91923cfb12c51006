package dev.quickwater.channel;

import dev.quickwater.channel.spi.AcceptedSocket;
import dev.quickwater.channel.spi.ChannelIo;
import dev.quickwater.common.Task;
import java.time.Duration;

/// Turns accepted sockets into channels of the group's loops.
///
/// Accepting fails, for example, while the process is out of descriptors. The listening channel
/// then pauses for 100 ms, because its socket stays readable and the loop would spin. Connections
/// wait in the kernel's backlog meanwhile.
final class Acceptor implements ChannelHandler {

  private static final System.Logger LOG = System.getLogger(Acceptor.class.getName());
  private static final Duration RETRY_DELAY = Duration.ofMillis(100);

  private final EventLoops loops;
  private final ChannelSettings settings;
  private final ChannelInitializer initializer;
  private boolean failing;

  Acceptor(EventLoops loops, ChannelSettings settings, ChannelInitializer initializer) {
    this.loops = loops;
    this.settings = settings;
    this.initializer = initializer;
  }

  @Override
  public void channelRead(HandlerContext context, Object message) {
    AcceptedSocket socket = (AcceptedSocket) message;
    failing = false;
    EventLoop loop = loops.next();
    Open open = new Open(loop, socket);
    if (loop == context.channel().loop()) {
      open.run();
      return;
    }
    loop.executeOrAbandon(open);
  }

  private final class Open implements Task {
    private final EventLoop loop;
    private final AcceptedSocket socket;

    Open(EventLoop loop, AcceptedSocket socket) {
      this.loop = loop;
      this.socket = socket;
    }

    @Override
    public void run() {
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
    public void abandoned(Throwable cause) {
      socket.close();
    }
  }

  @Override
  public void exceptionCaught(HandlerContext context, Throwable cause) {
    Channel channel = context.channel();
    Pause pause = channel.pauseReading("accepting failed");
    channel.loop().schedule(pause::close, RETRY_DELAY);
    report(channel, cause);
  }

  /// Logs the first of a series of failures. A logger may need a descriptor when it is first used;
  /// its failure must not end the listening channel.
  private void report(Channel channel, Throwable cause) {
    if (!failing) {
      try {
        LOG.log(
            System.Logger.Level.WARNING,
            "accepting on " + channel.localAddress() + " fails; retrying",
            cause);
        failing = true;
      } catch (Throwable _) {
        // the next failure is reported
      }
    }
  }
}

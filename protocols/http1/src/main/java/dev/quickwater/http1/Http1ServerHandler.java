package dev.quickwater.http1;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.Pause;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.engine.ServerHandler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Connects the server's HTTP/1.1 engine to a channel.
///
/// One handler serves one channel. The channel must keep half-closed connections open. The handler
/// does not read from the peer while the queued bytes exceed the high water mark. After
/// [HttpExchange#tunnel] the handler passes the bytes of the tunnel to the handlers that follow it
/// in the pipeline, and removes itself.
///
/// [HttpExchange#tunnel]: dev.quickwater.http.HttpExchange#tunnel
@SuppressWarnings("exports") // the interface has no use outside of Quickwater
public final class Http1ServerHandler extends ConnectionHandler implements ServerHandler {

  private final Http1Settings settings;
  private final HttpHandler handler;
  private @Nullable ServerChannel io;
  private @Nullable ServerEngine engine;
  private @Nullable Pause backlog;

  /// A handler for one channel, whose requests go to `handler`.
  public Http1ServerHandler(Http1Settings settings, HttpHandler handler) {
    this.settings = settings;
    this.handler = handler;
  }

  @Override
  void attach(Channel channel) {
    ServerChannel effects = new ServerChannel(channel, this);
    io = effects;
    engine = new ServerEngine(settings, handler, effects, SharedParsers.of(channel.loop()));
  }

  @Override
  ServerEngine engine() {
    return Objects.requireNonNull(engine, "the handler is not in a pipeline");
  }

  @Override
  public void drain() {
    if (!channel().loop().inLoop()) {
      throw new IllegalStateException(
          "a connection is drained on its loop, " + channel().loop().name());
    }
    drainConnection();
  }

  @Override
  void writabilityChanged(Channel channel) {
    if (channel.isWritable()) {
      endBacklog();
      engine().writable();
    } else if (backlog == null) {
      backlog = channel.pauseReading("backlog");
    }
  }

  @Override
  void tunnelBegins() {
    endBacklog();
  }

  private void endBacklog() {
    if (backlog != null) {
      backlog.close();
      backlog = null;
    }
  }

  @Override
  void detached() {
    if (io != null) {
      io.cancelTimer();
    }
    endBacklog();
  }
}

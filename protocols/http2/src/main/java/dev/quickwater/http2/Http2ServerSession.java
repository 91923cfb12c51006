package dev.quickwater.http2;

import dev.quickwater.channel.EventLoop;
import dev.quickwater.http.HttpHandler;

/// The server's side of an [Http2Session].
public final class Http2ServerSession extends Http2Session {

  private final Http2ServerEngine engine;

  /// A session whose requests go to `handler`.
  public Http2ServerSession(
      Http2Settings settings, EventLoop loop, Output output, HttpHandler handler) {
    super(loop, output);
    this.engine = new Http2ServerEngine(settings, handler, io, null);
  }

  @Override
  Http2ServerEngine engine() {
    return engine;
  }
}

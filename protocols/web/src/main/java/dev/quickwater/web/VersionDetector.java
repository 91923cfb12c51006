package dev.quickwater.web;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http1.Http1ServerHandler;
import dev.quickwater.http2.Http2ServerHandler;
import dev.quickwater.http2.Http2Settings;
import org.jspecify.annotations.Nullable;

/// Chooses the version of HTTP by the first bytes of a connection. The preface of HTTP/2 (RFC 9113
/// section 3.4) is no valid request of HTTP/1.1.
///
/// It is in front of the handler of HTTP/1.1, whose deadlines hold from the beginning, and removes
/// itself with the first bytes that decide.
final class VersionDetector implements ChannelHandler {

  private final Http1ServerHandler http1;
  private final Http2Settings settings;
  private final HttpHandler handler;

  /// The bytes of an incomplete preface.
  private @Nullable ByteBuf begun;

  VersionDetector(Http1ServerHandler http1, Http2Settings settings, HttpHandler handler) {
    this.http1 = http1;
    this.settings = settings;
    this.handler = handler;
  }

  @Override
  public void channelRead(HandlerContext context, Object message) {
    ByteBuf bytes = joined(context, (ByteBuf) message);
    int matched = Http2ServerHandler.matchPreface(bytes);
    if (matched == 0) {
      begun = bytes;
      return;
    }
    if (matched > 0) {
      context.pipeline().replace(http1, null, new Http2ServerHandler(settings, handler));
    }
    context.fireChannelRead(bytes);
    context.pipeline().remove(this);
  }

  private ByteBuf joined(HandlerContext context, ByteBuf more) {
    @Nullable ByteBuf first = begun;
    if (first == null) {
      return more;
    }
    begun = null;
    try {
      ByteBuf all = context.allocator().allocate(first.readableBytes() + more.readableBytes());
      return all.writeBytes(first).writeBytes(more);
    } finally {
      first.release();
      more.release();
    }
  }

  @Override
  public void channelInputClosed(HandlerContext context) {
    @Nullable ByteBuf first = begun;
    begun = null;
    if (first != null) {
      context.fireChannelRead(first);
    }
    context.fireChannelInputClosed();
  }

  @Override
  public void handlerRemoved(HandlerContext context) {
    if (begun != null) {
      begun.release();
      begun = null;
    }
  }
}

package dev.quickwater.web;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import dev.quickwater.common.Timer;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http1.Http1ServerHandler;
import dev.quickwater.http2.BudgetTrips;
import dev.quickwater.http2.Http2ServerHandler;
import org.jspecify.annotations.Nullable;

/// Detects the version of HTTP by the first bytes of a connection. The preface of HTTP/2 (RFC 9113
/// section 3.4) is not a valid request of HTTP/1.1.
///
/// It precedes the HTTP/1.1 handler in the pipeline, so the deadlines of HTTP/1.1 apply until the
/// version is known. For HTTP/2 it replaces that handler. Then it removes itself. An incomplete
/// preface, which the HTTP/1.1 handler does not receive, must be complete within the time of a
/// head.
final class VersionDetector implements ChannelHandler {

  private final Http1ServerHandler http1;
  private final VersionSettings settings;
  private final HttpHandler handler;
  private final BudgetTrips trips;

  /// The bytes of an incomplete preface.
  private @Nullable ByteBuf begun;

  /// Closes a connection whose preface stays incomplete.
  private @Nullable Timer deadline;

  VersionDetector(
      Http1ServerHandler http1, VersionSettings settings, HttpHandler handler, BudgetTrips trips) {
    this.trips = trips;
    this.http1 = http1;
    this.settings = settings;
    this.handler = handler;
  }

  @Override
  public void channelRead(HandlerContext context, Object message) throws Exception {
    ByteBuf bytes = joined(context, (ByteBuf) message);
    int matched = Http2ServerHandler.matchPreface(bytes);
    if (matched == 0) {
      begun = bytes;
      if (deadline == null) {
        deadline =
            context.channel().loop().schedule(context::close, settings.http2().timeouts().head());
      }
      return;
    }
    if (matched > 0) {
      begun = bytes; // until the initializer has returned, which may throw
      context.pipeline().remove(http1);
      settings.http2Initializer().initialize(context.channel());
      context.pipeline().addLast(new Http2ServerHandler(settings.http2(), handler, trips));
      begun = null;
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
    if (deadline != null) {
      deadline.cancel();
    }
    if (begun != null) {
      begun.release();
      begun = null;
    }
  }
}

package dev.quickwater.microbench.e2e.server.http2;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;

/// Netty's handlers of an HTTP/2 connection in its fastest form.
public final class NettyHttp2Pipeline {

  private final NettyAnswers answers = new NettyAnswers();

  /// Called by the loop once a second.
  public void refreshDate() {
    answers.refreshDate();
  }

  /// Appends the handlers.
  public void addTo(ChannelPipeline pipeline) {
    pipeline.addLast(
        new FlushConsolidationHandler(
            FlushConsolidationHandler.DEFAULT_EXPLICIT_FLUSH_AFTER_FLUSHES, true),
        NettyConnectionHandler.create(answers));
  }
}

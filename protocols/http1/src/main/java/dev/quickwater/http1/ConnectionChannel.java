package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.engine.EngineChannel;
import org.jspecify.annotations.Nullable;

/// Performs the effects of an engine on a channel, and passes timers and tasks to the engine.
abstract sealed class ConnectionChannel extends EngineChannel implements ConnectionIo
    permits ServerChannel, ClientChannel {

  ConnectionChannel(Channel channel) {
    super(channel);
  }

  /// The handler of this side.
  abstract ConnectionHandler handler();

  @Override
  public final void tunnel(ChannelInitializer initializer, @Nullable ByteBuf rest) {
    holdInput(false);
    wakeAfter(NEVER);
    handler().tunnel(initializer, rest);
  }

  @Override
  public final HttpVersion version() {
    return handler().engine().version();
  }

  @Override
  protected final void flushDue() {
    handler().engine().flushDue();
  }

  @Override
  protected final void resume() {
    handler().engine().resume();
  }

  @Override
  protected final void timerFired() {
    handler().engine().timerFired();
  }

  @Override
  protected final void beginDrain() {
    handler().drainConnection();
  }
}

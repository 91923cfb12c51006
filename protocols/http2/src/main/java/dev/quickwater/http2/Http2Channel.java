package dev.quickwater.http2;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.common.Future;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.engine.EngineChannel;
import java.time.Duration;

/// Performs the effects of an engine on a channel, and passes timers and tasks to the engine.
abstract sealed class Http2Channel extends EngineChannel implements Http2Io, Http2Connection
    permits Http2ServerChannel, Http2ClientChannel {

  private boolean turnRequested;

  Http2Channel(Channel channel) {
    super(channel);
  }

  abstract Http2Engine engine();

  @Override
  public final boolean takeUnit() {
    return channel.loop().takeUnit(this);
  }

  @Override
  public final void resumeLater() {
    if (!turnRequested) { // frames and exchanges both may wait for the next turn
      turnRequested = true;
      channel.loop().defer(this::continueTurn);
    }
  }

  private void continueTurn() {
    turnRequested = false;
    engine().continueTurn();
  }

  @Override
  public final void closeGracefully(Duration limit, long maxBytes) {
    channel.closeGracefully(limit, maxBytes);
  }

  @Override
  public final ChannelSettings tunnelSettings() {
    return channel.settings().withHalfClose(true);
  }

  @Override
  public final HttpVersion version() {
    return HttpVersion.HTTP_2;
  }

  @Override
  public final Future<Http2Status> status() {
    return StatusReader.read(engine());
  }

  @Override
  protected final void flushDue() {
    engine().flushDue();
  }

  @Override
  protected final void resume() {
    engine().resume();
  }

  @Override
  protected final void timerFired() {
    engine().timerFired();
  }

  @Override
  protected final void beginDrain() {
    engine().drain();
  }
}

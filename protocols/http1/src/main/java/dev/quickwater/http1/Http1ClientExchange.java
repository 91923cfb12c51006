package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpConnection;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.engine.ClientSideExchange;

/// A client's request and its response on an HTTP/1.1 connection: forwards to the engine.
final class Http1ClientExchange extends ClientSideExchange {

  private final ClientEngine engine;

  Http1ClientExchange(ClientEngine engine, RequestHead request) {
    super(request);
    this.engine = engine;
  }

  @Override
  public EventLoop loop() {
    return engine.io().loop();
  }

  @Override
  public HttpConnection connection() {
    return engine.io().connection();
  }

  @Override
  protected ExchangeLimits defaultLimits() {
    return engine.settings().exchanges();
  }

  @Override
  protected void limitsChanged() {
    engine.limitsChanged(this);
  }

  @Override
  protected void bodyWanted() {
    engine.bodyWanted(this);
  }

  @Override
  protected boolean canTransmit() {
    return engine.isWritable(this);
  }

  @Override
  protected void transmitHead(long length) {
    engine.sendHead(this, length);
  }

  @Override
  protected void transmit(ByteBuf bytes) {
    engine.write(bytes);
  }

  @Override
  protected void transmitEnd(HttpHeaders trailers) {
    engine.endBody(trailers);
  }

  @Override
  protected void transmitFlush() {
    engine.flush();
  }

  @Override
  protected void transmitReset(ResetCode code) {
    engine.reset(this);
  }

  @Override
  protected void transmitTunnel(ChannelInitializer initializer) {
    engine.io().tunnel(initializer, engine.openTunnel(this));
  }

  @Override
  public void progressed() {
    engine.progressed(this);
  }

  @Override
  protected void finished() {
    engine.exchangeEnded(this);
  }
}

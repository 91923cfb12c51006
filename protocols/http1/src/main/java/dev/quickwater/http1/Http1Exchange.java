package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.FileRegion;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.Promise;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpConnection;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http.engine.ServerExchange;
import org.jspecify.annotations.Nullable;

/// A server's request and its response on an HTTP/1.1 connection: forwards to the engine.
final class Http1Exchange extends ServerExchange {

  private final ServerEngine engine;

  Http1Exchange(ServerEngine engine, RequestHead request) {
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
  protected boolean isDraining() {
    return engine.isDraining();
  }

  @Override
  protected void bodyWanted() {
    engine.bodyWanted(this);
  }

  @Override
  protected boolean canTransmit() {
    return engine.isWritable();
  }

  @Override
  protected void transmitInform(HttpStatus status, HttpHeaders headers) {
    engine.inform(status, headers);
  }

  @Override
  protected void transmitWhole(ResponseHead head, byte[] content) {
    engine.respond(head, content, hasBody(head));
  }

  @Override
  protected void transmitHead(ResponseHead head, boolean hasBody) {
    engine.respond(head, hasBody);
  }

  @Override
  protected void transmit(ByteBuf bytes) {
    engine.write(bytes);
  }

  @Override
  protected void transmit(FileRegion file, Promise<Void> sent) {
    engine.write(file, sent);
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
  protected @Nullable HttpException tunnelRefusal() {
    return WebSocketHandshake.refusal(request());
  }

  @Override
  protected void transmitReset(ResetCode code) {
    engine.reset(this);
  }

  @Override
  protected void transmitTunnel(HttpHeaders headers, ChannelInitializer initializer) {
    engine.io().tunnel(initializer, engine.openTunnel(this, headers));
  }

  @Override
  protected void finished() {
    engine.exchangeEnded(this);
  }
}

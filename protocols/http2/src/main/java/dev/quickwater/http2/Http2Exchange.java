package dev.quickwater.http2;

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

/// A server's request and its response on an HTTP/2 stream: forwards to the engine.
final class Http2Exchange extends ServerExchange {

  private final Http2ServerEngine engine;
  private final Stream stream;

  Http2Exchange(Http2ServerEngine engine, Stream stream, RequestHead request) {
    super(request);
    this.engine = engine;
    this.stream = stream;
  }

  @Override
  public EventLoop loop() {
    return engine.io.loop();
  }

  @Override
  public HttpConnection connection() {
    return engine.io.connection();
  }

  @Override
  protected ExchangeLimits defaultLimits() {
    return engine.settings.exchanges();
  }

  @Override
  protected boolean isDraining() {
    return engine.isDraining();
  }

  @Override
  protected void bodyWanted() {
    engine.bodyWanted(stream);
  }

  @Override
  protected boolean canTransmit() {
    return engine.bodiesOut.isWritable(stream);
  }

  @Override
  protected void writabilityAwaited() {
    engine.bodiesOut.writabilityAwaited(this);
  }

  @Override
  protected void transmitInform(HttpStatus status, HttpHeaders headers) {
    engine.inform(stream, status, headers);
  }

  @Override
  protected void transmitWhole(ResponseHead head, byte[] content) {
    engine.respond(stream, head, content, hasBody(head));
  }

  @Override
  protected void transmitHead(ResponseHead head, boolean hasBody) {
    engine.respond(stream, head, hasBody);
  }

  @Override
  protected void transmit(ByteBuf bytes) {
    engine.bodiesOut.write(stream, bytes);
  }

  @Override
  protected boolean canTransmitFiles() {
    return false;
  }

  @Override
  protected void transmit(FileRegion file, Promise<Void> sent) {
    file.release();
    throw new UnsupportedOperationException("files are sent as bytes");
  }

  @Override
  protected void transmitEnd(HttpHeaders trailers) {
    engine.bodiesOut.end(stream, trailers);
  }

  @Override
  protected void transmitFlush() {
    engine.flush();
  }

  @Override
  protected void transmitReset(ResetCode code) {
    engine.reset(stream, ErrorCode.of(code));
  }

  @Override
  public boolean acceptsPush() {
    return engine.pushes().refusal(stream) == null;
  }

  @Override
  public void push(RequestHead promised) {
    if (!loop().inLoop()) {
      throw new IllegalStateException("an exchange belongs to its loop, " + loop().name());
    }
    engine.pushes().promise(stream, request(), promised);
  }

  @Override
  protected @Nullable HttpException tunnelRefusal() {
    return ExtendedConnect.refusal(request());
  }

  @Override
  protected void transmitTunnel(HttpHeaders headers, ChannelInitializer initializer) {
    engine.tunnel(stream, headers, initializer);
  }

  @Override
  protected void finished() {
    engine.exchangeEnded(stream);
  }
}

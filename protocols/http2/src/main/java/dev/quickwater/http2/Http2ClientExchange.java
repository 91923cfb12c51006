package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.http.ExchangeLimits;
import dev.quickwater.http.HttpConnection;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.engine.ClientSideExchange;

/// A client's request and its response on an HTTP/2 stream: forwards to the engine.
final class Http2ClientExchange extends ClientSideExchange {

  private final Http2ClientEngine engine;
  private final Stream stream;

  /// The number of informational responses so far.
  byte informational;

  // Copies from the head of the request. When the response arrives, that head is rarely in the
  // processor's caches.
  final boolean isHead;
  final boolean opensTunnel;

  Http2ClientExchange(Http2ClientEngine engine, Stream stream, RequestHead request) {
    super(request);
    this.engine = engine;
    this.stream = stream;
    this.isHead = request.method() == HttpMethod.HEAD;
    this.opensTunnel = Http2ClientEngine.opensTunnel(request);
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
    engine.bodiesIn.wanted(stream);
  }

  @Override
  protected boolean canTransmit() {
    return !stream.continueAwaited && engine.bodiesOut.isWritable(stream);
  }

  @Override
  protected void writabilityAwaited() {
    engine.bodiesOut.writabilityAwaited(this);
  }

  @Override
  protected void transmitHead(long length) {
    engine.sendHead(stream, request(), length);
  }

  @Override
  protected void transmit(ByteBuf bytes) {
    engine.bodiesOut.write(stream, bytes);
  }

  @Override
  protected void transmitEnd(HttpHeaders trailers) {
    if (!opensTunnel) {
      engine.bodiesOut.end(stream, trailers);
    }
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
  protected void transmitTunnel(ChannelInitializer initializer) {
    engine.openTunnel(stream, initializer);
  }

  @Override
  public void progressed() {
    stream.progressed = engine.io.now();
  }

  @Override
  protected void finished() {
    engine.ended(stream);
  }
}

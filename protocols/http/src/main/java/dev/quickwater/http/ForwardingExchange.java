package dev.quickwater.http;

import dev.quickwater.buffer.FileRegion;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.common.AttributeKey;
import dev.quickwater.common.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// An exchange with another request, for filters that rewrite requests. Subclasses override
/// [#request] and [#requestBody] only; responses are changed with [#onRespond].
public abstract class ForwardingExchange implements HttpExchange {

  private final HttpExchange next;

  /// Forwards everything to `next`.
  protected ForwardingExchange(HttpExchange next) {
    this.next = next;
  }

  @Override
  public RequestHead request() {
    return next.request();
  }

  @Override
  public IncomingBody requestBody() {
    return next.requestBody();
  }

  @Override
  public boolean acceptsPush() {
    return next.acceptsPush();
  }

  @Override
  public void push(RequestHead request) {
    next.push(request);
  }

  @Override
  public final EventLoop loop() {
    return next.loop();
  }

  @Override
  public final void execute(Runnable task) {
    next.execute(task);
  }

  @Override
  public final HttpConnection connection() {
    return next.connection();
  }

  @Override
  public final <T> @Nullable T attribute(AttributeKey<T> key) {
    return next.attribute(key);
  }

  @Override
  public final <T> void attribute(AttributeKey<T> key, T value) {
    next.attribute(key, value);
  }

  @Override
  public final ExchangeLimits limits() {
    return next.limits();
  }

  @Override
  public final void limits(ExchangeLimits limits) {
    next.limits(limits);
  }

  @Override
  public final void reset(ResetCode code) {
    next.reset(code);
  }

  @Override
  public final void onDrain(Runnable action) {
    next.onDrain(action);
  }

  @Override
  public final void onEnd(Consumer<? super Outcome> action) {
    next.onEnd(action);
  }

  @Override
  public final void inform(HttpStatus status, HttpHeaders headers) {
    next.inform(status, headers);
  }

  @Override
  public final void respond(HttpResponse whole) {
    next.respond(whole);
  }

  @Override
  public final OutgoingBody respond(ResponseHead head) {
    return next.respond(head);
  }

  @Override
  public final void respond(ResponseHead head, FileRegion file) {
    next.respond(head, file);
  }

  @Override
  public final void respond(Future<HttpResponse> later) {
    next.respond(later);
  }

  @Override
  public final void fail(Throwable cause) {
    next.fail(cause);
  }

  @Override
  public final void onRespond(ResponseTransform transform) {
    next.onRespond(transform);
  }

  @Override
  public final void onFail(Function<? super Throwable, ? extends @Nullable HttpResponse> mapping) {
    next.onFail(mapping);
  }

  @Override
  public final void tunnel(HttpHeaders headers, ChannelInitializer initializer) {
    next.tunnel(headers, initializer);
  }
}

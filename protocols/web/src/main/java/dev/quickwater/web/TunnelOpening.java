package dev.quickwater.web;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelInitializer;
import dev.quickwater.common.Future;
import dev.quickwater.common.Promise;
import dev.quickwater.http.Authority;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.ExchangeEndedException;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResetCode;
import dev.quickwater.http.ResponseHead;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A CONNECT request until its tunnel is a channel. Loop only.
final class TunnelOpening {

  private final Authority proxy;
  private final RequestHead head;
  private final ChannelInitializer initializer;
  private final Promise<Channel> promise;
  private @Nullable Channel channel;

  TunnelOpening(
      Authority proxy, RequestHead head, ChannelInitializer initializer, Promise<Channel> promise) {
    this.proxy = proxy;
    this.head = head;
    this.initializer = initializer;
    this.promise = promise;
  }

  void start(LoopPool pool) {
    Promise<ClientExchange> opening = pool.loop().newPromise();
    promise.onComplete(done -> {
      if (!done.isSuccess()) {
        opening.cancel();
      }
    });
    opening.onComplete(this::opened);
    pool.acquire(head, opening);
  }

  private void opened(Future<ClientExchange> opening) {
    if (!opening.isSuccess()) {
      if (opening.cause() != null) {
        promise.tryFailure(opening.cause());
      }
      return;
    }
    ClientExchange exchange = opening.value();
    promise.onComplete(done -> {
      if (!done.isSuccess()) {
        exchange.reset(ResetCode.CANCEL); // no effect after the end
      }
    });
    exchange.onEnd(outcome -> {
      if (channel == null) {
        promise.tryFailure(new ExchangeEndedException(outcome));
      }
    });
    exchange.onResponse(response -> answered(exchange, response));
  }

  private void answered(ClientExchange exchange, ResponseHead response) {
    if (!exchange.isTunnel()) {
      Authority target = Objects.requireNonNull(head.authority());
      promise.tryFailure(new TunnelRefusedException(proxy, target, response));
      return;
    }
    exchange.tunnel(made -> {
      channel = made;
      initializer.initialize(made);
    });
    @Nullable Channel made = channel;
    if (made != null && !promise.trySuccess(made)) {
      made.close();
    }
  }
}

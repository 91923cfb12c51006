package dev.quickwater.microbench.e2e.client;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.EventLoop;
import dev.quickwater.channel.EventLoopGroup;
import dev.quickwater.channel.LoopSettings;
import dev.quickwater.common.Future;
import dev.quickwater.http.Authority;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.ClientConnection;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.web.HttpClient;
import dev.quickwater.web.HttpClientSettings;
import dev.quickwater.web.HttpClientSettings.PoolLimits;
import dev.quickwater.web.VersionSettings;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// `HttpClient` with its defaults, through its pool or on connections outside of it.
final class QuickwaterClient {

  private final Load load;
  private final Authority authority;
  private final Meter meter;
  private final Function<RequestHead, Future<ClientExchange>> requests;

  private QuickwaterClient(
      Load load, Meter meter, Function<RequestHead, Future<ClientExchange>> requests) {
    this.load = load;
    authority = authority(load);
    this.meter = meter;
    this.requests = requests;
  }

  /// Arguments: those of [Load], then `pool` or `connection`.
  public static void main(String[] args) throws Exception {
    Load load = Load.of(args);
    Meter meter = new Meter(load);
    LoopSettings loops = new LoopSettings(1, "epoll");
    EventLoop loop = EventLoopGroup.create(loops).next();
    HttpClientSettings settings = HttpClientSettings.DEFAULT.withLoops(loops);
    if (load.http2()) {
      settings =
          settings.withVersions(VersionSettings.DEFAULT.with(VersionSettings.Versions.HTTP_2));
    }
    PoolLimits pool = settings.pool();
    HttpClient client =
        HttpClient.create(
                settings.withPool(
                    new PoolLimits(load.connections(), pool.maxWaiting(), pool.waitTimeout())))
            .on(loop);
    for (int i = 0; i < load.connections(); i++) {
      Function<RequestHead, Future<ClientExchange>> requests = client::open;
      if (args[args.length - 1].equals("connection")) {
        ClientConnection connection = client.connect(loop, "http", authority(load)).await();
        requests = connection::open;
      }
      QuickwaterClient one = new QuickwaterClient(load, meter, requests);
      loop.execute(() -> {
        for (int stream = 0; stream < load.streams(); stream++) {
          one.new Call().next();
        }
      });
    }
    meter.report();
  }

  private static Authority authority(Load load) {
    return new Authority(Load.HOST, load.port());
  }

  /// One request after another.
  private final class Call implements BodyReader, Consumer<ResponseHead> {
    private final Consumer<Future<ClientExchange>> opened = this::opened;
    private @Nullable ClientExchange exchange;
    private int status;
    private long length;

    void next() {
      RequestHead head =
          RequestHead.builder(HttpMethod.GET, load.path())
              .authority(authority)
              .add(HeaderName.USER_AGENT, Load.USER_AGENT)
              .add(HeaderName.ACCEPT, Load.ACCEPT)
              .build();
      var _ = requests.apply(head).onComplete(opened);
    }

    private void opened(Future<ClientExchange> future) {
      if (!future.isSuccess()) {
        meter.fail(Objects.requireNonNull(future.cause()));
        return;
      }
      exchange = future.value();
      exchange.onResponse(this);
    }

    @Override
    public void accept(ResponseHead head) {
      status = head.status().code();
      length = 0;
      read();
    }

    @Override
    public void data(ByteBuf bytes) {
      length += bytes.readableBytes();
      bytes.release();
      read();
    }

    private void read() {
      Objects.requireNonNull(exchange).responseBody().read(this);
    }

    @Override
    public void end(HttpHeaders trailers) {
      meter.response(status, length);
      next();
    }

    @Override
    public void failed(Exception cause) {
      meter.fail(cause);
    }
  }
}

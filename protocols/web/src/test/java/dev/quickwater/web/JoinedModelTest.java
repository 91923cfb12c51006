package dev.quickwater.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.ClientBootstrap;
import dev.quickwater.channel.InVmAddress;
import dev.quickwater.channel.ServerBootstrap;
import dev.quickwater.channel.embedded.EmbeddedChannel;
import dev.quickwater.common.Future;
import dev.quickwater.http.ClientExchange;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.engine.ClientHandler;
import dev.quickwater.http.engine.ServerHandler;
import dev.quickwater.http1.Http1ClientHandler;
import dev.quickwater.http1.Http1ServerHandler;
import dev.quickwater.http1.Http1Settings;
import dev.quickwater.http2.Http2ClientHandler;
import dev.quickwater.http2.Http2ServerHandler;
import dev.quickwater.http2.Http2Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Our client and our server, joined by the in-VM transport in virtual time, against a model
/// ([ModelExchange]): random exchanges with bodies, informational and early responses, pauses,
/// aborts on either side, and several exchanges that wait for one connection. Each exchange ends
/// once on both sides, complete bodies equal the sent bytes, and no buffer is left. A run prints
/// its seed; `-Dseed=N` repeats it.
final class JoinedModelTest {

  private static final Logger QUIET = Logger.getLogger("dev.quickwater.http");
  private static final Logger QUIET_1 = Logger.getLogger("dev.quickwater.http1");
  private static final Logger QUIET_2 = Logger.getLogger("dev.quickwater.http2");

  static {
    QUIET.setLevel(Level.OFF); // faults are provoked by the thousand
    QUIET_1.setLevel(Level.OFF);
    QUIET_2.setLevel(Level.OFF);
  }

  private static final int EXCHANGES_OF_A_LOOP = 1000;
  private static final int PARTS = 20;
  private static final ChannelSettings CHANNEL = ChannelSettings.DEFAULT.withHalfClose(true);

  private final List<ModelExchange> exchanges = new ArrayList<>();
  private HttpVersion version = HttpVersion.HTTP_1_1;
  private int completed;

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void randomExchangesEndAsTheModelSays(HttpVersion version) {
    run(version, 20_000, Long.getLong("seed", new Random().nextLong()));
  }

  /// The parts of a million exchanges in each version: a seed for each part, so that a failure can
  /// be repeated by its part alone.
  static Stream<Arguments> million() {
    long first = Long.getLong("seed", new Random().nextLong());
    return Stream.of(HttpVersion.HTTP_1_1, HttpVersion.HTTP_2)
        .flatMap(version ->
            LongStream.range(0, PARTS).mapToObj(part -> Arguments.of(version, first + part)));
  }

  @ParameterizedTest
  @MethodSource("million")
  @Tag("full")
  void millionRandomExchangesEndAsTheModelSays(HttpVersion version, long seed) {
    run(version, 1_000_000 / PARTS, seed);
  }

  private void run(HttpVersion of, int count, long seed) {
    version = of;
    System.out.println(count + " random exchanges, seed " + seed);
    Random random = new Random(seed);
    int done = 0;
    while (done < count) {
      done += oneLoop(random, "seed " + seed + ", exchange ");
    }
    System.out.println(completed + " of " + done + " were completed");
    assertTrue(completed > done / 3, completed + " of " + done + " were completed");
    assertTrue(completed < done, "no exchange was aborted");
  }

  private int oneLoop(Random random, String where) {
    exchanges.clear();
    EmbeddedChannel host = new EmbeddedChannel();
    @Nullable ClientHandler client = null;
    while (exchanges.size() < EXCHANGES_OF_A_LOOP) {
      if (client == null || client.isClosed()) {
        client = connect(host);
      }
      List<ModelExchange> batch = new ArrayList<>();
      for (int i = random.nextInt(version == HttpVersion.HTTP_2 ? 20 : 4); i >= 0; i--) {
        batch.add(open(random, client));
      }
      await(host, batch, where);
      for (ModelExchange each : batch) {
        each.check(where + each.number());
        completed += each.isCompleted() ? 1 : 0;
      }
    }
    Objects.requireNonNull(client).connection().close();
    host.runTasks();
    assertEquals(0, host.loop().allocator().metrics().used(), where + " bytes still held");
    host.close();
    return exchanges.size();
  }

  private ClientHandler connect(EmbeddedChannel host) {
    Future<Channel> listener =
        new ServerBootstrap(host.loop(), CHANNEL, channel -> channel.pipeline().addLast(server()))
            .listen(InVmAddress.any());
    host.runTasks();
    ClientHandler client =
        version == HttpVersion.HTTP_2
            ? new Http2ClientHandler(Http2Settings.DEFAULT)
            : new Http1ClientHandler(Http1Settings.DEFAULT);
    new ClientBootstrap(host.loop(), CHANNEL, channel -> channel.pipeline().addLast(client))
        .connect(Objects.requireNonNull(listener.value().localAddress()));
    host.runTasks();
    listener.value().close();
    host.runTasks();
    return client;
  }

  private ServerHandler server() {
    HttpHandler handler =
        x -> exchanges.get(Integer.parseInt(x.request().path().substring(1))).serve(x);
    return version == HttpVersion.HTTP_2
        ? new Http2ServerHandler(Http2Settings.DEFAULT, handler)
        : new Http1ServerHandler(Http1Settings.DEFAULT, handler);
  }

  private ModelExchange open(Random random, ClientHandler client) {
    ModelExchange next = new ModelExchange(exchanges.size(), version, random);
    exchanges.add(next);
    RequestHead head = next.requestHead();
    Future<ClientExchange> opened = client.connection().open(head);
    opened.onComplete(f -> {
      next.opened();
      if (f.isSuccess()) {
        next.begin(f.value());
      }
    });
    return next;
  }

  /// Lets time pass until the exchanges are over; every delay of the model is below a second.
  private static void await(EmbeddedChannel host, List<ModelExchange> batch, String where) {
    host.runTasks();
    for (int i = 0; batch.stream().anyMatch(x -> !x.isOver()); i++) {
      assertTrue(i < 300, where + batch.stream().filter(x -> !x.isOver()).toList());
      host.advance(i < 100 ? Duration.ofMillis(50) : Duration.ofSeconds(2));
    }
  }
}

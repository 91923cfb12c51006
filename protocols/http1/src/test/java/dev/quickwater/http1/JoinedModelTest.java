package dev.quickwater.http1;

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
import dev.quickwater.http.RequestHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A client and a server of our own, joined by the in-VM transport in virtual time, against a model
/// ([ModelExchange]): random exchanges with bodies, informational and early responses, pauses,
/// aborts on either side, and several exchanges that wait for one connection. Each exchange ends
/// once on both sides, what is complete equals what was sent, and no buffer is left. A run prints
/// its seed; `-Dseed=N` repeats it.
final class JoinedModelTest {

  private static final Logger QUIET = Logger.getLogger("dev.quickwater.http");
  private static final Logger QUIET_1 = Logger.getLogger("dev.quickwater.http1");

  static {
    QUIET.setLevel(Level.OFF); // faults are provoked by the thousand
    QUIET_1.setLevel(Level.OFF);
  }

  private static final int MAX_AT_ONCE = 4;
  private static final int EXCHANGES_OF_A_LOOP = 1000;
  private static final ChannelSettings CHANNEL = ChannelSettings.DEFAULT.withHalfClose(true);

  private final List<ModelExchange> exchanges = new ArrayList<>();
  private int completed;

  @Test
  void randomExchangesEndAsTheModelSays() {
    run(20_000);
  }

  @Test
  @Tag("full")
  void millionRandomExchangesEndAsTheModelSays() {
    run(1_000_000);
  }

  private void run(int count) {
    long seed = Long.getLong("seed", new Random().nextLong());
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
    @Nullable Http1ClientHandler client = null;
    while (exchanges.size() < EXCHANGES_OF_A_LOOP) {
      if (client == null || client.isClosed()) {
        client = connect(host);
      }
      List<ModelExchange> batch = new ArrayList<>();
      for (int i = random.nextInt(MAX_AT_ONCE); i >= 0; i--) {
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

  private Http1ClientHandler connect(EmbeddedChannel host) {
    Future<Channel> listener =
        new ServerBootstrap(
                host.loop(),
                CHANNEL,
                channel ->
                    channel
                        .pipeline()
                        .addLast(
                            new Http1ServerHandler(
                                Http1Settings.DEFAULT,
                                x -> {
                                  String path = x.request().path();
                                  exchanges.get(Integer.parseInt(path.substring(1))).serve(x);
                                })))
            .listen(InVmAddress.any());
    host.runTasks();
    Http1ClientHandler client = new Http1ClientHandler(Http1Settings.DEFAULT);
    new ClientBootstrap(host.loop(), CHANNEL, channel -> channel.pipeline().addLast(client))
        .connect(Objects.requireNonNull(listener.value().localAddress()));
    host.runTasks();
    listener.value().close();
    host.runTasks();
    return client;
  }

  private ModelExchange open(Random random, Http1ClientHandler client) {
    ModelExchange next = new ModelExchange(exchanges.size(), random);
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

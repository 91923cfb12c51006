package dev.quickwater.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.common.ExecutorState;
import dev.quickwater.common.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random writes, flushes, pauses, ends and closes of both ends of an in-VM connection, with the
/// steps of the two loops in any order.
///
/// In every order: each message has exactly one owner at the end, messages arrive in order, each
/// promise ends, a message whose promise succeeded arrives unless its receiver has closed, and
/// nothing is counted any more.
final class InVmInterleavingTest {

  private static final ChannelSettings SETTINGS = ChannelSettings.DEFAULT.withWaterMarks(200, 500);

  /// A message that knows how often its ownership has ended.
  private static final class Item implements AutoCloseable {
    final int number;
    final @Nullable Promise<Void> promise;
    int received;
    int released;

    Item(int number, @Nullable Promise<Void> promise) {
      this.number = number;
      this.promise = promise;
    }

    @Override
    public void close() {
      released++;
    }
  }

  /// One end: what it has written and received.
  private static final class End implements ChannelHandler {

    final List<Pause> pauses = new ArrayList<>();
    final List<Item> written = new ArrayList<>();
    int next;
    int inCall;
    boolean nested;
    boolean finishing;

    /// It discards what comes in from here on.
    boolean lingers;

    boolean inOrder = true;
    final Random seed;

    End(Random seed) {

      this.seed = seed;
    }

    @Override
    public void channelRead(HandlerContext context, Object message) {
      Item item = (Item) message;
      item.received++;
      inOrder &= item.number >= next;
      nested |= inCall++ > 0;
      next = item.number + 1;
      if (seed.nextInt(8) == 0) {
        act(context.channel());
      }
      inCall--;
    }

    void act(Channel channel) {
      if (finishing) {
        return;
      }
      switch (seed.nextInt(20)) {
        case 0, 1, 2, 3, 4, 5, 6 -> write(channel);
        case 7, 8, 9 -> channel.flush();
        case 10, 11 -> {
          write(channel);
          channel.flush();
        }
        case 12 -> pauses.add(channel.pauseReading("test"));
        case 13, 14 -> resume();
        case 15 -> cancelOne();
        default -> rarely(channel);
      }
    }

    void resume() {
      pauses.forEach(Pause::close);
      pauses.clear();
    }

    private void cancelOne() {
      if (!written.isEmpty() && written.getLast().promise != null) {
        written.getLast().promise.cancel();
      }
    }

    private void rarely(Channel channel) {
      switch (seed.nextInt(60)) {
        case 0 -> channel.shutdownOutput();
        case 1 -> channel.close();
        case 2 -> {
          lingers = true;
          channel.closeGracefully(Duration.ofSeconds(1), 1000);
        }
        case 3 -> {
          lingers = true;
          channel.closeAfterFlush();
        }
        default -> channel.flush();
      }
    }

    private void write(Channel channel) {
      Item item = new Item(written.size(), seed.nextBoolean() ? channel.loop().newPromise() : null);
      written.add(item);
      channel.write(item, item.promise);
    }

    @Override
    public void exceptionCaught(HandlerContext context, Throwable cause) {}
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyMessageHasOneOwnerAndEveryPromiseEnds(boolean oneLoop) throws Exception {
    for (int seed = 0; seed < 3000; seed++) {
      try {
        check(oneLoop, new Random(seed));
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  private static void check(boolean oneLoop, Random random) throws Exception {
    End serverEnd = new End(random);
    End clientEnd = new End(random);
    Channel client;
    Channel server;
    try (InVmPair pair =
        new InVmPair(oneLoop, SETTINGS.withHalfClose(random.nextBoolean()), serverEnd)) {
      client = pair.connect(clientEnd);
      server = pair.server();
      for (int i = random.nextInt(300); i > 0; i--) {
        step(pair, serverEnd, server, clientEnd, client, random);
      }
      if (random.nextBoolean()) {
        serverEnd.finishing = true;
        clientEnd.finishing = true;
        serverEnd.resume();
        clientEnd.resume();
        finish(pair, server, client);
        if (!clientEnd.lingers) {
          assertComplete(serverEnd, client);
        }
        if (!serverEnd.lingers) {
          assertComplete(clientEnd, server);
        }
      }
    }
    assertOwned(serverEnd);
    assertOwned(clientEnd);
    for (Channel channel : List.of(server, client)) {
      assertEquals(ChannelState.CLOSED, channel.state());
      assertEquals(0, channel.core().account().pending());
      assertEquals(0, channel.loop().metrics().channels());
      assertTrue(channel.closeFuture().isSuccess());
    }
  }

  private static void step(
      InVmPair pair, End serverEnd, Channel server, End clientEnd, Channel client, Random random) {
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> onLoop(pair.serverLoop, () -> serverEnd.act(server));
      case 4, 5, 6, 7 -> onLoop(pair.clientLoop, () -> clientEnd.act(client));
      case 8, 9 -> pair.serverLoop.step();
      case 10 -> pair.clientLoop.step();
      default -> {
        if (random.nextInt(200) == 0) {
          pair.loops().get(random.nextInt(2)).shutdown(Duration.ZERO);
        }
      }
    }
  }

  /// As a task of the loop's next step, unless the loop is ending.
  private static void onLoop(EventLoop loop, Runnable action) {
    if (loop.state() == ExecutorState.RUNNING) {
      loop.execute(action);
    }
  }

  /// Lets both ends read and send what they have.
  private static void finish(InVmPair pair, Channel server, Channel client) {
    for (Channel channel : List.of(server, client)) {
      channel.flush();
    }
    pair.run();
  }

  /// What was sent has arrived, unless the receiver has closed before.
  private static void assertComplete(End from, Channel receiver) {
    @Nullable Outcome outcome = receiver.outcome();
    if (outcome != null && outcome.kind() != Outcome.Kind.PEER_ENDED) {
      return;
    }
    for (Item item : from.written) {
      if (item.promise != null && item.promise.isSuccess()) {
        assertEquals(1, item.received, "message " + item.number + " at " + receiver + outcome);
      }
    }
  }

  private static void assertOwned(End end) {
    assertTrue(end.inOrder, "order");
    assertFalse(end.nested, "an event inside the call of a handler");
    for (Item item : end.written) {
      assertEquals(1, item.received + item.released, "owners of message " + item.number);
      if (item.promise != null) {
        assertTrue(item.promise.isDone(), "promise of message " + item.number);
      }
    }
  }
}

package dev.quickwater.testsuite.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.channel.Channel;
import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.common.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// Bytes arrive completely, in order, and without a stop.
abstract class EchoTests extends TransportTest {

  private static final ChannelSettings SMALL_MARKS = DEFAULT.withWaterMarks(4 << 10, 8 << 10);

  @Test
  void bytesComeBack() throws Exception {
    Channel server = listen(DEFAULT, channel -> channel.pipeline().addLast(new Echo()));
    Recorder recorder = new Recorder();
    Channel client = connect(server, DEFAULT, recorder);
    client.writeAndFlush(ByteBuf.utf8("hello"));
    eventually("the echo", () -> recorder.received == 5);
    assertEquals("hello", recorder.text());
  }

  @Test
  void payloadsOfEveryKindArriveAsOneStream() throws Exception {
    Channel server = listen(DEFAULT, channel -> channel.pipeline().addLast(new Echo()));
    StreamCheck check = new StreamCheck();
    Channel client = connect(server, DEFAULT, check);
    Random random = new Random(42);
    long sent = 0;
    for (int i = 0; i < 2000; i++) {
      int length = random.nextInt(10) == 0 ? random.nextInt(60_000) : random.nextInt(300);
      client.write(Payloads.any(random, sent, length));
      sent += length;
      if (random.nextInt(20) == 0) {
        client.flush();
      }
    }
    client.flush();
    long all = sent;
    eventually("all of " + all, () -> check.received == all);
    assertNull(check.wrong);
  }

  @Test
  void moreSmallBuffersThanOneGatheringWriteTakes() throws Exception {
    Channel server = listen(DEFAULT, channel -> channel.pipeline().addLast(new Echo()));
    StreamCheck check = new StreamCheck();
    Channel client = connect(server, DEFAULT, check);
    run(
        client,
        () -> {
          for (int i = 0; i < 5000; i++) {
            client.write(Payloads.allocated(client.loop().allocator(), i * 3L, 3));
          }
          client.flush();
        });
    eventually("15000 bytes", () -> check.received == 15_000);
    assertNull(check.wrong);
  }

  @Test
  void promisesEndInTheOrderOfTheirWrites() throws Exception {
    Channel server = listen(DEFAULT, channel -> channel.pipeline().addLast(new Echo()));
    Channel client = connect(server, DEFAULT, new StreamCheck());
    List<Integer> ended = new CopyOnWriteArrayList<>();
    List<Promise<Void>> promises = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      int number = i;
      Promise<Void> promise = client.loop().newPromise();
      promise.onComplete(_ -> ended.add(number));
      promises.add(promise);
      client.write(Payloads.wrapped(0, i % 7 * 1000), promise);
    }
    client.flush();
    for (Promise<Void> promise : promises) {
      await(promise);
    }
    eventually("all listeners", () -> ended.size() == 200);
    for (int i = 0; i < 200; i++) {
      assertEquals(i, ended.get(i));
    }
  }

  @Test
  void emptyBuffersEndWithoutTheKernel() throws Exception {
    Channel server = listen(DEFAULT, _ -> {});
    Channel client = connect(server, DEFAULT, new Recorder());
    Promise<Void> alone = client.loop().newPromise();
    client.writeAndFlush(ByteBuf.wrap(), alone);
    await(alone);
    Promise<Void> between = client.loop().newPromise();
    client.write(ByteBuf.utf8("a"));
    client.write(ByteBuf.wrap(), between);
    client.writeAndFlush(ByteBuf.utf8("b"));
    await(between);
  }

  @Test
  void threadsThatWriteAtOnceKeepTheirOwnOrder() throws Exception {
    int threads = 8;
    int each = 2000;
    Channel server = listen(DEFAULT, channel -> channel.pipeline().addLast(new Echo()));
    Recorder recorder = new Recorder();
    Channel client = connect(server, DEFAULT, recorder);
    List<Thread> writers = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int thread = t;
      writers.add(
          Thread.startVirtualThread(() -> {
            for (int i = 0; i < each; i++) {
              client.write(ByteBuf.wrap(new byte[] {(byte) thread, (byte) (i >>> 8), (byte) i}));
              if (i % 50 == 49) {
                client.flush();
              }
            }
          }));
    }
    for (Thread writer : writers) {
      writer.join();
    }
    eventually("all messages", () -> recorder.received == 3L * threads * each);
    byte[] bytes = recorder.bytes();
    int[] next = new int[threads];
    for (int i = 0; i < bytes.length; i += 3) {
      int number = (bytes[i + 1] & 0xff) << 8 | bytes[i + 2] & 0xff;
      assertEquals(next[bytes[i]]++, number);
    }
  }

  /// Both ends echo, and neither reads while it is unwritable. The client keeps so many bytes in
  /// flight that both are often unwritable.
  @Test
  void twoEndsWithSmallMarksNeverStallOverAGibibyte() throws Exception {
    long bytes = 1L << 30;
    Channel server = listen(SMALL_MARKS, channel -> channel.pipeline().addLast(new Echo()));
    RoundTrips ends = new RoundTrips(bytes);
    Channel client = connect(server, SMALL_MARKS, ends);
    run(client, () -> ends.begin(client, 256 << 10));
    long last = -1;
    while (ends.received < bytes) {
      long before = ends.received;
      if (before == last) {
        throw new AssertionError("stalled after " + before + " of " + bytes + " bytes");
      }
      last = before;
      long seen = before;
      eventually("more than " + seen, () -> ends.received > seen);
    }
  }
}

package dev.quickwater.channel.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.channel.ChannelSettings;
import dev.quickwater.channel.account.ChannelAccount;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WriteAccountTest {

  private final TestEvents events =
      new TestEvents(ChannelSettings.DEFAULT.withWaterMarks(100, 200).withHardLimit(1000));
  private final ChannelAccount account = events.account();

  @Test
  void marksTurnWritabilityOffAndOn() {
    account.add(200);
    assertTrue(account.isBelowMarks());
    account.add(1);
    assertFalse(account.isBelowMarks());
    account.remove(100);
    account.writeProgress();
    assertFalse(account.isBelowMarks());
    account.remove(1);
    account.writeProgress();
    assertTrue(account.isBelowMarks());
    assertEquals(List.of(false, true), events.writability);
  }

  @Test
  void submittedMessageMovesInOneStep() {
    assertTrue(account.submit(150));
    assertEquals(150, account.pending());
    account.arriving(150);
    account.add(120);
    assertEquals(120, account.pending());
    account.add(10); // a handler wrote two
    account.arrived();
    assertEquals(130, account.pending());
    assertEquals(List.of(), events.writability);
  }

  @Test
  void channelThatAnotherThreadMadeUnwritableReportsWhenItIsWritableAgain() {
    assertTrue(account.submit(201));
    assertFalse(account.isBelowMarks());
    account.arriving(201);
    account.arrived();
    assertTrue(account.isBelowMarks());
    assertEquals(List.of(true), events.writability);
  }

  @Test
  void messageOverTheHardLimitIsNotCounted() {
    assertTrue(account.submit(900));
    assertFalse(account.submit(200));
    assertEquals(900, account.pending());
  }

  /// Producers submit, withdraw and obey the limit while the loop lets messages arrive, sends parts
  /// of them and drops some. Nothing is lost or counted twice in the end, and no reader ever sees
  /// less than what is certainly waiting.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void countsAreExactUnderAnyInterleaving(long seed) throws Exception {
    int producers = 3;
    int messages = 20_000;
    ConcurrentLinkedQueue<Integer> tasks = new ConcurrentLinkedQueue<>();
    AtomicInteger running = new AtomicInteger(producers);
    AtomicReference<AssertionError> wrong = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int p = 0; p < producers; p++) {
      Random random = new Random(seed * 31 + p);
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < messages; i++) {
                  int cost = 1 + random.nextInt(60);
                  if (!account.submit(cost)) {
                    continue;
                  }
                  if (account.pending() < 0) {
                    wrong.set(new AssertionError("negative"));
                  }
                  if (random.nextInt(10) == 0) {
                    account.withdraw(cost);
                  } else {
                    tasks.add(cost);
                  }
                }
                running.decrementAndGet();
              }));
    }
    Random random = new Random(seed);
    long queued = 0;
    while (running.get() > 0 || !tasks.isEmpty()) {
      Integer cost = tasks.poll();
      if (cost != null) {
        account.arriving(cost);
        if (random.nextInt(8) > 0) {
          int written = 1 + random.nextInt(60);
          account.add(written);
          queued += written;
        }
        account.arrived();
      }
      assertTrue(account.pending() >= queued, "the queued part is always seen");
      if (random.nextInt(4) == 0) {
        long sent = random.nextLong(queued + 1);
        account.remove(sent);
        queued -= sent;
        account.writeProgress();
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
    account.remove(queued);
    account.writeProgress();
    assertEquals(0, account.pending());
    assertTrue(account.isBelowMarks());
    if (wrong.get() != null) {
      throw wrong.get();
    }
  }
}

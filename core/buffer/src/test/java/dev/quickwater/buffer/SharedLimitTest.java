package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.testkit.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A refusal means that the memory is in use: memory that other heaps keep without use is requested
/// first.
class SharedLimitTest {

  private static final int MB = 1 << 20;

  private static List<ByteBuf> fill(ByteBufAllocator allocator, int bytes, int size) {
    List<ByteBuf> held = new ArrayList<>();
    for (int taken = 0; taken < bytes; taken += size) {
      held.add(allocator.allocate(size));
    }
    return held;
  }

  /// A loop holds empty pages of 60 MiB, sleeps, and collects when it is woken. Another thread
  /// takes 50 MiB of a limit of 64.
  static final class SleepingLoop {
    public static void main(String[] args) throws Exception {
      Semaphore wakes = new Semaphore(0);
      CountDownLatch filled = new CountDownLatch(1);
      Thread loop =
          new Thread(() -> {
            LoopAllocator allocator = new LoopAllocator();
            allocator.attach(wakes::release);
            fill(allocator, 60 * MB, 4096).forEach(ByteBuf::release);
            filled.countDown();
            while (true) {
              wakes.acquireUninterruptibly();
              allocator.collectIfRequested();
            }
          });
      loop.setDaemon(true);
      loop.start();
      filled.await();
      LoopAllocator mine = new LoopAllocator();
      mine.attach();
      List<ByteBuf> held = fill(mine, 50 * MB, 4096);
      System.out.println("took " + held.size() * 4096L);
      held.forEach(ByteBuf::release);
    }
  }

  /// Two loops of one thread, and the shared heaps.
  static final class OneThread {
    public static void main(String[] args) {
      LoopAllocator first = new LoopAllocator();
      first.attach();
      LoopAllocator second = new LoopAllocator();
      second.attach();
      for (ByteBufAllocator allocator :
          List.of(first, second, ByteBufAllocator.shared(), ByteBufAllocator.arrays(), first)) {
        List<ByteBuf> held = fill(allocator, 50 * MB, 3000);
        held.forEach(ByteBuf::release);
        System.out.println("took " + held.size());
      }
    }
  }

  /// A loop that never answers delays the first refusal briefly, and later refusals not at all.
  static final class DeafLoop {
    public static void main(String[] args) throws Exception {
      CountDownLatch filled = new CountDownLatch(1);
      Thread loop =
          new Thread(() -> {
            LoopAllocator allocator = new LoopAllocator();
            allocator.attach(() -> {});
            fill(allocator, 60 * MB, 4096).forEach(ByteBuf::release);
            filled.countDown();
            new Semaphore(0).acquireUninterruptibly();
          });
      loop.setDaemon(true);
      loop.start();
      filled.await();
      int refused = 0;
      for (int i = 0; i < 100; i++) {
        try {
          ByteBufAllocator.shared().allocate(60 * MB).release();
        } catch (OutOfMemoryError _) {
          refused++;
        }
      }
      System.out.println("refused " + refused);
    }
  }

  private static final String LIMIT = "-Ddev.quickwater.bufferLimit=" + 64 * MB;

  @ParameterizedTest
  @ValueSource(strings = {"--enable-native-access=ALL-UNNAMED", "--illegal-native-access=deny"})
  void emptyPagesOfASleepingLoopServeAnother(String access) throws Exception {
    assertEquals(
        new ChildJvm(0, "took " + 50 * MB + "\n", ""),
        ChildJvm.run(SleepingLoop.class, access, LIMIT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--enable-native-access=ALL-UNNAMED", "--illegal-native-access=deny"})
  void emptyPagesOfTheCallersOtherHeapsServeIt(String access) throws Exception {
    String took = "took " + (50 * MB + 2999) / 3000 + "\n";
    assertEquals(new ChildJvm(0, took.repeat(5), ""), ChildJvm.run(OneThread.class, access, LIMIT));
  }

  @Test
  void loopThatDoesNotAnswerIsNotWaitedForLong() throws Exception {
    assertEquals(
        new ChildJvm(0, "refused 100\n", ""),
        ChildJvm.run(DeafLoop.class, "--enable-native-access=ALL-UNNAMED", LIMIT));
  }

  /// Buffers of three quarters of the limit.
  static final class Pressure {
    public static void main(String[] args) {
      ByteBufAllocator allocator = ByteBufAllocator.shared();
      List<ByteBuf> held = fill(allocator, 46 * MB, MB);
      System.out.println(MemoryPressure.isHigh());
      held.addAll(fill(allocator, 4 * MB, MB));
      System.out.println(MemoryPressure.isHigh());
      release(held, 4);
      System.out.println(MemoryPressure.isHigh());
      release(held, 8);
      System.out.println(MemoryPressure.isHigh());
    }

    private static void release(List<ByteBuf> held, int count) {
      for (int i = 0; i < count; i++) {
        held.removeLast().release();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--enable-native-access=ALL-UNNAMED", "--illegal-native-access=deny"})
  void pressureIsHighFromTheSoftLimitUntilAnEighthIsFree(String access) throws Exception {
    assertEquals(
        new ChildJvm(0, "false\ntrue\ntrue\nfalse\n", ""),
        ChildJvm.run(Pressure.class, access, LIMIT));
  }
}

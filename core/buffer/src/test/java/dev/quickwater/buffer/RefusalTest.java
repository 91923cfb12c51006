package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.buffer.allocation.Heap;
import dev.quickwater.buffer.allocation.Heaps;
import dev.quickwater.buffer.allocation.MemoryLimit;
import dev.quickwater.common.LoopThread;
import dev.quickwater.system.NativeAccess;
import dev.quickwater.system.Settings;
import dev.quickwater.testkit.ChildJvm;
import dev.quickwater.testkit.Threads;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a request does before it is refused. In each process the limit is 64 MiB. The other loops
/// are heaps with an owner that does not run: their wakers, which run on the requesting thread, act
/// for the owner. The order of events is therefore fixed.
class RefusalTest {

  private static final int MB = 1 << 20;

  private static final String LIMIT = "-Ddev.quickwater.bufferLimit=" + 64 * MB;

  private static void assertPrints(String expected, Class<?> main, String access) throws Exception {
    assertEquals(new ChildJvm(0, expected, ""), ChildJvm.run(main, access, LIMIT));
  }

  /// What a loop does when it is woken.
  interface Waker {
    void wake(Heap heap) throws Exception;
  }

  /// A heap of another loop.
  private static Heap loop(Waker waker) {
    Heap heap = Heaps.add(new Heap(NativeAccess.enabled()));
    heap.attach(
        new Thread("loop"),
        () -> {
          try {
            waker.wake(heap);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    return heap;
  }

  /// Answers a request of another thread, and ignores that blocks have returned.
  private static void answer(Heap heap) {
    if (heap.isTrimRequested()) {
      heap.reclaim();
    }
  }

  private static List<ByteBuf> fill(Heap heap, int bytes, int size) {
    List<ByteBuf> held = new ArrayList<>();
    for (int taken = 0; taken < bytes; taken += size) {
      held.add(Blocks.allocate(heap, size, size, size));
    }
    return held;
  }

  /// Leaves `bytes` of the limit.
  private static void leave(long bytes) {
    MemoryLimit.reserve(Settings.BUFFER_LIMIT - MemoryLimit.reserved() - bytes, null);
  }

  private static void request(ByteBufAllocator allocator, int bytes) {
    try {
      allocator.allocate(bytes).release();
      System.out.println("taken");
    } catch (OutOfMemoryError _) {
      System.out.println("refused");
    }
  }

  /// A loop has released all blocks of another loop, and requests their memory in the same turn.
  static final class Unpublished {
    public static void main(String[] args) throws Exception {
      Thread caller =
          new LoopThread(
              "caller",
              () -> {
                LoopAllocator mine = new LoopAllocator();
                mine.attach();
                leave(4 * MB);
                fill(loop(RefusalTest::answer), 4 * MB, 128 << 10).forEach(ByteBuf::release);
                request(mine, 4 * MB);
              });
      caller.start();
      caller.join();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--enable-native-access=ALL-UNNAMED", "--illegal-native-access=deny"})
  void blocksThatTheCallerHasReleasedAndNotPublishedServeIt(String access) throws Exception {
    assertPrints("taken\n", Unpublished.class, access);
  }

  /// While a request of the caller waits, another thread releases blocks of the caller's heap. They
  /// empty no page, so only a request of their size can be served.
  static final class OwnBlocks {
    public static void main(String[] args) throws Exception {
      LoopAllocator mine = new LoopAllocator();
      mine.attach();
      List<ByteBuf> held = new ArrayList<>();
      List<ByteBuf> returning = new ArrayList<>();
      loop(heap -> {
        Threads.elsewhere(() -> returning.forEach(ByteBuf::release));
        returning.clear();
        heap.reclaim();
      });
      leave(MB);
      try {
        while (true) {
          returning.add(mine.allocate(4096));
          while (held.size() < 15) {
            held.add(mine.allocate(4096));
          }
          if (MemoryLimit.reserved() == Settings.BUFFER_LIMIT) {
            break;
          }
          held.clear();
        }
        held.add(mine.allocate(4096));
        System.out.println("taken");
      } catch (OutOfMemoryError _) {
        System.out.println("refused");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--enable-native-access=ALL-UNNAMED", "--illegal-native-access=deny"})
  void blocksThatReturnToTheCallersHeapWhileItWaitsServeIt(String access) throws Exception {
    assertPrints("taken\n", OwnBlocks.class, access);
  }

  /// Loop A holds empty blocks of loop B until it trims; A answers the second request only.
  static final class TwoLoops {
    public static void main(String[] args) throws Exception {
      LoopAllocator mine = new LoopAllocator();
      mine.attach();
      List<ByteBuf> held = new ArrayList<>();
      int[] wakes = {0};
      Heap first = loop(RefusalTest::answer);
      loop(heap -> {
        wakes[0]++;
        if (wakes[0] == 2) {
          Threads.elsewhere(() -> held.forEach(ByteBuf::release));
          heap.reclaim();
        }
      });
      leave(512 << 10);
      held.addAll(fill(first, 512 << 10, 64 << 10));
      request(mine, 512 << 10);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--enable-native-access=ALL-UNNAMED", "--illegal-native-access=deny"})
  void blocksThatOneLoopReturnsToAnotherServeTheCaller(String access) throws Exception {
    assertPrints("taken\n", TwoLoops.class, access);
  }

  /// One request is refused rightly. Then a loop has empty pages that a smaller request needs.
  static final class SmallerRequest {
    public static void main(String[] args) {
      ByteBufAllocator shared = ByteBufAllocator.shared();
      Heap other = loop(RefusalTest::answer);
      leave(40 * MB);
      request(shared, 50 * MB);
      fill(other, 32 * MB, 128 << 10).forEach(ByteBuf::release);
      request(shared, 20 * MB);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--enable-native-access=ALL-UNNAMED", "--illegal-native-access=deny"})
  void smallerRequestAfterARefusalStillWaits(String access) throws Exception {
    assertPrints("refused\ntaken\n", SmallerRequest.class, access);
  }

  /// A large request of the shared allocator waits. The waker of another loop looks at its locks.
  static final class LargeRequest {
    public static void main(String[] args) {
      SharedAllocator shared = SharedAllocator.of(NativeAccess.enabled());
      List<Long> locked = new ArrayList<>();
      loop(_ -> locked.add(List.of(shared.heaps).stream().filter(heap -> !isFree(heap)).count()));
      leave(MB);
      request(shared, 8 * MB);
      System.out.println("locked " + locked.getFirst());
    }

    private static boolean isFree(Heap heap) {
      if (!heap.tryLock()) {
        return false;
      }
      heap.unlock();
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--enable-native-access=ALL-UNNAMED", "--illegal-native-access=deny"})
  void largeRequestThatWaitsLeavesTheSharedHeapsToOthers(String access) throws Exception {
    assertPrints("refused\nlocked 0\n", LargeRequest.class, access);
  }

  /// A loop keeps pages of 60 MiB for its next requests.
  static final class EmptyPagesOfALoop {
    public static void main(String[] args) {
      LoopAllocator allocator = new LoopAllocator();
      allocator.attach();
      List<ByteBuf> held = new ArrayList<>();
      for (int i = 0; i < 480; i++) {
        held.add(allocator.allocate(128 << 10));
      }
      System.out.println(MemoryPressure.isHigh());
      held.forEach(ByteBuf::release);
      System.out.println(MemoryPressure.isHigh());
      System.out.println(allocator.metrics().reserved() > 48 * MB);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--enable-native-access=ALL-UNNAMED", "--illegal-native-access=deny"})
  void pressureIsNotHighWhenNoBufferHoldsTheMemory(String access) throws Exception {
    assertPrints("true\nfalse\ntrue\n", EmptyPagesOfALoop.class, access);
  }
}

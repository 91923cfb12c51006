package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.quickwater.testkit.ChildJvm;
import dev.quickwater.testkit.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Threads use a buffer while its holder releases it. This is an error, but must never crash the
/// process. Each race runs for a stated time in a separate JVM.
///
/// No memory is lost, except by threads that grow one handle at the same time.
class RaceTest {

  /// What the racing threads do to a handle that is about to be released.
  enum Race {
    /// Reads, writes, searches and copies; the memory may have gone to another buffer meanwhile.
    ACCESS {
      @Override
      void meet(ByteBuf buffer, int number) {
        switch (number & 7) {
          case 0 -> buffer.getLong(buffer.capacity() - 8);
          case 1 -> buffer.setLong(buffer.capacity() - 8, -1);
          case 2 -> buffer.getByte(buffer.capacity() - 1);
          case 3 -> buffer.setByte(number & 63, number);
          case 4 -> buffer.indexOf(0, buffer.capacity(), (byte) 7);
          case 5 -> buffer.copyToArray(0, new byte[64], 0, 64);
          case 6 -> buffer.setBytes(0, new byte[64], 0, 64);
          default -> buffer.readSlice(1).release();
        }
      }
    },
    /// Creates another handle and releases it.
    SHARE {
      @Override
      void meet(ByteBuf buffer, int number) {
        ByteBuf own = (number & 1) == 0 ? buffer.share() : buffer.slice(0, 8);
        try {
          own.getByte(0);
          own.getByte(7);
        } finally {
          own.release();
        }
      }
    },
    /// Releases the handle that is not its own.
    RELEASE {
      @Override
      void meet(ByteBuf buffer, int number) {
        buffer.getByte(0);
        buffer.share().release();
        if ((number & 63) == 0) {
          buffer.release();
        }
      }
    },
    /// Grows the handle itself.
    GROW {
      @Override
      void meet(ByteBuf buffer, int number) {
        buffer.ensureWritable(buffer.capacity());
        buffer.setLong(buffer.capacity() - 8, number);
      }
    };

    abstract void meet(ByteBuf buffer, int number);
  }

  /// Runs a race and prints how often the racers came in time, how often too late, and what is
  /// still in use.
  static final class Racing {
    private static final int[] SIZES = {64, 100, 4096, 70_000, 1 << 20};

    /// Buffers that a race is about at least, however slow the machine.
    private static final int LEAST = 2_000;

    private static volatile ByteBuf current = ByteBuf.wrap(new byte[0]);
    private static volatile boolean over;

    /// Both outcomes are needed; a busy machine may take longer for them.
    private static final long MAX_LONGER_NANOS = 20_000_000_000L;

    private static volatile boolean sawInTime;
    private static volatile boolean sawLate;

    public static void main(String[] args) throws Exception {
      Race race = Race.valueOf(System.getProperty("race"));
      LoopAllocator own = new LoopAllocator();
      own.attach();
      ByteBufAllocator[] allocators = {own, ByteBufAllocator.shared()};
      hold(own, SIZES[0]);
      hold(ByteBufAllocator.shared(), SIZES[0]); // what is linked and mapped first takes its time
      long deadline = System.nanoTime() + Long.getLong("race.millis") * 1_000_000;
      long[] met = new long[2];
      List<FutureTask<Void>> racers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        racers.add(Threads.start(() -> race(race, met)));
      }
      for (int i = 0; !over && (i < LEAST || isUnfinished(deadline)); i++) {
        hold(allocators[i & 1], SIZES[i % SIZES.length]);
      }
      over = true;
      for (FutureTask<Void> racer : racers) {
        Threads.join(racer);
      }
      System.out.println(
          met[0] > 0 && met[1] > 0 ? "met" : met[0] + " in time, " + met[1] + " late");
      System.out.println(own.metrics().used() + ByteBufAllocator.shared().metrics().used());
    }

    private static boolean isUnfinished(long deadline) {
      long left = deadline - System.nanoTime();
      return left > 0 || !(sawInTime && sawLate) && left + MAX_LONGER_NANOS > 0;
    }

    /// Publishes a buffer, releases it while other threads use it, and lets them continue.
    private static void hold(ByteBufAllocator allocator, int size) {
      ByteBuf buffer;
      try {
        buffer = allocator.allocate(size, 4 << 20).writeLong(1).writeLong(2);
      } catch (OutOfMemoryError _) {
        over = true;
        return;
      }
      current = buffer;
      spin();
      try {
        buffer.release();
      } catch (IllegalStateException _) {
        // a racer did
      }
      spin();
    }

    private static void spin() {
      for (int spins = ThreadLocalRandom.current().nextInt(200); spins > 0; spins--) {
        Thread.onSpinWait();
      }
    }

    private static void race(Race race, long[] met) {
      int inTime = 0;
      int late = 0;
      for (int i = 0; !over; i++) {
        try {
          race.meet(current, i);
          inTime++;
          if (!sawInTime) {
            sawInTime = true;
          }
        } catch (IllegalStateException | IllegalArgumentException | IndexOutOfBoundsException _) {
          late++;
          if (!sawLate) {
            sawLate = true;
          }
        } catch (OutOfMemoryError _) {
          over = true; // of what was lost
        }
      }
      synchronized (met) {
        met[0] += inTime;
        met[1] += late;
      }
    }
  }

  private static List<String> run(Race race, int millis, boolean nativeMemory) throws Exception {
    List<String> flags = new ArrayList<>();
    // C2 moves checks out of loops, which the race must tolerate.
    flags.addAll(List.of("-XX:TieredStopAtLevel=4", "-Ddev.quickwater.leakLevel=disabled"));
    flags.addAll(List.of("-Drace=" + race, "-Drace.millis=" + millis));
    if (nativeMemory) {
      flags.add("--enable-native-access=ALL-UNNAMED");
    }
    ChildJvm child = ChildJvm.run(Racing.class, flags.toArray(String[]::new));
    assertEquals(0, child.exit(), () -> race + ": " + child.out() + child.err());
    return child.out().lines().toList();
  }

  private static void everyRace(int millis) throws Exception {
    for (boolean nativeMemory : new boolean[] {true, false}) {
      for (Race race : Race.values()) {
        List<String> lines = run(race, millis, nativeMemory);
        if (race != Race.GROW) {
          assertEquals("met", lines.get(0), race + " was no race");
          assertEquals("0", lines.get(1), race + ", native " + nativeMemory);
        }
      }
    }
  }

  @Test
  void useWhileReleasedNeverCrashes() throws Exception {
    everyRace(500);
  }

  @Test
  @Tag("full")
  void useWhileReleasedNeverCrashesForLong() throws Exception {
    everyRace(20_000);
  }
}

package dev.quickwater.util.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Complexity is counted in steps between a key and its home, at the moment it comes.
class IntMapHostileKeysTest {

  private static final int KEYS = 1 << 16;

  private final IntMap<String> map = new IntMap<>();
  private long total;
  private int most;

  private void put(int key) {
    map.put(key, "x");
    int steps = map.steps(key);
    total += steps;
    most = Math.max(most, steps);
  }

  private void assertLinear(int puts) {
    assertTrue(total <= 4L * puts, total + " steps for " + puts + " keys");
    int bound = 4 * (int) Math.sqrt(map.keys.length) + 64;
    assertTrue(most <= bound, most + " steps for one key, bound " + bound);
  }

  private void fill(IntUnaryOperator key) {
    for (int i = 0; i < KEYS; i++) {
      put(key.applyAsInt(i));
    }
    assertEquals(KEYS, map.size());
    assertLinear(KEYS);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 10, 16, 31, 64, 100, 255, 256, 257, 1 << 12, 65535, 65536})
  void keysWithAStrideStayNearHome(int stride) {
    fill(i -> i * stride);
  }

  @Test
  void keysThatDifferInTheirHighBitsOnlyStayNearHome() {
    fill(Integer::reverse);
  }

  @Test
  void sequentialKeysAreAllAtHome() {
    fill(i -> 1_000_000 + i);
    assertEquals(0, total);
  }

  /// Each key comes into the longest run there is, as far as one can tell who knows the code but
  /// not the number that the map drew.
  @Test
  void keysChosenForOneSlotAmongHarmlessOnesStayNearHome() {
    SplittableRandom random = new SplittableRandom(3);
    int hostile = 0;
    for (int i = 0; i < KEYS; i++) {
      put(i % 4 == 0 ? hostile++ << 18 | 5 : random.nextInt());
    }
    assertLinear(KEYS);
  }

  /// Harmless traffic in between is not to make the table forget what it has put up with.
  @Test
  void chainDoesNotGrowWithAge() {
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < 500; i++) {
      map.put(random.nextInt(), "harmless");
    }
    int puts = 0;
    for (int hostile = 0; hostile < 400; hostile++) {
      put(hostile << 16 | 77);
      puts++;
      for (int i = 0; i < 3000; i++) {
        int key = random.nextInt() | 1 << 8;
        put(key);
        map.remove(key);
        puts++;
      }
    }
    assertLinear(puts);
  }

  @Test
  void keysWithoutAPatternAreNeverSpreadAnew() {
    SplittableRandom random = new SplittableRandom(5);
    int[] keys = random.ints(1 << 15).toArray();
    for (int round = 0; round < 40; round++) {
      for (int i = 0; i < keys.length; i++) {
        map.remove(keys[i]);
        keys[i] = random.nextInt();
        put(keys[i]);
      }
    }
    assertTrue(map.isPlain());
    assertLinear(40 * keys.length);
  }

  /// A dense run of keys, as ids that count up make it, is no trap for what is not in it.
  @Test
  void missedKeysAndRemovalsDoNotWalkAlongDenseRuns() {
    fill(i -> i);
    int slots = map.keys.length;
    for (int i = 0; i < KEYS; i++) {
      total += map.steps(i + slots);
    }
    assertTrue(
        total <= (Table.LOOSE + 1L) * KEYS,
        total + " steps for " + KEYS + " keys that are not there");
    for (int i = 0; i < KEYS; i++) {
      map.remove(i);
      if (map.keys.length == slots && i + 1 < KEYS) {
        assertEquals(0, map.steps(i + 1));
      }
    }
    assertTrue(map.isEmpty());
  }

  /// Each such key belongs to the front of the run, so that all behind it have to move; what moved
  /// is seen in the sum of all steps.
  @Test
  void keysPutBeforeADenseRunDoNotMoveItTimeAndAgain() {
    int run = 3000;
    for (int i = 0; i < run; i++) {
      map.put(i, "x");
    }
    int slots = map.keys.length;
    long work = 0;
    for (int hostile = 1; hostile <= 1000; hostile++) {
      long before = sum();
      boolean plain = map.isPlain();
      map.put(hostile * (1 << 20), "x");
      long moved = sum() - before;
      work += map.isPlain() == plain && moved >= 0 ? moved : slots;
    }
    assertEquals(slots, map.keys.length);
    assertTrue(work <= 4L * (slots + run + 1000), work + " moves");
  }

  private long sum() {
    long sum = 0;
    for (int key : map.keys()) {
      sum += map.steps(key);
    }
    return sum;
  }
}

package dev.quickwater.util.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Random operations against the JDK's map, long enough that tables grow, shrink and are spread
/// anew.
class LongMapModelTest {

  private static final int OPERATIONS = 1_500_000;
  private static final int EXTREMES = 16;

  enum Keys {
    DENSE(i -> i),
    ODD(i -> 2 * i + 1),
    STRIDED(i -> i << 40),
    SCATTERED(i -> i * 0x45d9f3b3335b369L ^ i >>> 7),
    EXTREME(i -> i < EXTREMES ? Long.MIN_VALUE + i : i < 2 * EXTREMES ? i - EXTREMES : -i);

    private final LongUnaryOperator of;

    Keys(LongUnaryOperator of) {
      this.of = of;
    }
  }

  private final SplittableRandom random = new SplittableRandom(7);
  private final LongMap<Integer> map = new LongMap<>();
  private final Map<Long, Integer> model = new HashMap<>();

  @ParameterizedTest
  @EnumSource
  void doesWhatTheModelDoes(Keys keys) {
    int range = 2000;
    for (int i = 0; i < OPERATIONS; i++) {
      if (i % 100_000 == 0) {
        // Few keys after many make the table shrink.
        range = i % 200_000 == 0 ? 20_000 : 12;
        removeSome(4);
      }
      operate(keys.of.applyAsLong(random.nextInt(range)), i);
    }
    assertSame();
  }

  private void operate(long key, int value) {
    switch (random.nextInt(8)) {
      case 0, 1 -> assertEquals(model.put(key, value), map.put(key, value));
      case 2 -> assertEquals(model.putIfAbsent(key, value), map.putIfAbsent(key, value));
      case 3, 4 -> assertEquals(model.remove(key), map.remove(key));
      case 5 -> assertEquals(model.containsKey(key), map.containsKey(key));
      case 6 -> assertEquals(model.get(key), map.get(key));
      default -> {
        assertEquals(model.size(), map.size());
        assertEquals(model.isEmpty(), map.isEmpty());
        if (random.nextInt(20_000) == 0) {
          assertSame();
          removeSome(2);
        } else if (random.nextInt(50_000) == 0) {
          map.clear();
          model.clear();
        }
      }
    }
  }

  private void removeSome(int oneIn) {
    model.keySet().removeIf(key -> key % oneIn != 0);
    map.removeIf((key, _) -> key % oneIn != 0);
    assertSame();
  }

  private void assertSame() {
    Map<Long, Integer> seen = new HashMap<>();
    map.forEach((key, value) -> assertEquals(null, seen.put(key, value)));
    assertEquals(model, seen);
    long[] keys = map.keys();
    Arrays.sort(keys);
    assertTrue(Arrays.equals(model.keySet().stream().mapToLong(k -> k).sorted().toArray(), keys));
  }
}

package dev.quickwater.util.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LongMapKeysTest {

  private static final int KEYS = 1 << 16;

  private final LongMap<String> map = new LongMap<>();

  private void fill(LongUnaryOperator key) {
    long total = 0;
    for (int i = 0; i < KEYS; i++) {
      map.put(key.applyAsLong(i), "x");
      total += map.steps(key.applyAsLong(i));
    }
    assertEquals(KEYS, map.size());
    assertTrue(total <= 4L * KEYS, total + " steps for " + KEYS + " keys");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 3, 10, 64, 257, 1 << 16, 1L << 32, (1L << 32) + 1, 1L << 47})
  void keysWithAStrideStayNearHome(long stride) {
    fill(i -> i * stride);
  }

  @Test
  void keysThatDifferInTheirHighBitsOnlyStayNearHome() {
    fill(Long::reverse);
  }

  @Test
  void keysWithoutAPatternAreNotSpreadAnew() {
    SplittableRandom random = new SplittableRandom(5);
    long[] keys = random.longs(KEYS).toArray();
    fill(i -> keys[(int) i]);
    assertTrue(map.isPlain());
  }

  @Test
  void allSixtyFourBitsOfAKeyCount() {
    map.put(1, "one");
    map.put(1L << 32 | 1, "more");
    assertEquals("one", map.get(1));
    assertEquals("more", map.get(1L << 32 | 1));
    assertNull(map.get(1L << 33 | 1));
    assertNull(map.get(0));
    map.put(0, "zero");
    assertEquals("zero", map.remove(0));
    assertNull(map.get(0));
  }

  @Test
  void nullIsNoValue() {
    assertThrows(NullPointerException.class, () -> map.put(1, null));
    assertThrows(NullPointerException.class, () -> map.putIfAbsent(1, null));
  }

  @Test
  void tableShrinksWithItsEntries() {
    fill(i -> i);
    assertTrue(map.removeIf((key, _) -> key != 3));
    assertEquals(Table.KEPT, map.keys.length);
    assertEquals("x", map.get(3));
    fill(i -> i);
    map.clear();
    assertEquals(Table.LEAST, map.keys.length);
  }

  @Test
  void valuesCanBeRemovedWhileTheyAreIteratedOver() {
    fill(i -> i << 30);
    int left = KEYS;
    Set<Long> met = new HashSet<>();
    LongCursor<String> cursor = map.cursor();
    while (cursor.next()) {
      assertTrue(met.add(cursor.key()));
      if ((cursor.key() >> 30) % 3 == 0) {
        cursor.remove();
        left--;
      }
    }
    assertEquals(KEYS, met.size());
    assertEquals(left, map.size());
    for (Iterator<String> values = map.values().iterator(); values.hasNext(); ) {
      values.next();
      values.remove();
    }
    assertTrue(map.isEmpty());
  }
}

package dev.quickwater.util.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IntMapKeysTest {

  private final IntMap<String> map = new IntMap<>();

  @Test
  void zeroIsAKeyLikeAnother() {
    assertNull(map.get(0));
    assertNull(map.remove(0));
    map.put(8, "eight"); // the same home in the smallest table
    assertNull(map.get(0));
    map.put(0, "zero");
    map.put(16, "sixteen");
    assertEquals("zero", map.get(0));
    assertEquals("sixteen", map.get(16));
    assertEquals("zero", map.remove(0));
    assertNull(map.get(0));
    assertEquals("eight", map.get(8));
    assertEquals("sixteen", map.get(16));
  }

  @Test
  void charAndShortKeysWiden() {
    char character = '\uffff';
    short number = -1;
    map.put(character, "char");
    map.put(number, "short");
    assertEquals("char", map.get(65535));
    assertEquals("short", map.get(-1));
    assertEquals("char", map.remove(character));
    assertEquals("short", map.remove(number));
  }

  @Test
  void nullIsNoValue() {
    assertThrows(NullPointerException.class, () -> map.put(1, null));
    assertThrows(NullPointerException.class, () -> map.putIfAbsent(1, null));
    assertTrue(map.isEmpty());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, (1 << 29) + 1})
  void impossibleCapacityIsRefused(int expected) {
    assertThrows(IllegalArgumentException.class, () -> new IntMap<>(expected));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 5, 8, 9, 1000, 1024, 1025})
  void mapMadeForSoManyEntriesDoesNotGrow(int expected) {
    IntMap<String> sized = new IntMap<>(expected);
    int slots = sized.keys.length;
    for (int i = 0; i < expected; i++) {
      sized.put(i, "x");
    }
    assertEquals(slots, sized.keys.length);
    assertTrue(slots <= Math.max(Table.LEAST, 4 * expected));
  }

  @Test
  void tableShrinksWithItsEntries() {
    int many = 1 << 17;
    for (int i = 0; i < many; i++) {
      map.put(i, "x");
    }
    int most = 0;
    for (int i = many - 1; i >= 0; i--) {
      map.remove(i);
      most = Math.max(most, map.keys.length / Math.max(Table.KEPT / 32, map.size()));
    }
    assertTrue(most <= 32, "slots for each entry: " + most);
    assertEquals(Table.KEPT, map.keys.length);
    for (int i = 0; i < many; i++) {
      map.put(i, "x");
    }
    assertTrue(map.removeIf((key, _) -> key != 3));
    assertEquals(Table.KEPT, map.keys.length);
    assertEquals("x", map.get(3));
  }

  @Test
  void clearedMapKeepsASmallTableOnly() {
    for (int i = 0; i < 400; i++) {
      map.put(i, "x");
    }
    map.clear();
    assertEquals(Table.KEPT, map.keys.length);
    for (int i = 0; i < 4000; i++) {
      map.put(i, "x");
    }
    map.clear();
    assertEquals(Table.LEAST, map.keys.length);
    assertNull(map.get(0));
  }
}

package dev.quickwater.util.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ConcurrentModificationException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IntMapIterationTest {

  private final IntMap<String> map = new IntMap<>();

  private void fill(int... keys) {
    for (int key : keys) {
      map.put(key, "v" + key);
    }
  }

  /// Keys whose homes are the last slots wrap around to the first ones, where removal moves entries
  /// across the table's end.
  @Test
  void eachEntryIsMetOnceWhateverIsRemovedMeanwhile() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 20_000; round++) {
      IntMap<Integer> crowded = new IntMap<>(32);
      Set<Integer> expected = new HashSet<>();
      for (int i = 0; i < 20; i++) {
        int key = random.nextInt(4) * 64 - 1 - random.nextInt(3);
        crowded.put(key, key);
        expected.add(key);
      }
      Set<Integer> met = new HashSet<>();
      Set<Integer> kept = new HashSet<>();
      IntCursor<Integer> cursor = crowded.cursor();
      while (cursor.next()) {
        assertTrue(met.add(cursor.key()));
        assertEquals(cursor.key(), cursor.value());
        if (random.nextBoolean()) {
          cursor.remove();
        } else {
          kept.add(cursor.key());
        }
      }
      assertEquals(expected, met);
      assertEquals(kept.size(), crowded.size());
      kept.forEach(key -> assertEquals(key, crowded.get(key)));
    }
  }

  @Test
  void valuesCanBeRemovedThroughTheirIterator() {
    fill(1, 2, 3, 64, 128, -1);
    Set<String> met = new HashSet<>();
    for (Iterator<String> values = map.values().iterator(); values.hasNext(); ) {
      String value = values.next();
      assertTrue(met.add(value));
      if (value.length() > 2) {
        values.remove();
        assertThrows(IllegalStateException.class, values::remove);
      }
    }
    assertEquals(Set.of("v1", "v2", "v3", "v64", "v128", "v-1"), met);
    assertEquals(3, map.size());
    Set<String> left = new HashSet<>();
    map.values().forEach(left::add);
    assertEquals(Set.of("v1", "v2", "v3"), left);
  }

  @Test
  void exhaustedIteratorSaysSo() {
    fill(5);
    Iterator<String> values = map.values().iterator();
    assertThrows(IllegalStateException.class, values::remove);
    assertEquals("v5", values.next());
    assertFalse(values.hasNext());
    assertThrows(NoSuchElementException.class, values::next);
    values.remove();
    assertTrue(map.isEmpty());
  }

  @Test
  void cursorHasNoEntryBeforeTheFirstAfterTheLastNorAfterRemoval() {
    fill(7);
    IntCursor<String> cursor = map.cursor();
    assertThrows(IllegalStateException.class, cursor::key);
    assertTrue(cursor.next());
    cursor.remove();
    assertThrows(IllegalStateException.class, cursor::value);
    assertThrows(IllegalStateException.class, cursor::remove);
    assertFalse(cursor.next());
    assertFalse(cursor.next());
    assertThrows(IllegalStateException.class, cursor::key);
  }

  @Test
  void replacingValuesIsAllowedDuringAnIteration() {
    fill(1, 2);
    IntCursor<String> cursor = map.cursor();
    while (cursor.next()) {
      cursor.setValue("w" + cursor.key());
      map.put(1, "x");
    }
    assertEquals("x", map.get(1));
    assertEquals("w2", map.get(2));
  }

  @Test
  void keysThatComeOrGoOtherwiseAreNoticed() {
    fill(1, 2, 3);
    IntCursor<String> cursor = map.cursor();
    assertTrue(cursor.next());
    map.put(9, "v9");
    assertThrows(ConcurrentModificationException.class, cursor::next);
    assertThrows(ConcurrentModificationException.class, cursor::remove);
    assertThrows(
        ConcurrentModificationException.class, () -> map.forEach((key, _) -> map.remove(key)));
    Iterator<String> values = map.values().iterator();
    map.clear();
    assertThrows(ConcurrentModificationException.class, values::next);
  }

  @Test
  void replacedValuesAreThoseThatAreMet() {
    fill(1, 2, 3);
    Set<String> met = new HashSet<>();
    for (String value : map.values()) {
      met.add(value);
      for (int key = 1; key <= 3; key++) {
        map.put(key, "w");
      }
    }
    assertEquals(2, met.size(), "the first as it was, the others as they are: " + met);
    assertTrue(met.contains("w"));

    IntCursor<String> cursor = map.cursor();
    assertTrue(cursor.next());
    map.put(cursor.key(), "x");
    assertEquals("x", cursor.value());
  }

  /// The table may be another one by then, and the slot another key's.
  @Test
  void entryIsNotReadAfterKeysCameOrWent() {
    fill(1, 2, 3);
    IntCursor<String> cursor = map.cursor();
    assertTrue(cursor.next());
    assertEquals("v3", map.remove(3));
    assertThrows(ConcurrentModificationException.class, cursor::key);
    assertThrows(ConcurrentModificationException.class, cursor::value);
    assertThrows(ConcurrentModificationException.class, () -> cursor.setValue("w"));
    assertEquals(2, map.size());
  }
}

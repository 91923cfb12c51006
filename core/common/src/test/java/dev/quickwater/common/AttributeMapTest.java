package dev.quickwater.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class AttributeMapTest {

  private final AttributeMap map = new AttributeMap();
  private final AttributeKey<String> key = AttributeKey.named("key");

  private static List<AttributeKey<Integer>> keys(int count) {
    List<AttributeKey<Integer>> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(AttributeKey.named("key " + i));
    }
    return keys;
  }

  @Test
  void keysAreTheSameByIdentityNotByName() {
    AttributeKey<String> other = AttributeKey.named("key");
    map.set(key, "mine");
    assertNull(map.get(other));
    assertFalse(map.contains(other));
    map.set(other, "yours");
    assertEquals("mine", map.get(key));
    assertEquals("key", other.name());
  }

  @Test
  void operationsTellWhatWasThere() {
    assertNull(map.set(key, "one"));
    assertEquals("one", map.set(key, "two"));
    assertEquals("two", map.setIfAbsent(key, "three"));
    assertEquals("two", map.get(key));
    assertEquals("two", map.remove(key));
    assertNull(map.remove(key));
    assertNull(map.get(key));
    assertNull(map.setIfAbsent(key, "four"));
    assertEquals("four", map.get(key));
  }

  @Test
  void compareAndSetKnowsAbsence() {
    String one = "one";
    assertFalse(map.compareAndSet(key, one, "two"));
    assertTrue(map.compareAndSet(key, null, null));
    assertTrue(map.compareAndSet(key, null, one));
    assertFalse(map.compareAndSet(key, null, "two"));
    assertFalse(map.compareAndSet(key, null, null));
    assertFalse(map.compareAndSet(key, new String("one"), "two"));
    assertTrue(map.compareAndSet(key, one, "two"));
    assertTrue(map.compareAndSet(key, "two", null));
    assertFalse(map.contains(key));
    assertEquals(List.of(), map.keys());
  }

  @Test
  void nullIsNoValue() {
    assertThrows(NullPointerException.class, () -> map.set(key, null));
    assertThrows(NullPointerException.class, () -> map.setIfAbsent(key, null));
    assertThrows(NullPointerException.class, () -> map.getOrCreate(key, () -> null));
    assertFalse(map.contains(key));
  }

  @Test
  void valueIsCreatedWhenThereIsNone() {
    assertEquals("made", map.getOrCreate(key, () -> "made"));
    assertEquals(
        "made",
        map.getOrCreate(
            key,
            () -> {
              throw new AssertionError("there is one already");
            }));
    map.remove(key);
    assertEquals(
        "inner",
        map.getOrCreate(
            key,
            () -> {
              map.set(key, "inner");
              return "outer";
            }));
  }

  @Test
  void doesWhatTheModelDoes() {
    SplittableRandom random = new SplittableRandom(11);
    List<AttributeKey<Integer>> all = keys(300);
    // Numbers that are far apart and share their low bits, too.
    List<AttributeKey<Integer>> keys = new ArrayList<>(all.subList(0, 40));
    for (int i = 44; i < 300; i += 8) {
      keys.add(all.get(i));
    }
    Map<AttributeKey<?>, Integer> model = new HashMap<>();
    for (int i = 0; i < 300_000; i++) {
      AttributeKey<Integer> some = keys.get(random.nextInt(keys.size()));
      switch (random.nextInt(6)) {
        case 0 -> assertEquals(model.put(some, i), map.set(some, i));
        case 1 -> assertEquals(model.putIfAbsent(some, i), map.setIfAbsent(some, i));
        case 2, 3 -> assertEquals(model.remove(some), map.remove(some));
        case 4 -> assertEquals(model.get(some), map.get(some));
        default -> assertEquals(model.containsKey(some), map.contains(some));
      }
      if (i % 1000 == 0) {
        assertEquals(model.keySet(), new HashSet<>(map.keys()));
        assertEquals(model.size(), map.keys().size());
      }
    }
  }

  @Test
  void allThreadsGetTheSameCreatedValue() throws Exception {
    for (int round = 0; round < 200; round++) {
      AttributeMap shared = new AttributeMap();
      Set<Object> seen = ConcurrentHashMap.newKeySet();
      AttributeKey<Object> object = AttributeKey.named("object");
      Threads.together(4, _ -> seen.add(shared.getOrCreate(object, Object::new)));
      assertEquals(1, seen.size());
    }
  }

  /// Every increment counts, though keys go and others come all the time.
  @Test
  void noUpdateIsLost() throws Exception {
    int threads = 4;
    int each = 20_000;
    List<AttributeKey<Integer>> keys = keys(6);
    AtomicIntegerArray taken = new AtomicIntegerArray(keys.size());
    AtomicInteger added = new AtomicInteger();
    Threads.together(
        threads,
        number -> {
          SplittableRandom random = new SplittableRandom(number);
          for (int i = 0; i < each; i++) {
            int which = random.nextInt(keys.size());
            AttributeKey<Integer> some = keys.get(which);
            if (random.nextInt(3) == 0) {
              Integer old = map.remove(some);
              taken.addAndGet(which, old == null ? 0 : old);
            } else {
              Integer old;
              do {
                old = map.get(some);
              } while (!map.compareAndSet(some, old, old == null ? 1 : old + 1));
              added.incrementAndGet();
            }
          }
        });
    int sum = 0;
    for (int i = 0; i < keys.size(); i++) {
      Integer left = map.remove(keys.get(i));
      sum += taken.get(i) + (left == null ? 0 : left);
    }
    assertEquals(added.get(), sum);
    assertEquals(List.of(), map.keys());
  }

  @Test
  void settersAndRemoversShareEveryValueOut() throws Exception {
    int each = 50_000;
    AttributeKey<Integer> shared = AttributeKey.named("shared");
    AtomicInteger seen = new AtomicInteger();
    Threads.together(
        4,
        number -> {
          for (int i = 0; i < each; i++) {
            if ((number & 1) == 0 ? map.set(shared, i) != null : map.remove(shared) != null) {
              seen.incrementAndGet();
            }
          }
        });
    int left = map.remove(shared) == null ? 0 : 1;
    assertEquals(2 * each, seen.get() + left);
    assertSame(null, map.get(shared));
  }
}

package dev.quickwater.util.map;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A program whose maps need more memory than there is. It says what went wrong, if anything did.
final class MapWithoutMemory {

  private static final int BLOCK = 1 << 16;

  private MapWithoutMemory() {}

  public static void main(String[] args) {
    intMapGrows();
    longMapGrows();
    intMapShrinks();
    longMapShrinks();
    System.out.println("done");
  }

  private static void require(boolean isSo, String what) {
    if (!isSo) {
      throw new IllegalStateException(what);
    }
  }

  private static List<byte[]> everything() {
    List<byte[]> blocks = new ArrayList<>(1 << 16);
    try {
      while (true) {
        blocks.add(new byte[BLOCK]);
      }
    } catch (OutOfMemoryError _) {
      return blocks;
    }
  }

  private static void intMapGrows() {
    IntMap<String> map = new IntMap<>();
    int key = 0;
    try {
      while (true) {
        map.put(key, "x");
        key++;
      }
    } catch (OutOfMemoryError _) {
      require(map.get(key) == null, "the entry that failed is in the map");
      require(map.size() == key, "size " + map.size() + " with " + key + " keys");
      require("x".equals(map.get(key - 1)), "an entry was lost");
    }
  }

  private static void longMapGrows() {
    LongMap<String> map = new LongMap<>();
    int key = 0;
    try {
      while (true) {
        map.put(key, "x");
        key++;
      }
    } catch (OutOfMemoryError _) {
      require(map.get(key) == null, "the entry that failed is in the map");
      require(map.size() == key, "size " + map.size() + " with " + key + " keys");
      require("x".equals(map.get(key - 1)), "an entry was lost");
    }
  }

  private static void intMapShrinks() {
    int keys = 1 << 19;
    IntMap<String> map = new IntMap<>();
    for (int key = 0; key < keys; key++) {
      map.put(key, "x");
    }
    List<byte[]> blocks = everything();
    for (int key = 1; key < keys; key++) {
      @Nullable String value = map.remove(key);
      require("x".equals(value), "a value was lost");
    }
    require(!blocks.isEmpty() && map.size() == 1, "entries were lost");
    blocks.clear();
    require("x".equals(map.remove(0)), "the last value was lost");
    require(map.keys.length == Table.KEPT, "the table did not shrink when it could");
  }

  private static void longMapShrinks() {
    int keys = 1 << 19;
    LongMap<String> map = new LongMap<>();
    for (int key = 0; key < keys; key++) {
      map.put(key, "x");
    }
    List<byte[]> blocks = everything();
    for (int key = 1; key < keys; key++) {
      @Nullable String value = map.remove(key);
      require("x".equals(value), "a value was lost");
    }
    require(!blocks.isEmpty() && map.size() == 1, "entries were lost");
    blocks.clear();
    require("x".equals(map.remove(0)), "the last value was lost");
    require(map.keys.length == Table.KEPT, "the table did not shrink when it could");
  }
}

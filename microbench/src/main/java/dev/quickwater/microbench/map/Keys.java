package dev.quickwater.microbench.map;

import java.util.Arrays;
import java.util.SplittableRandom;

/// How the keys of a map come about.
public enum Keys {
  /// As most ids are given out.
  SEQUENTIAL,
  /// As the ids of streams that a client opens on an HTTP/2 connection.
  ODD,
  /// As ids that carry something else in their lower bits.
  STRIDED,
  RANDOM;

  private int key(int i) {
    return switch (this) {
      case SEQUENTIAL -> i;
      case ODD -> 2 * i + 1;
      case STRIDED -> i << 8;
      case RANDOM -> mixed(i);
    };
  }

  /// A bijection (Stafford's variant of MurmurHash3's finalizer), so that keys differ.
  private static int mixed(int i) {
    int mixed = (i ^ i >>> 16) * 0x7feb352d;
    mixed = (mixed ^ mixed >>> 15) * 0x846ca68b;
    return mixed ^ mixed >>> 16;
  }

  /// Keys from number `first` on, in an order that no branch predictor can learn.
  int[] shuffled(int first, int count) {
    int[] keys = new int[count];
    Arrays.setAll(keys, i -> key(first + i));
    SplittableRandom random = new SplittableRandom(99);
    for (int i = count - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swapped = keys[i];
      keys[i] = keys[j];
      keys[j] = swapped;
    }
    return keys;
  }
}

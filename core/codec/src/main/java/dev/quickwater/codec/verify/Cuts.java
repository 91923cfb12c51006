package dev.quickwater.codec.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Where inputs are cut: ascending offsets, each greater than 0 and less than the length.
final class Cuts {

  private static final long SEED = 0x51_77;

  private Cuts() {}

  /// After each byte.
  static List<Integer> each(int length) {
    return IntStream.range(1, length).boxed().toList();
  }

  /// Nowhere, and after each byte.
  static Stream<List<Integer>> sparse(int length) {
    return Stream.of(List.of(), each(length));
  }

  /// Once, at every place.
  static Stream<List<Integer>> everyPair(int length) {
    return IntStream.range(1, length).mapToObj(List::of);
  }

  /// Twice, and many times; none for what is too short to be cut twice.
  static Stream<List<Integer>> random(int length, int count) {
    if (length < 3) {
      return Stream.empty();
    }
    Random random = new Random(SEED + length);
    List<List<Integer>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int most = i % 2 == 0 ? 2 : 2 + random.nextInt(Math.min(length, 30));
      TreeSet<Integer> cuts = new TreeSet<>();
      for (int j = 0; j < most; j++) {
        cuts.add(1 + random.nextInt(length - 1));
      }
      all.add(List.copyOf(cuts));
    }
    return all.stream();
  }
}

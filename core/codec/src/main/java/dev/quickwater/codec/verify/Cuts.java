package dev.quickwater.codec.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The places at which inputs are cut: ascending offsets, each greater than 0 and less than the
/// length.
final class Cuts {

  private static final long SEED = 0x51_77;

  private Cuts() {}

  /// One cut after each byte.
  static List<Integer> each(int length) {
    return IntStream.range(1, length).boxed().toList();
  }

  /// No cut, and one cut after each byte.
  static Stream<List<Integer>> sparse(int length) {
    return Stream.of(List.of(), each(length));
  }

  /// Each single cut.
  static Stream<List<Integer>> everyPair(int length) {
    return IntStream.range(1, length).mapToObj(List::of);
  }

  /// Random pairs of cuts and random longer lists. Empty for an input that is too short for two
  /// cuts.
  static Stream<List<Integer>> random(int length, int count) {
    if (length < 3) {
      return Stream.empty();
    }
    Random random = new Random(SEED + length);
    List<List<Integer>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int pieces = i % 2 == 0 ? 2 : 2 + random.nextInt(Math.min(length, 30));
      TreeSet<Integer> cuts = new TreeSet<>();
      for (int j = 0; j < pieces; j++) {
        cuts.add(1 + random.nextInt(length - 1));
      }
      all.add(List.copyOf(cuts));
    }
    return all.stream();
  }
}

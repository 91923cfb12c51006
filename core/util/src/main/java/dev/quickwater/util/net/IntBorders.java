package dev.quickwater.util.net;

/// Counts how many of some sorted numbers are at most a key.
///
/// The span of the numbers is divided into about twice as many equal stretches as there are
/// numbers, and a table has the index at which each stretch begins. If the numbers are spread
/// evenly, one or two remain to compare. Inside a stretch the search is binary: numbers in one
/// cluster cost O(log n).
final class IntBorders {

  private final int[] numbers;
  private final long first;
  private final long span;
  private final int shift;

  /// How many numbers are before each stretch, and all of them at the end.
  private final int[] before;

  /// @param numbers in ascending order, each once; they must not change any more
  IntBorders(int[] numbers) {
    this.numbers = numbers;
    int count = numbers.length;
    first = count == 0 ? 0 : numbers[0];
    span = count == 0 ? 0 : numbers[count - 1] - first;
    int spanBits = Long.SIZE - Long.numberOfLeadingZeros(span);
    int stretchBits = Integer.SIZE - Integer.numberOfLeadingZeros(count) + 1;
    shift = Math.max(0, spanBits - stretchBits);
    before = new int[(int) (span >>> shift) + 2];
    for (int number : numbers) {
      before[(int) (number - first >>> shift) + 1]++;
    }
    for (int i = 1; i < before.length; i++) {
      before[i] += before[i - 1];
    }
  }

  int countUpTo(int key) {
    long distance = key - first;
    if (distance < 0 || numbers.length == 0) {
      return 0;
    }
    int stretch = (int) (Math.min(distance, span) >>> shift);
    int from = before[stretch];
    int left = before[stretch + 1] - from;
    while (left > 0) {
      int half = left + 1 >>> 1;
      from += numbers[from + half - 1] <= key ? half : 0;
      left -= half;
    }
    return from;
  }
}

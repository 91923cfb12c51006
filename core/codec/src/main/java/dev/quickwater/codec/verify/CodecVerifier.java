package dev.quickwater.codec.verify;

import dev.quickwater.buffer.AllocatorMetrics;
import dev.quickwater.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// Checks that a decoder comes to the same outcome however its input arrives.
///
/// - **Cuts:** whole, byte by byte, every cut in two, and for longer inputs random cuts in three
///   and in many, from a fixed seed.
/// - **Memory:** array and native, exact slices, so that every access outside of what has arrived
///   throws, and windows in the middle of other bytes.
/// - **Rows:** [#verifyRow] feeds several inputs to one decoder.
/// - **Work:** [#verifyLinear] compares the cost of an input with that of one four times as long.
///
/// What differs is an [AssertionError] that names the cut. It needs no channel and no test
/// framework.
public final class CodecVerifier {

  /// Inputs up to this length are cut in two at every place: that is work of the square.
  private static final int MOST_CUT_EVERYWHERE = 4096;

  private static final int RANDOM_CUTS = 100;

  /// Linear is 4 and square is 16; in between is room for noise.
  private static final double MOST_GROWTH = 9;

  private final Supplier<? extends Decoding> decoders;

  private CodecVerifier(Supplier<? extends Decoding> decoders) {
    this.decoders = decoders;
  }

  /// A verifier of the decoders that `decoders` makes, each fresh.
  public static CodecVerifier of(Supplier<? extends Decoding> decoders) {
    return new CodecVerifier(decoders);
  }

  /// Decodes `input` in every way and returns the common outcome.
  ///
  /// @throws AssertionError if two ways differ, a decoder reads outside of its input, or memory is
  ///   not given back
  public Outcome verify(byte[] input) {
    AllocatorMetrics before = ByteBufAllocator.shared().metrics();
    Outcome expected = decode(input, List.of(), Window.ARRAY_SLICE);
    for (Window window : Window.values()) {
      Cuts.sparse(input.length).forEach(cut -> compare(expected, input, cut, window));
    }
    if (input.length <= MOST_CUT_EVERYWHERE) {
      Cuts.everyPair(input.length)
          .forEach(cut -> compare(expected, input, cut, Window.ARRAY_SLICE));
    }
    Cuts.random(input.length, RANDOM_CUTS)
        .forEach(cut -> compare(expected, input, cut, Window.NATIVE_SLICE));
    long used = ByteBufAllocator.shared().metrics().used();
    if (used > before.used()) {
      throw new AssertionError(
          (used - before.used()) + " bytes were not released by the decoder of " + show(input));
    }
    return expected;
  }

  /// Decodes each input alone and all of them in a row, and returns the events of all.
  ///
  /// @throws AssertionError as [#verify], or if one of them fails or is not consumed, or if the row
  ///   gives other events than its parts
  public List<Object> verifyRow(byte[]... inputs) {
    List<Object> expected = new ArrayList<>();
    int length = 0;
    for (byte[] input : inputs) {
      Outcome alone = verify(input);
      if (alone.failure() != null || alone.left() > 0) {
        throw new AssertionError("a part of a row is no complete message: " + show(input));
      }
      expected.addAll(alone.events());
      length += input.length;
    }
    byte[] row = new byte[length];
    int at = 0;
    for (byte[] input : inputs) {
      System.arraycopy(input, 0, row, at, input.length);
      at += input.length;
    }
    Outcome together = verify(row);
    if (!together.events().equals(expected) || together.left() > 0) {
      throw new AssertionError(
          "in a row the outcome is other than alone\n alone: " + expected + "\n row: " + together);
    }
    return together.events();
  }

  /// Checks that the cost of decoding byte by byte grows with the length and not with its square.
  ///
  /// @param inputOf makes an input of about so many bytes
  /// @param length long enough to take about a millisecond, some 10,000
  /// @throws AssertionError if an input four times as long costs more than nine times as much, in
  ///   each of several attempts
  public void verifyLinear(IntFunction<byte[]> inputOf, int length) {
    byte[] small = inputOf.apply(length);
    byte[] large = inputOf.apply(4 * length);
    double growth = 0;
    for (int attempt = 0; attempt < 5; attempt++) {
      long one = fastest(small);
      long four = fastest(large);
      growth = (double) four / Math.max(one, 1);
      if (growth <= MOST_GROWTH) {
        return;
      }
    }
    throw new AssertionError(
        "four times as many bytes, one at a time, cost "
            + growth
            + " times as much: the work is not linear");
  }

  private long fastest(byte[] input) {
    List<Integer> cuts = Cuts.each(input.length);
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      long began = System.nanoTime();
      decode(input, cuts, Window.ARRAY_SLICE);
      least = Math.min(least, System.nanoTime() - began);
    }
    return least;
  }

  private void compare(Outcome expected, byte[] input, List<Integer> cuts, Window window) {
    Outcome outcome = decode(input, cuts, window);
    if (!outcome.isLike(expected)) {
      throw new AssertionError(
          "the outcome depends on how the input arrives"
              + ("\n input: " + show(input))
              + ("\n whole: " + expected)
              + ("\n cut at " + (cuts.size() > 20 ? "many places" : cuts) + ", " + window + ": ")
              + outcome);
    }
  }

  /// Decodes `input` in one way: cut at these offsets, which ascend and are inside of it. For fuzz
  /// targets, which try too many inputs to try each in every way.
  public Outcome decode(byte[] input, List<Integer> cuts) {
    return decode(input, cuts, Window.ARRAY_SLICE);
  }

  private Outcome decode(byte[] input, List<Integer> cuts, Window window) {
    try (Decoding decoder = decoders.get();
        Window.Feed feed = window.feed(input)) {
      return feed.run(decoder, cuts);
    }
  }

  private static String show(byte[] input) {
    StringBuilder text = new StringBuilder("\"");
    for (byte b : input.length > 400 ? Arrays.copyOf(input, 400) : input) {
      switch (b) {
        case '\r' -> text.append("\\r");
        case '\n' -> text.append("\\n");
        default -> {
          if (b >= 0x20 && b < 0x7f) {
            text.append((char) b);
          } else {
            text.append(String.format("\\x%02x", b));
          }
        }
      }
    }
    return text.append(input.length > 400 ? "...\"" : "\"").toString();
  }
}

package dev.quickwater.codec.verify;

import dev.quickwater.buffer.AllocatorMetrics;
import dev.quickwater.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// Checks that the outcome of a decoder does not depend on how its input arrives.
///
/// - **Cuts:** the whole input, byte by byte, cut in two at every place, and for longer inputs cut
///   in three and in many pieces at random places from a fixed seed.
/// - **Memory:** arrays and native memory. Exact slices make every access outside the input throw;
///   other windows lie in the middle of other bytes.
/// - **Rows:** [#verifyRow] feeds several inputs to one decoder.
/// - **Work:** [#verifyLinear] compares the cost of an input with that of one four times as long.
///
/// A difference is an [AssertionError] that names the cut. The verifier needs no channel and no
/// test framework.
public final class CodecVerifier {

  /// The maximum length of inputs that are cut in two at every place, which is quadratic work.
  private static final int MAX_CUT_EVERYWHERE = 4096;

  private static final int RANDOM_CUTS = 100;

  /// Linear work grows by 4 and quadratic work by 16. The limit between them leaves room for noise.
  private static final double MAX_GROWTH = 9;

  private final Supplier<? extends Decoding> decoders;

  private CodecVerifier(Supplier<? extends Decoding> decoders) {
    this.decoders = decoders;
  }

  /// A verifier of the decoders that `decoders` creates, a new one in each call.
  public static CodecVerifier of(Supplier<? extends Decoding> decoders) {
    return new CodecVerifier(decoders);
  }

  /// Decodes `input` in every way and returns the common outcome.
  ///
  /// @throws AssertionError if two outcomes differ, a decoder reads outside its input, or memory is
  ///   not released
  public Outcome verify(byte[] input) {
    AllocatorMetrics before = ByteBufAllocator.shared().metrics();
    Outcome expected = decode(input, List.of(), Window.ARRAY_SLICE);
    for (Window window : Window.values()) {
      Cuts.sparse(input.length).forEach(cut -> compare(expected, input, cut, window));
    }
    if (input.length <= MAX_CUT_EVERYWHERE) {
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

  /// Decodes each input alone and all of them in sequence, and returns the events of all.
  ///
  /// @throws AssertionError as [#verify]; also if an input fails or is not consumed, or if the
  ///   sequence gives other events than its parts
  public List<Object> verifyRow(byte[]... inputs) {
    List<Object> expected = new ArrayList<>();
    int length = 0;
    for (byte[] input : inputs) {
      Outcome alone = verify(input);
      if (alone.failure() != null || alone.left() > 0) {
        throw new AssertionError(
            "an input of the sequence is not a complete message: " + show(input));
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
          "the inputs in sequence have other events than alone\n alone: "
              + expected
              + "\n sequence: "
              + together);
    }
    return together.events();
  }

  /// Checks that the cost of decoding byte by byte is linear in the length of the input.
  ///
  /// @param inputOf creates an input of approximately the given length
  /// @param length a length that takes about a millisecond, such as 10,000
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
      if (growth <= MAX_GROWTH) {
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

  /// Decodes `input` once, cut at these offsets, which ascend and are inside the input. For fuzz
  /// targets, which have too many inputs to try all cuts.
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

package dev.quickwater.microbench.buffer;

import java.util.Arrays;
import java.util.SplittableRandom;

/// Inputs that look random to a processor and are the same in every run and on every side.
public final class Draws {

  private static final long SEED = 42;

  private Draws() {}

  /// Whole numbers from 0 to below `bound`.
  public static int[] below(int count, int bound) {
    return new SplittableRandom(SEED).ints(count, 0, bound).toArray();
  }

  /// Sizes from `least` to `most` whose logarithms are spread evenly: small ones are frequent, as
  /// they are in a server.
  public static int[] logarithmic(int count, int least, int most) {
    SplittableRandom random = new SplittableRandom(SEED);
    double range = Math.log((double) most / least);
    int[] sizes = new int[count];
    Arrays.setAll(sizes, _ -> (int) (least * Math.exp(range * random.nextDouble())));
    return sizes;
  }
}

package dev.quickwater.microbench.report;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;

/// A quotient of two measured figures with its 95 % confidence interval.
///
/// Both forms work on logarithms, because a quotient's error is a factor, not a difference, and use
/// Student's t distribution, because rounds are few. With a single value on a side there is no
/// interval: `low` and `high` are NaN.
public record Ratio(double value, double low, double high) {

  private static final double UPPER = 0.975;

  /// Of figures taken in the same rounds: what disturbs a round disturbs both sides, so the
  /// quotient is formed in each round first. The value is the median of these quotients, the
  /// interval is that of their mean logarithm, widened to the median where a stray round has pulled
  /// the mean away.
  public static Ratio paired(double[] numerators, double[] denominators) {
    int n = numerators.length;
    double[] logs = new double[n];
    for (int i = 0; i < n; i++) {
      logs[i] = Math.log(numerators[i] / denominators[i]);
    }
    double median = median(logs);
    if (n < 2) {
      return new Ratio(Math.exp(median), Double.NaN, Double.NaN);
    }
    double mean = mean(logs);
    double half = t(n - 1) * Math.sqrt(variance(logs, mean) / n);
    return new Ratio(
        Math.exp(median),
        Math.exp(Math.min(mean - half, median)),
        Math.exp(Math.max(mean + half, median)));
  }

  /// Of independent samples, such as the iterations of two JMH runs: Welch's interval on the
  /// difference of the mean logarithms. The value is the quotient of the geometric means.
  public static Ratio independent(double[] numerators, double[] denominators) {
    double[] a = Arrays.stream(numerators).map(Math::log).toArray();
    double[] b = Arrays.stream(denominators).map(Math::log).toArray();
    double difference = mean(a) - mean(b);
    if (a.length < 2 || b.length < 2) {
      return new Ratio(Math.exp(difference), Double.NaN, Double.NaN);
    }
    double va = variance(a, mean(a)) / a.length;
    double vb = variance(b, mean(b)) / b.length;
    double sum = va + vb;
    if (sum == 0) {
      return new Ratio(Math.exp(difference), Math.exp(difference), Math.exp(difference));
    }
    double freedom = sum * sum / (va * va / (a.length - 1) + vb * vb / (b.length - 1));
    double half = t(freedom) * Math.sqrt(sum);
    return new Ratio(
        Math.exp(difference), Math.exp(difference - half), Math.exp(difference + half));
  }

  /// The same comparison seen from the other side.
  public Ratio inverse() {
    return new Ratio(1 / value, 1 / high, 1 / low);
  }

  public static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }

  private static double variance(double[] values, double mean) {
    return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1);
  }

  private static double t(double freedom) {
    return new TDistribution(freedom).inverseCumulativeProbability(UPPER);
  }
}

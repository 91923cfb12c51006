package dev.quickwater.microbench.report;

/// Whether a ratio reaches its target.
public enum Verdict {
  /// There is no target.
  NONE(""),
  /// The whole interval is at or above the target.
  REACHED("reached"),
  /// The target is inside the interval: this run cannot tell.
  UNDECIDED("within reach"),
  /// Even the upper end of the interval is below the target.
  SHORT("SHORT");

  private final String text;

  Verdict(String text) {
    this.text = text;
  }

  static Verdict of(Ratio ratio, double target) {
    if (Double.isNaN(target)) {
      return NONE;
    }
    // Without an interval the value is all there is.
    double low = Double.isNaN(ratio.low()) ? ratio.value() : ratio.low();
    double high = Double.isNaN(ratio.high()) ? ratio.value() : ratio.high();
    return high < target ? SHORT : low >= target ? REACHED : UNDECIDED;
  }

  @Override
  public String toString() {
    return text;
  }
}

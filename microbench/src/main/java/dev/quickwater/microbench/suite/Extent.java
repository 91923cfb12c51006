package dev.quickwater.microbench.suite;

import dev.quickwater.microbench.command.Options;
import dev.quickwater.microbench.jmh.Length;

/// How much of a suite is run: fewer values and one round to look, every variant of Netty to quote.
enum Extent {
  QUICK(1, Length.BRIEF),
  USUAL(2, Length.BRIEF),
  FULL(3, Length.USUAL);

  /// How often all sides of a row run.
  final int rounds;

  final Length length;

  Extent(int rounds, Length length) {
    this.rounds = rounds;
    this.length = length;
  }

  static Extent of(Options options) {
    return options.has("--full") ? FULL : options.has("--quick") ? QUICK : USUAL;
  }

  /// The variants of Netty where leak tracking has no part.
  Against variants() {
    return this == FULL ? Against.ANY : Against.ENDS;
  }

  boolean quick() {
    return this == QUICK;
  }
}

package dev.quickwater.microbench.suite;

import static dev.quickwater.microbench.jmh.JvmTerms.NETTY;
import static dev.quickwater.microbench.jmh.JvmTerms.NETTY_UNSAFE;
import static dev.quickwater.microbench.jmh.JvmTerms.POOLED;
import static dev.quickwater.microbench.jmh.JvmTerms.POOLED_UNSAFE;
import static dev.quickwater.microbench.jmh.JvmTerms.QUICKWATER;

import dev.quickwater.microbench.jmh.JvmTerms;
import java.util.List;
import java.util.function.UnaryOperator;

/// The peers of a row. Its ratio is that to the fastest of them.
///
/// @param ours our side on the terms that match the peers'
/// @param peers at least one
record Against(JvmTerms ours, List<JvmTerms> peers) {

  /// Netty as shipped: no flag, so no `Unsafe`, the adaptive allocator, leak detection on.
  static final Against SHIPPED = new Against(QUICKWATER, List.of(NETTY));

  /// Netty without any flag but the one that chooses an allocator.
  static final Against EITHER_SHIPPED = new Against(QUICKWATER, List.of(NETTY, POOLED));

  /// Netty at its fastest: `Unsafe` allowed, leak detection off, and off for us too.
  static final Against FASTEST =
      new Against(
          QUICKWATER.untracked(), List.of(NETTY_UNSAFE.untracked(), POOLED_UNSAFE.untracked()));

  /// Every variant of Netty, where ours is as shipped: for what leak tracking has no part in.
  static final Against ANY =
      new Against(
          QUICKWATER, List.of(NETTY, POOLED, NETTY_UNSAFE.untracked(), POOLED_UNSAFE.untracked()));

  /// The two ends of [#ANY], where there is no time for all.
  static final Against ENDS = new Against(QUICKWATER, List.of(NETTY, POOLED_UNSAFE.untracked()));

  /// Netty as shipped and with `Unsafe`, for what is no buffer.
  static final Against EITHER_ACCESS = new Against(QUICKWATER, List.of(NETTY, NETTY_UNSAFE));

  /// Both sides with leak tracking at one level; neither tracker touches memory, so that `Unsafe`
  /// makes no difference.
  static Against atLeakLevel(String level) {
    String suffix = "-" + level;
    return new Against(
        QUICKWATER.leakLevel(suffix, level), List.of(NETTY.leakLevel(suffix, level)));
  }

  /// All sides on threads of another kind.
  Against on(UnaryOperator<JvmTerms> threads) {
    return new Against(threads.apply(ours), peers.stream().map(threads).toList());
  }

  /// Ours in arrays, as without native access.
  Against inArrays() {
    return new Against(ours.withoutNativeAccess(), peers);
  }
}

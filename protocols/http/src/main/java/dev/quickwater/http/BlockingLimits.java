package dev.quickwater.http;

/// How many exchanges one blocking handler works on at a time; immutable, checked when it is made.
///
/// A handler counts until it returns, also if its peer is gone: the interruption that it gets then
/// does not end every kind of work. The limit for one peer keeps a peer that opens and resets
/// connections from occupying a handler that others need. A peer is an IPv4 address or the first 64
/// bits of an IPv6 address. Peers without an IP address, as on Unix sockets, have no such limit.
///
/// @param max exchanges in total; further ones are answered with 503
/// @param maxPerPeer exchanges of one peer; further ones are answered with 429. Behind a proxy all
///   requests come from its address: set it to `max` there
public record BlockingLimits(int max, int maxPerPeer) {

  /// 10,000 exchanges, 2,500 of one peer.
  public static final BlockingLimits DEFAULT = new BlockingLimits(10_000, 2_500);

  /// Checks the values.
  ///
  /// @throws IllegalArgumentException if one is less than 1
  public BlockingLimits {
    require("max", max);
    require("maxPerPeer", maxPerPeer);
  }

  private static void require(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " is " + value + ", expected 1 or more");
    }
  }

  /// These limits with another one of all exchanges.
  public BlockingLimits withMax(int exchanges) {
    return new BlockingLimits(exchanges, maxPerPeer);
  }

  /// These limits with another one of each peer.
  public BlockingLimits withMaxPerPeer(int exchanges) {
    return new BlockingLimits(max, exchanges);
  }
}

package dev.quickwater.http;

/// The maximum numbers of exchanges that one blocking handler handles at a time. Immutable; checked
/// when created.
///
/// A call of the handler counts until it returns, even after its peer has disconnected, because
/// some work ignores the interrupt. The limit for one peer stops a peer that opens and resets
/// connections from occupying the whole handler. A peer is an IPv4 address or the first 64 bits of
/// an IPv6 address. Peers without an IP address, such as those of Unix sockets, have no such limit.
///
/// @param max exchanges in total; the response to further exchanges is 503
/// @param maxPerPeer exchanges of one peer; the response to further exchanges is 429. All requests
///   of a reverse proxy have the address of the proxy: set this limit to `max` there
public record BlockingLimits(int max, int maxPerPeer) {

  /// 10,000 exchanges, 2,500 of one peer.
  public static final BlockingLimits DEFAULT = new BlockingLimits(10_000, 2_500);

  /// Checks the values.
  ///
  /// @throws IllegalArgumentException if a value is less than 1
  public BlockingLimits {
    require("max", max);
    require("maxPerPeer", maxPerPeer);
  }

  private static void require(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " is " + value + ", expected 1 or more");
    }
  }

  /// These limits with another total.
  public BlockingLimits withMax(int exchanges) {
    return new BlockingLimits(exchanges, maxPerPeer);
  }

  /// These limits with another maximum for each peer.
  public BlockingLimits withMaxPerPeer(int exchanges) {
    return new BlockingLimits(max, exchanges);
  }
}

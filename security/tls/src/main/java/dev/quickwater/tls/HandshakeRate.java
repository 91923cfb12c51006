package dev.quickwater.tls;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Limits the handshakes that one address may begin in a second, because a handshake costs the
/// server more than the client.
///
/// - An IPv6 address counts as its network of 64 bits, which one customer has.
/// - The memory is fixed: addresses share [#SLOTS] counters by a hash, so a limit can be reached by
///   several addresses together. The hash has a secret, so a peer cannot choose an address whose
///   counter is that of another peer.
/// - Peers without an Internet address are not limited.
///
/// Any thread.
final class HandshakeRate {

  private static final int SLOTS = 1 << 12;
  private static final long SECOND = 1_000_000_000L;

  private final int limit;
  private final long secret = ThreadLocalRandom.current().nextLong() | 1;
  private final AtomicIntegerArray counts = new AtomicIntegerArray(SLOTS);
  private final AtomicLong second = new AtomicLong(Long.MIN_VALUE);

  HandshakeRate(int limit) {
    this.limit = limit;
  }

  /// Counts a handshake.
  ///
  /// @param now the time in nanoseconds; that of a loop may be older than that of another
  /// @return false if the counter of the address exceeds the limit in this second
  boolean permits(@Nullable SocketAddress peer, long now) {
    if (!(peer instanceof InetSocketAddress address) || address.getAddress() == null) {
      return true;
    }
    long current = Math.floorDiv(now, SECOND);
    long counted = second.get();
    if (current > counted && second.compareAndSet(counted, current)) {
      for (int i = 0; i < SLOTS; i++) {
        counts.setRelease(i, 0);
      }
    }
    return counts.incrementAndGet(slot(address.getAddress())) <= limit;
  }

  private int slot(InetAddress address) {
    byte[] bytes = address.getAddress();
    long network = 0;
    for (int i = 0; i < Math.min(bytes.length, Long.BYTES); i++) {
      network = network << 8 | bytes[i] & 0xff;
    }
    long mixed = (network ^ secret) * 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ mixed >>> 32) * secret;
    return (int) (mixed >>> 52);
  }
}

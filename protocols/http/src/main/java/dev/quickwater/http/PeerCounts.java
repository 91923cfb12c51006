package dev.quickwater.http;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Counts the items that each peer address occupies, up to a limit. Any thread; no call blocks.
///
/// An entry exists only while its count is above zero, so there are at most as many entries as
/// counted items. Keys are numbers, which the map can order: a peer that chooses many addresses
/// cannot make look-ups linear.
final class PeerCounts {

  private final ConcurrentHashMap<Long, Integer> counts = new ConcurrentHashMap<>();
  private final int max;

  PeerCounts(int max) {
    this.max = max;
  }

  /// The key of an address. For IPv6 it is the first 64 bits, because one peer usually has the
  /// whole prefix. An IPv4 address has a key below all prefixes in use. Null without an IP address.
  static @Nullable Long key(@Nullable SocketAddress address) {
    if (!(address instanceof InetSocketAddress inet)) {
      return null;
    }
    @Nullable InetAddress ip = inet.getAddress();
    if (ip == null) {
      return null;
    }
    byte[] bytes = ip.getAddress();
    int used = ip instanceof Inet4Address ? 4 : 8;
    long key = 0;
    for (int i = 0; i < used; i++) {
      key = key << 8 | bytes[i] & 0xff;
    }
    return key;
  }

  /// Counts one more.
  ///
  /// @return false if the peer has reached the limit; nothing is counted then
  boolean tryAdd(Long peer) {
    while (true) {
      @Nullable Integer count = counts.get(peer);
      if (count == null) {
        if (counts.putIfAbsent(peer, 1) == null) {
          return true;
        }
      } else if (count >= max) {
        return false;
      } else if (counts.replace(peer, count, count + 1)) {
        return true;
      }
    }
  }

  /// Counts one less.
  void remove(Long peer) {
    while (true) {
      @Nullable Integer count = counts.get(peer);
      if (count == null) {
        throw new IllegalStateException("nothing is counted for the peer");
      }
      if (count == 1 ? counts.remove(peer, count) : counts.replace(peer, count, count - 1)) {
        return;
      }
    }
  }

  /// Peers with a count above zero.
  int peers() {
    return counts.size();
  }
}

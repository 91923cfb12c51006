package dev.quickwater.io.posix.socket;

import dev.quickwater.io.posix.gate.NativeOrder;
import dev.quickwater.io.posix.gate.SocketAddresses;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// Caches the addresses of the last peers of a datagram socket, as objects and as `sockaddr`. Most
/// datagrams come from a few peers, and answers return to them. Decoding an address costs about 100
/// ns and 160 bytes.
///
/// An entry is found by the bytes of a `sockaddr` or by the identity of its object. Two peers with
/// the same hash replace each other.
final class AddressCache {

  private static final int PLACES = 32;
  private static final int WORDS = 4;

  private final int family;
  private final @Nullable InetSocketAddress[] addresses = new InetSocketAddress[PLACES];
  private final int[] lengths = new int[PLACES];

  /// The `sockaddr` of each entry in words of 8 bytes, padded with zeros.
  private final long[] words = new long[PLACES * WORDS];

  /// The index of the last address found: answers to one peer follow each other.
  private int lastPlace;

  /// A cache for a socket of an address family.
  AddressCache(int family) {
    this.family = family;
  }

  /// The object of a `sockaddr` that the kernel has written. The bytes after its length must be
  /// zero up to a multiple of 8.
  @Nullable SocketAddress decode(long at, int length) {
    if (length == 0) {
      return null;
    }
    long tail = length > 16 ? tail(at) : 0;
    long third = length > 16 ? NativeOrder.getLong(at + 16) : 0;
    int place = place(NativeOrder.getLong(at), NativeOrder.getLong(at + 8), third);
    int base = place * WORDS;
    if (lengths[place] == length
        && words[base] == NativeOrder.getLong(at)
        && words[base + 1] == NativeOrder.getLong(at + 8)
        && words[base + 2] == third
        && words[base + 3] == tail) {
      return addresses[place];
    }
    SocketAddress decoded = SocketAddresses.decode(at, length);
    if (decoded instanceof InetSocketAddress inet) {
      store(place, inet, at, length);
    }
    return decoded;
  }

  private static long tail(long at) {
    return NativeOrder.getInt(at + 24);
  }

  private void store(int place, InetSocketAddress address, long at, int length) {
    int base = place * WORDS;
    addresses[place] = address;
    lengths[place] = length;
    words[base] = NativeOrder.getLong(at);
    words[base + 1] = NativeOrder.getLong(at + 8);
    words[base + 2] = length > 16 ? NativeOrder.getLong(at + 16) : 0;
    words[base + 3] = length > 16 ? tail(at) : 0;
  }

  /// Port and address are in the first two words for IPv4, in the first three for IPv6.
  private static int place(long first, long second, long third) {
    long mixed = (first ^ second * 31 ^ third) * 0x9E37_79B9_7F4A_7C15L;
    return (int) (mixed >>> 64 - Integer.numberOfTrailingZeros(PLACES));
  }

  /// Writes an address as a `sockaddr` of the socket's family.
  ///
  /// @return its length
  int encode(InetSocketAddress address, long target) {
    int place = lastPlace;
    if (addresses[place] != address) {
      place = find(address);
    }
    if (place < 0) {
      return SocketAddresses.encode(address, family, target);
    }
    lastPlace = place;
    int base = place * WORDS;
    NativeOrder.putLong(target, words[base]);
    NativeOrder.putLong(target + 8, words[base + 1]);
    if (lengths[place] > 16) {
      NativeOrder.putLong(target + 16, words[base + 2]);
      NativeOrder.putInt(target + 24, (int) words[base + 3]);
    }
    return lengths[place];
  }

  private int find(InetSocketAddress address) {
    for (int i = 0; i < PLACES; i++) {
      if (addresses[i] == address) {
        return i;
      }
    }
    return -1;
  }
}

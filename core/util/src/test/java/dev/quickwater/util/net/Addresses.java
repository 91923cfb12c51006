package dev.quickwater.util.net;

import java.math.BigInteger;
import java.util.Random;

/// Random addresses that have what real ones have: runs of zeros, small groups, shared beginnings.
final class Addresses {

  private Addresses() {}

  static IpAddress draw(Random random) {
    return random.nextBoolean()
        ? IpAddress.ofIpv4(half(random.nextInt(), random))
        : IpAddress.ofIpv6(draw64(random), draw64(random));
  }

  private static int half(int value, Random random) {
    return random.nextInt(4) == 0 ? 0x0a00_0000 | value & 0x0f0f : value;
  }

  static long draw64(Random random) {
    long value = random.nextLong();
    for (int i = 0; i < 4; i++) {
      switch (random.nextInt(5)) {
        case 0, 1 -> value &= ~(0xffffL << 16 * i);
        case 2 -> value &= ~(0xfff0L << 16 * i);
        default -> {}
      }
    }
    return random.nextInt(12) == 0 ? 0xffff_0000_0000L | value & 0xffff_ffffL : value;
  }

  static BigInteger number(IpAddress address) {
    return new BigInteger(1, address.toByteArray());
  }
}

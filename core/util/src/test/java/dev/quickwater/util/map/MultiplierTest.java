package dev.quickwater.util.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.math.BigInteger;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/// The JDK's generator is a counter behind a permutation (MurmurHash3's), which can be undone: who
/// has seen two of its numbers can tell the next one.
final class MultiplierTest {

  private static final long FIRST = 0xff51_afd7_ed55_8ccdL;
  private static final long SECOND = 0xc4ce_b9fe_1a85_ec53L;

  private static long mixed(long counter) {
    long z = (counter ^ counter >>> 33) * FIRST;
    z = (z ^ z >>> 33) * SECOND;
    return z ^ z >>> 33;
  }

  private static long counter(long mixed) {
    long z = (mixed ^ mixed >>> 33) * inverse(SECOND);
    z = (z ^ z >>> 33) * inverse(FIRST);
    return z ^ z >>> 33;
  }

  private static long inverse(long odd) {
    return BigInteger.valueOf(odd).modInverse(BigInteger.TWO.pow(Long.SIZE)).longValue();
  }

  @Test
  void multiplierCannotBeToldFromNumbersThatWereGivenAway() {
    ThreadLocalRandom generator = ThreadLocalRandom.current();
    long first = counter(generator.nextLong());
    long second = counter(generator.nextLong());
    long step = second - first;
    assertEquals(mixed(second + step), generator.nextLong(), "the generator is as described");
    assertNotEquals(mixed(second + 2 * step) | 1, Table.drawn());
  }
}

package dev.quickwater.util.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Networks against arithmetic on big integers.
final class CidrTest {

  static Cidr draw(Random random) {
    IpAddress address = Addresses.draw(random).unmapped();
    return Cidr.around(address, random.nextInt(address.isIpv4() ? 33 : 129));
  }

  /// The first address of a network as a number, and how many addresses it has.
  static BigInteger size(Cidr cidr) {
    return BigInteger.ONE.shiftLeft((cidr.first().isIpv4() ? 32 : 128) - cidr.prefix());
  }

  static boolean contains(Cidr cidr, IpAddress address) {
    IpAddress plain = address.unmapped();
    BigInteger distance = Addresses.number(plain).subtract(Addresses.number(cidr.first()));
    return plain.isIpv4() == cidr.first().isIpv4()
        && distance.signum() >= 0
        && distance.compareTo(size(cidr)) < 0;
  }

  @Test
  void whatIsWithinIsWhatArithmeticSays() {
    Random random = new Random(1);
    for (int i = 0; i < 30_000; i++) {
      Cidr cidr = draw(random);
      BigInteger first = Addresses.number(cidr.first());
      assertEquals(BigInteger.ZERO, first.mod(size(cidr)));
      assertEquals(first.add(size(cidr)).subtract(BigInteger.ONE), Addresses.number(cidr.last()));
      assertTrue(cidr.contains(cidr.first()) || cidr.first().isMapped());
      IpAddress address = Addresses.draw(random);
      assertEquals(contains(cidr, address), cidr.contains(address), cidr + " " + address);
      IpAddress near = near(cidr, random);
      assertEquals(contains(cidr, near), cidr.contains(near), cidr + " " + near);
      assertEquals(contains(cidr, near), cidr.contains(near.toInetAddress()), cidr + " " + near);
      assertEquals(cidr, Cidr.of(cidr.toString()));
      assertEquals(cidr.hashCode(), Cidr.of(cidr.toString()).hashCode());
    }
  }

  /// An address that differs in one bit from one of the network.
  private static IpAddress near(Cidr cidr, Random random) {
    byte[] bytes = (random.nextBoolean() ? cidr.first() : cidr.last()).toByteArray();
    int bit = random.nextInt(bytes.length * 8);
    bytes[bit >> 3] ^= (byte) (0x80 >> (bit & 7));
    return IpAddress.of(bytes);
  }

  @Test
  void networksAreWithinEachOtherOrApart() {
    Random random = new Random(2);
    for (int i = 0; i < 30_000; i++) {
      Cidr a = draw(random);
      Cidr b =
          random.nextBoolean()
              ? draw(random)
              : Cidr.around(near(a, random), random.nextInt(a.prefix() + 1));
      boolean aHasB =
          a.first().isIpv4() == b.first().isIpv4()
              && within(a, Addresses.number(b.first()))
              && within(a, Addresses.number(b.last()));
      boolean bHasA =
          a.first().isIpv4() == b.first().isIpv4()
              && within(b, Addresses.number(a.first()))
              && within(b, Addresses.number(a.last()));
      assertEquals(aHasB, a.contains(b), a + " " + b);
      assertEquals(aHasB || bHasA, a.overlaps(b), a + " " + b);
      assertEquals(aHasB || bHasA, b.overlaps(a), a + " " + b);
      assertEquals(a.equals(b), a.compareTo(b) == 0);
    }
  }

  private static boolean within(Cidr cidr, BigInteger address) {
    BigInteger distance = address.subtract(Addresses.number(cidr.first()));
    return distance.signum() >= 0 && distance.compareTo(size(cidr)) < 0;
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1/8, 10.0.0.0/8",
    "255.255.255.255/0, 0.0.0.0/0",
    "192.168.1.129/25, 192.168.1.128/25",
    "2001:db8::1/32, 2001:db8::/32",
    "ffff::1/0, ::/0",
    "1:2:3:4:5:6:7:8/127, 1:2:3:4:5:6:7:8/127",
    "1:2:3:4:5:6:7:9/127, 1:2:3:4:5:6:7:8/127",
    "1:2:3:4:5:6:7:8/64, 1:2:3:4::/64",
    "::ffff:10.1.2.3/104, 10.0.0.0/8",
    "::ffff:10.1.2.3/95, ::fffe:0:0/95"
  })
  void theNetworkAroundAnAddress(String given, String network) {
    assertEquals(network, Cidr.around(given).toString());
    if (given.equals(network)) {
      assertEquals(network, Cidr.of(given).toString());
    } else {
      var e = assertThrows(IllegalArgumentException.class, () -> Cidr.of(given));
      assertTrue(e.getMessage().contains(network), e::getMessage);
    }
  }

  @Test
  void aMappedNetworkIsTheIpv4One() {
    assertEquals(Cidr.of("10.0.0.0/8"), Cidr.of("::ffff:10.0.0.0/104"));
    assertEquals(Cidr.of("10.1.2.3/32"), Cidr.of("::ffff:10.1.2.3/128"));
    assertTrue(Cidr.of("10.0.0.0/8").contains(IpAddress.of("::ffff:10.9.9.9")));
    assertFalse(Cidr.of("::/0").contains(IpAddress.of("::ffff:10.9.9.9")));
    assertTrue(Cidr.of("::/0").contains(IpAddress.of("fe80::1%eth0")));
    assertEquals("1.2.3.4/32", Cidr.of(IpAddress.of("1.2.3.4")).toString());
    assertEquals("::1/128", Cidr.of(IpAddress.of("::1")).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "10.0.0.0",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/+8",
        "10.0.0.0/08",
        "10.0.0.0/8 ",
        " 10.0.0.0/8",
        "10.0.0.0/8/8",
        "10.0.0.0/255.0.0.0",
        "10/8",
        "/8",
        "::/129",
        "::/0000",
        "::/1000",
        "::/99999999999",
        "fe80::%eth0/64",
        "fe80::/64%eth0",
        "[::]/0",
        "10.0.0.0/٨",
        "10.0.0.0/8\0"
      })
  void otherTextsAreNoNetworks(String text) {
    assertThrows(IllegalArgumentException.class, () -> Cidr.of(text));
    assertThrows(IllegalArgumentException.class, () -> Cidr.around(text));
  }
}

package dev.quickwater.util.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The value: order, equality, zones, what an address is, and the JDK's own.
final class IpAddressTest {

  @Test
  void theJdkSeesTheSameAddress() throws Exception {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      IpAddress address = Addresses.draw(random);
      InetAddress theirs = address.toInetAddress();
      assertEquals(address, IpAddress.of(theirs));
      assertEquals(address.toString(), IpAddress.toString(theirs));
      assertEquals(address, IpAddress.of(address.toByteArray()));
      if (!address.isMapped()) {
        assertEquals(InetAddress.getByAddress(address.toByteArray()), theirs);
        assertEquals(theirs, InetAddress.ofLiteral(address.toString()));
        assertEquals(theirs.isLoopbackAddress(), address.isLoopback());
        assertEquals(theirs.isAnyLocalAddress(), address.isUnspecified());
        assertEquals(theirs.isLinkLocalAddress(), address.isLinkLocal());
        assertEquals(theirs.isMulticastAddress(), address.isMulticast());
      }
    }
    assertThrows(IllegalArgumentException.class, () -> IpAddress.of(new byte[5]));
  }

  /// What the JDK reads in another way than we do.
  ///
  /// | text | JDK 25 | here |
  /// |---|---|---|
  /// | `127.1`, `1`, `1.2.3` | fewer parts, the last one fills up | refused |
  /// | `01.02.03.04` | leading zeros ignored, decimal | refused |
  /// | `::00001` | more than four digits of a group, zeros in front | refused |
  /// | `::ffff:1.2.3.4` | an IPv4 address | an IPv6 address |
  /// | `[::1]` | brackets are taken off | refused, see `HostPort` |
  /// | `::1%1`, `2001:db8::1%2` | any address has a zone | only where links differ |
  @Test
  void whereTheJdkReadsOtherwise() {
    for (String text :
        new String[] {"127.1", "1", "1.2.3", "01.02.03.04", "[::1]", "::1%1", "::00001"}) {
      assertTrue(InetAddress.ofLiteral(text) instanceof InetAddress, text);
      assertNull(IpAddress.parse(text), text);
    }
    assertEquals(4, InetAddress.ofLiteral("::ffff:1.2.3.4").getAddress().length);
    assertFalse(IpAddress.of("::ffff:1.2.3.4").isIpv4());
  }

  @Test
  void orderIsByFamilyAndUnsignedValue() {
    Random random = new Random(2);
    for (int i = 0; i < 20_000; i++) {
      IpAddress a = Addresses.draw(random);
      IpAddress b = random.nextInt(5) == 0 ? IpAddress.of(a.toByteArray()) : Addresses.draw(random);
      int expected =
          a.isIpv4() == b.isIpv4()
              ? Addresses.number(a).compareTo(Addresses.number(b))
              : a.isIpv4() ? -1 : 1;
      assertEquals(expected, Integer.signum(a.compareTo(b)), a + " " + b);
      assertEquals(expected == 0, a.equals(b));
      if (expected == 0) {
        assertEquals(a.hashCode(), b.hashCode());
      }
    }
    assertNotEquals(IpAddress.of("0.0.0.1"), IpAddress.of("::1"));
  }

  @ParameterizedTest
  @CsvSource({
    "fe80::1%eth0, eth0",
    "fe80::1%1, 1",
    "fec0::1%en-0.1_~, en-0.1_~",
    "ff02::1%lo, lo",
    "ff05::1:3%12345678901234567890123456789012, 12345678901234567890123456789012",
    "fe80::1%00, 00",
    "fe80:0:0:0:0:0:255.255.255.255%x, x"
  })
  void zonesAreKept(String text, String zone) {
    IpAddress address = IpAddress.of(text);
    assertEquals(zone, address.zone());
    assertEquals(address, IpAddress.of(address.toString()));
    assertNotEquals(address, address.withoutZone());
    assertTrue(address.compareTo(address.withoutZone()) > 0);
    assertNull(address.withoutZone().zone());
    StringBuilder builder = new StringBuilder();
    address.append(builder);
    assertEquals(address.toString(), builder.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fe80::1%",
        "fe80::1%%",
        "fe80::1%eth0%1",
        "fe80::1%eth 0",
        "fe80::1%eth0/64",
        "fe80::1%\0",
        "fe80::1%\u0660",
        "fe80::1%éth",
        "%eth0",
        "fe80%eth0",
        "fe80:%eth0",
        "2001:db8::1%eth0",
        "::1%lo",
        "ff0e::1%eth0",
        "1.2.3.4%eth0",
        "::ffff:169.254.1.1%eth0",
        "fe80::1%123456789012345678901234567890123",
        "fe80::1%25%65",
        "[fe80::1%eth0]"
      })
  void otherZonesAreRefused(String text) {
    assertNull(IpAddress.parse(text));
    assertThrows(IllegalArgumentException.class, () -> IpAddress.of(text));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 999_999_999, 1_000_000_000, Integer.MAX_VALUE})
  void numbersOfInterfacesAreKept(int number) throws Exception {
    byte[] bytes = IpAddress.of("fe80::1").toByteArray();
    IpAddress address = IpAddress.of(Inet6Address.getByAddress(null, bytes, number));
    assertEquals(String.valueOf(number), address.zone());
    Inet6Address theirs = assertInstanceOf(Inet6Address.class, address.toInetAddress());
    assertEquals(number, theirs.getScopeId());
  }

  /// Linux has interfaces with such names.
  @ParameterizedTest
  @ValueSource(strings = {"a%b", "br+lan", "eth0:1", "é", "a b", "a\u001b[31m", "", "7"})
  void interfaceWithANameThatCannotBeReadBackIsANumber(String name) {
    assertEquals("3", Zone.of(name, 3));
    assertNull(Zone.of(name, 0));
    assertEquals("eth0.1", Zone.of("eth0.1", 3));
  }

  @Test
  void zonesBecomeTheJdks() {
    InetAddress numbered = IpAddress.of("fe80::1%7").toInetAddress();
    assertEquals(7, ((Inet6Address) numbered).getScopeId());
    assertEquals(IpAddress.of("fe80::1"), IpAddress.of(numbered).withoutZone());
    var e =
        assertThrows(
            IllegalStateException.class,
            () -> IpAddress.of("fe80::1%no-such-link").toInetAddress());
    assertTrue(e.getMessage().contains("no-such-link of fe80::1%no-such-link"), e::getMessage);
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, loopback",
    "127.255.255.255, loopback",
    "::1, loopback",
    "::ffff:127.0.0.1, loopback",
    "0.0.0.0, unspecified",
    "::, unspecified",
    "::ffff:0.0.0.0, unspecified",
    "10.255.255.255, private",
    "172.16.0.0, private",
    "172.31.255.255, private",
    "192.168.0.0, private",
    "fc00::, private",
    "fdff::1, private",
    "::ffff:10.0.0.1, private",
    "169.254.169.254, linkLocal",
    "fe80::1, linkLocal",
    "febf:ffff::, linkLocal",
    "::ffff:169.254.1.1, linkLocal",
    "224.0.0.1, multicast",
    "239.255.255.255, multicast",
    "ff02::1, multicast",
    "::ffff:224.0.0.1, multicast",
    "100.64.0.1, special",
    "192.0.2.1, special",
    "198.19.255.255, special",
    "240.0.0.1, special",
    "255.255.255.255, special",
    "64:ff9b:1::1, special",
    "64:ff9b::10.0.0.1, special",
    "2002:7f00:1::, special",
    "2001:db8::1, special",
    "2001::1, special",
    "4000::1, special",
    "fec0::1, special",
    "::127.0.0.1, special",
    "100::1, special",
    "8.8.8.8, global",
    "172.32.0.0, global",
    "192.169.0.1, global",
    "128.0.0.1, global",
    "::ffff:8.8.8.8, global",
    "64:ff9b::8.8.8.8, global",
    "2002:808:808::, global",
    "192.0.0.9, global",
    "2001:20::1, global",
    "2606:4700::1111, global"
  })
  void anAddressIsOfOneKind(String text, String kind) {
    IpAddress address = IpAddress.of(text);
    check(kind.equals("loopback"), address, IpAddress::isLoopback);
    check(kind.equals("unspecified"), address, IpAddress::isUnspecified);
    check(kind.equals("private"), address, IpAddress::isPrivate);
    check(kind.equals("linkLocal"), address, IpAddress::isLinkLocal);
    check(kind.equals("multicast"), address, IpAddress::isMulticast);
    check(kind.equals("global"), address, IpAddress::isGlobal);
  }

  private static void check(boolean expected, IpAddress address, Predicate<IpAddress> is) {
    assertEquals(expected, is.test(address), address.toString());
  }
}

package dev.quickwater.util.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The longest prefix decides, against a look at every rule.
final class CidrSetTest {

  private static boolean expected(Map<Cidr, Boolean> rules, IpAddress address) {
    int longest = -1;
    boolean isIn = false;
    for (Map.Entry<Cidr, Boolean> rule : rules.entrySet()) {
      if (rule.getKey().prefix() > longest && CidrTest.contains(rule.getKey(), address)) {
        longest = rule.getKey().prefix();
        isIn = rule.getValue();
      }
    }
    return isIn;
  }

  @Test
  void theLongestPrefixDecidesInWhateverOrderRulesCome() {
    Random random = new Random(1);
    for (int round = 0; round < 400; round++) {
      Map<Cidr, Boolean> rules = new HashMap<>();
      List<IpAddress> places = new ArrayList<>();
      CidrSet.Builder builder = CidrSet.builder();
      for (int n = random.nextInt(40); n > 0; n--) {
        Cidr rule = nested(places, random);
        if (rules.putIfAbsent(rule, random.nextBoolean()) == null) {
          boolean isIn = rules.get(rule);
          builder = isIn ? builder.add(rule) : builder.except(rule);
          places.add(rule.first());
          places.add(rule.last());
        }
      }
      CidrSet set = builder.build();
      for (IpAddress place : places) {
        for (IpAddress address : new IpAddress[] {place, next(place, 1), next(place, -1)}) {
          assertEquals(expected(rules, address), set.contains(address), address + " " + rules);
        }
      }
      for (int i = 0; i < 50; i++) {
        IpAddress address = Addresses.draw(random);
        assertEquals(expected(rules, address), set.contains(address), address + " " + rules);
        boolean isIn = set.contains(address);
        assertEquals(isIn, set.contains(address.toInetAddress()));
        assertEquals(
            isIn,
            address.isIpv4()
                ? set.containsIpv4((int) address.low())
                : set.containsIpv6(address.high(), address.low()));
      }
    }
  }

  /// A network that often contains another one's edge.
  private static Cidr nested(List<IpAddress> places, Random random) {
    if (places.isEmpty() || random.nextInt(3) == 0) {
      return CidrTest.draw(random);
    }
    IpAddress place = places.get(random.nextInt(places.size()));
    return Cidr.around(place, random.nextInt(place.isIpv4() ? 33 : 129));
  }

  /// The neighbour, round the end.
  private static IpAddress next(IpAddress place, int step) {
    if (place.isIpv4()) {
      return IpAddress.ofIpv4((int) place.low() + step);
    }
    long low = place.low() + step;
    long carry = step > 0 && low == 0 ? 1 : step < 0 && low == -1 ? -1 : 0;
    return IpAddress.ofIpv6(place.high() + carry, low);
  }

  @Test
  void everythingAndNothing() {
    assertFalse(CidrSet.EMPTY.contains(IpAddress.of("1.2.3.4")));
    assertFalse(CidrSet.EMPTY.contains(IpAddress.of("::1")));
    CidrSet all = CidrSet.of(List.of(Cidr.of("0.0.0.0/0"), Cidr.of("::/0")));
    for (String text : new String[] {"0.0.0.0", "255.255.255.255", "::", "ffff::ffff", "::1"}) {
      assertTrue(all.contains(IpAddress.of(text)), text);
    }
    CidrSet half = CidrSet.builder().add(Cidr.of("::/0")).except(Cidr.of("8000::/1")).build();
    assertTrue(half.contains(IpAddress.of("7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")));
    assertFalse(half.contains(IpAddress.of("8000::")));
    assertFalse(half.contains(IpAddress.of("1.2.3.4")));
  }

  @Test
  void aFilterIsNotDeceivedByTheMappedSpelling() {
    CidrSet denied = CidrSet.of(List.of(Cidr.of("10.0.0.0/8")));
    assertTrue(denied.contains(IpAddress.of("::ffff:10.1.2.3")));
    assertTrue(denied.contains(IpAddress.of("::ffff:10.1.2.3").toInetAddress()));
    assertTrue(denied.containsIpv6(0, 0xffff_0a01_0203L));
    assertFalse(CidrSet.of(List.of(Cidr.of("::/0"))).containsIpv6(0, 0xffff_0a01_0203L));
  }

  @Test
  void aRuleThatContradictsItselfIsAnError() {
    CidrSet.Builder builder =
        CidrSet.builder().add(Cidr.of("10.0.0.0/8")).add(Cidr.of("10.0.0.0/8"));
    var e =
        assertThrows(IllegalArgumentException.class, () -> builder.except(Cidr.of("10.0.0.0/8")));
    assertTrue(e.getMessage().contains("10.0.0.0/8"), e::getMessage);
    assertTrue(builder.build().contains(IpAddress.of("10.0.0.1")), "the rule before holds");
  }
}

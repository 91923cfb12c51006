package dev.quickwater.microbench.net;

import dev.quickwater.microbench.buffer.Draws;
import dev.quickwater.util.net.Ipv4;
import dev.quickwater.util.net.Ipv6;
import java.util.List;
import java.util.SplittableRandom;

/// Addresses and what looks like them, after the inputs of Netty's own suite.
public enum AddressTexts {
  /// Those that it validates, and random ones.
  IPV4("127.0.0.1|255.255.255.255|1.1.1.1"),

  /// Those that it validates and resolves, and random ones.
  IPV6(
      "fdf8:f53b:82e4::53|2001::1|2001:0000:4136:e378:8000:63bf:3fff:fdd2|"
          + "0:0:0:0:0:0:10.0.0.1|::|::1234:2345|1234:2345::3456:7890|"
          + "fe80::bdad:7a67:6fcd:fa89|fe80:bdad:7a67:6fcd::fa89|"
          + "1234:2345:3456:4567:5678:6789:0:7890"),

  /// Those that are no IPv4 address.
  NOT_IPV4(
      "127.0.0.256|127.0.0.1.1|127.0.0|[2001::1]|1.256.3.4|256.0.0.1|1.1.1.1.1|"
          + "x.255.255.255|0.1:0.0|0.1.0.0:|127.0.0.|1.2..4|192.0.1|192.0.1.1.1|192.0.1.a|"
          + "19a.0.1.1|a.0.1.1|.0.1.1|192.0.1.256|0.0.200.259|1.1.-1.1|1.1. 1.1|1.1.1.1 |"
          + "1.1.+1.1|0.0x1.0.255|0.01x.0.255|0.x01.0.255|0.-.0.0|0..0.0|0.A.0.0|0.1111.0.0|"
          + "..."),

  /// Those that are no IPv6 address.
  NOT_IPV6(
      "Obvious Garbage|0:1:2:3:4:5:6:7:8|0:1:2:3:4:5:6|0:1:2:3:4:5:6:x|"
          + "0:1:2:3:4:5:6:7::|1:2:3:4:5:6:7:|:1:2:3:4:5:6:7|0:1:2:3:4:5::7:|0::7:|"
          + "::0:1:2:3:7:|::7:|:1:2:3:4:|:1:|:1::2:3:4:5:6:7|:1::7|:1:2:3:4:5:6::7|"
          + "1::2:3:4:5:6::|::1:2:3:4:5::6|::0::|12::0::12|0:1:2:3:4:5:6:789abcdef|"
          + "0:1:2:3::x|0:1:2:::3|0:1:2:3::abcde|0:1|0:0:0:0:0:x:10.0.0.1|"
          + "0:0:0:0:0:0:10.0.0.x|0:0:0:0:0:00000:10.0.0.1|0:0:0:0:0:0:0:10.0.0.1|"
          + "0:0:0:0:0:10.0.0.1|0:0:0:0:0:0:10.0.0.0.1|0:0:0:0:0:0:10.0.1|"
          + "0:0:0:0:0:0:10..0.0.1|::fffx:192.168.0.1|:::ffff:192.168.0.1|"
          + "::fffff:192.168.0.1|::ffff:1923.168.0.1|:ffff:192.168.0.1|::ffff:192.168.0|"
          + "::ffff:127.a.0.1|2001:0:4136:e378:8000:63bf:3fff:fdd2:|"
          + "1234:2345:3456:4567:5678:6789::X890|:|:::");

  private static final int COUNT = 1 << 10;

  private final String named;

  /// @param named with a bar between them, which is in none
  AddressTexts(String named) {
    this.named = named;
  }

  private boolean isValid() {
    return this == IPV4 || this == IPV6;
  }

  private String drawOne(SplittableRandom random) {
    return this == IPV4 ? Ipv4.toString(random.nextInt()) : ipv6(random);
  }

  private static String ipv6(SplittableRandom random) {
    long high = random.nextLong();
    long low = random.nextLong();
    return Ipv6.toString(
        high & -1L << 16 * random.nextInt(4), low & -1L >>> 16 * random.nextInt(4));
  }

  /// A power of two of them.
  String[] draw() {
    SplittableRandom random = new SplittableRandom(42);
    List<String> all = List.of(named.split("\\|", -1));
    int[] places = Draws.below(COUNT, all.size());
    String[] texts = new String[COUNT];
    for (int i = 0; i < COUNT; i++) {
      boolean isDrawn = isValid() && random.nextBoolean();
      texts[i] = isDrawn ? drawOne(random) : all.get(places[i]);
    }
    return texts;
  }
}

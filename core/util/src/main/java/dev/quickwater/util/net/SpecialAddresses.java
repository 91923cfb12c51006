package dev.quickwater.util.net;

import java.util.List;

/// The blocks of IANA's registries of special-purpose addresses (RFC 6890) that are not globally
/// reachable.
final class SpecialAddresses {

  private static final List<String> NOT_GLOBAL =
      List.of(
          "0.0.0.0/8", // this network, RFC 791
          "10.0.0.0/8", // private, RFC 1918
          "100.64.0.0/10", // shared by carriers, RFC 6598
          "127.0.0.0/8", // loopback, RFC 1122
          "169.254.0.0/16", // link-local, RFC 3927
          "172.16.0.0/12", // private
          "192.0.0.0/24", // protocol assignments, RFC 6890
          "192.0.2.0/24", // documentation, RFC 5737
          "192.88.99.0/24", // 6to4 relays, deprecated by RFC 7526
          "192.168.0.0/16", // private
          "198.18.0.0/15", // benchmarks, RFC 2544
          "198.51.100.0/24", // documentation
          "203.0.113.0/24", // documentation
          "224.0.0.0/4", // multicast, RFC 5771
          "240.0.0.0/4", // reserved, RFC 1112, and broadcast
          "::/3", // outside of global unicast, RFC 4291: loopback, compatible, local NAT64 ...
          "2001::/23", // protocol assignments, Teredo among them
          "2001:db8::/32", // documentation, RFC 3849
          "3fff::/20", // documentation, RFC 9637
          "4000::/2", // not given out
          "8000::/1"); // not given out, unique local, link-local, multicast

  private static final List<String> GLOBAL =
      List.of(
          "192.0.0.9/32", // port control, RFC 7723
          "192.0.0.10/32", // relays for NAT traversal, RFC 8155
          "2001:1::1/128", // port control
          "2001:1::2/128", // relays for NAT traversal
          "2001:1::3/128", // service registration, RFC 9665
          "2001:3::/32", // multicast tunnels, RFC 7450
          "2001:4:112::/48", // AS112, RFC 7535
          "2001:20::/28", // ORCHIDv2, RFC 7343
          "2001:30::/28"); // drones, RFC 9374

  private static final CidrSet SPECIAL = special();

  private static final long NAT64 = 0x0064_ff9b_0000_0000L;

  private SpecialAddresses() {}

  private static CidrSet special() {
    CidrSet.Builder blocks = CidrSet.builder();
    NOT_GLOBAL.forEach(block -> blocks.add(Cidr.of(block)));
    GLOBAL.forEach(block -> blocks.except(Cidr.of(block)));
    return blocks.build();
  }

  static boolean isGlobal(IpAddress address) {
    if (!address.isIpv4OrMapped()) {
      if (address.high() == NAT64 && address.low() >>> 32 == 0) {
        return !SPECIAL.containsIpv4((int) address.low());
      }
      if (address.high() >>> 48 == 0x2002) {
        return !SPECIAL.containsIpv4((int) (address.high() >>> 16));
      }
    }
    return !SPECIAL.contains(address);
  }
}

package dev.quickwater.microbench.net;

import dev.quickwater.microbench.jmh.PairedBenchmark;
import dev.quickwater.util.net.Cidr;
import dev.quickwater.util.net.CidrSet;
import dev.quickwater.util.net.IpAddress;
import dev.quickwater.util.net.Ipv4;
import dev.quickwater.util.net.Ipv6;
import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilter;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// What does it cost to ask whether the address of a connection is in a network, or in one of many?
///
/// Both sides are given the JDK's socket address, as a transport gives it. Networks are apart, for
/// Netty's filter takes out those within others, and every other address is in one.
public class CidrBenchmark extends PairedBenchmark {

  private static final int ADDRESSES = 1 << 12;

  @Param({"IPV4", "IPV6"})
  public AddressTexts family = AddressTexts.IPV4;

  @Param({"10", "1000"})
  public int rules;

  private final InetSocketAddress[] addresses = new InetSocketAddress[ADDRESSES];
  private CidrSet ours = CidrSet.EMPTY;
  private Filter theirs = new Filter(List.of());
  private Cidr network = Cidr.of("0.0.0.0/0");
  private IpSubnetFilterRule rule = new IpSubnetFilterRule("0.0.0.0", 0, IpFilterRuleType.REJECT);
  private int next;

  /// Netty's filter without its channel.
  private static final class Filter extends IpSubnetFilter {
    Filter(List<IpSubnetFilterRule> rules) {
      super(false, rules);
    }

    boolean accepts(InetSocketAddress address) {
      return accept(null, address);
    }
  }

  @Setup
  public void draw() {
    SplittableRandom random = new SplittableRandom(42);
    List<Cidr> networks = new ArrayList<>();
    List<IpSubnetFilterRule> filters = new ArrayList<>();
    for (int i = 0; i < rules; i++) {
      boolean isIpv4 = family == AddressTexts.IPV4;
      // The first sixteen bits tell networks apart.
      int start = 0x0b00 + i * 7;
      Cidr cidr =
          isIpv4
              ? Cidr.of(IpAddress.ofIpv4(start << 16), 16)
              : Cidr.of(IpAddress.ofIpv6((0x2001L << 16 | start) << 32, 0), 32);
      networks.add(cidr);
      filters.add(
          new IpSubnetFilterRule(
              cidr.first().toInetAddress(), cidr.prefix(), IpFilterRuleType.ACCEPT));
    }
    ours = CidrSet.of(networks);
    theirs = new Filter(filters);
    network = networks.get(rules / 2);
    rule = filters.get(rules / 2);
    for (int i = 0; i < ADDRESSES; i++) {
      int start = 0x0b00 + random.nextInt(rules) * 7 + (random.nextBoolean() ? 0 : 3);
      String text =
          family == AddressTexts.IPV4
              ? Ipv4.toString(start << 16 | random.nextInt(0x10000))
              : Ipv6.toString((0x2001L << 16 | start) << 32, random.nextLong());
      addresses[i] = new InetSocketAddress(IpAddress.of(text).toInetAddress(), 80);
      if (ours.contains(addresses[i].getAddress()) != theirs.accepts(addresses[i])) {
        throw new IllegalStateException("the sides differ on " + text);
      }
    }
  }

  private InetSocketAddress next() {
    next = next + 1 & ADDRESSES - 1;
    return addresses[next];
  }

  @Benchmark
  public boolean quickwaterFilter() {
    return ours.contains(next().getAddress());
  }

  @Benchmark
  public boolean nettyFilter() {
    return theirs.accepts(next());
  }

  @Benchmark
  public boolean quickwaterRule() {
    return network.contains(next().getAddress());
  }

  @Benchmark
  public boolean nettyRule() {
    return rule.matches(next());
  }
}

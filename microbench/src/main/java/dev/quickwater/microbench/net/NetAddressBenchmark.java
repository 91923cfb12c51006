package dev.quickwater.microbench.net;

import dev.quickwater.microbench.jmh.PairedBenchmark;
import dev.quickwater.util.net.IpAddress;
import dev.quickwater.util.net.Ipv4;
import dev.quickwater.util.net.Ipv6;
import io.netty.util.NetUtil;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// What does it cost to validate and to read an address?
///
/// The inputs of the several benchmarks of `NetUtil` in Netty's own suite, in an order drawn
/// beforehand, valid and invalid ones by themselves, and random addresses. `AddressTextBenchmark`
/// has the way back.
public class NetAddressBenchmark extends PairedBenchmark {

  @Param public AddressTexts texts = AddressTexts.IPV4;

  private String[] drawn = {};
  private int next;

  @Setup
  public void draw() {
    drawn = texts.draw();
  }

  private String next() {
    next = next + 1 & drawn.length - 1;
    return drawn[next];
  }

  @Benchmark
  public boolean quickwaterIsValidIpv4() {
    return Ipv4.isValid(next());
  }

  @Benchmark
  public boolean nettyIsValidIpv4() {
    return NetUtil.isValidIpV4Address(next());
  }

  @Benchmark
  public boolean quickwaterIsValidIpv6() {
    return Ipv6.isValid(next());
  }

  @Benchmark
  public boolean nettyIsValidIpv6() {
    return NetUtil.isValidIpV6Address(next());
  }

  /// An address object of either family; Netty's is the JDK's, always for IPv6.
  @Benchmark
  public @Nullable Object quickwaterGetByName() {
    return IpAddress.parse(next());
  }

  @Benchmark
  public @Nullable Object nettyGetByName() {
    return NetUtil.getByName(next());
  }

  /// The JDK's object of either family.
  @Benchmark
  public @Nullable Object quickwaterInetAddress() {
    IpAddress address = IpAddress.parse(next());
    return address == null ? null : address.toInetAddress();
  }

  @Benchmark
  public @Nullable Object nettyInetAddress() {
    return NetUtil.createInetAddressFromIpAddressString(next());
  }
}

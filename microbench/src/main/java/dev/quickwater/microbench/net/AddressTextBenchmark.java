package dev.quickwater.microbench.net;

import dev.quickwater.microbench.jmh.PairedBenchmark;
import dev.quickwater.util.net.IpAddress;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// What does it cost to write the JDK's address as text, for a log line say?
public class AddressTextBenchmark extends PairedBenchmark {

  @Param({"IPV4", "IPV6"})
  public AddressTexts family = AddressTexts.IPV4;

  private InetAddress[] addresses = {};
  private int next;

  @Setup
  public void draw() {
    addresses =
        Arrays.stream(family.draw()).map(InetAddress::ofLiteral).toArray(InetAddress[]::new);
  }

  private InetAddress next() {
    next = next + 1 & addresses.length - 1;
    return addresses[next];
  }

  @Benchmark
  public String quickwaterToString() {
    return IpAddress.toString(next());
  }

  @Benchmark
  public String nettyToString() {
    return NetUtil.toAddressString(next());
  }
}

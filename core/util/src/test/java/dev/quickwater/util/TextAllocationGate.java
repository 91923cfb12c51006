package dev.quickwater.util;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import dev.quickwater.util.net.Cidr;
import dev.quickwater.util.net.CidrSet;
import dev.quickwater.util.net.IpAddress;
import dev.quickwater.util.net.Ipv4;
import dev.quickwater.util.net.Ipv6;
import dev.quickwater.util.text.AsciiString;
import dev.quickwater.util.text.Csv;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/// What is done for each request or connection with text and addresses makes no object at all.
///
/// It runs in a JVM of its own and by code of C1 alone, which allocates what the source says. By
/// name it is no test of the usual run.
final class TextAllocationGate {

  private static final int CALLS = 20_000;
  private static final int ROUNDS = 5;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final byte[] target = new byte[64];

  private static void assertNothing(String what, LongSupplier call) {
    long least = Long.MAX_VALUE;
    long sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < CALLS; i++) {
        sum += call.getAsLong();
      }
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    assertEquals(0, least, what + ": bytes in " + CALLS + " calls, sum " + sum);
  }

  @Test
  void addresses() {
    String ipv4 = "192.168.100.200";
    String ipv6 = "2001:db8:0:1::192.0.2.1";
    byte[] bytes = ipv6.getBytes(US_ASCII);
    AsciiString ascii = AsciiString.of(ipv6);
    StringBuilder builder = new StringBuilder(64);
    assertNothing("IPv4 validate", () -> Ipv4.isValid(ipv4) ? 1 : 0);
    assertNothing("IPv4 refuse", () -> Ipv4.isValid(ipv6) ? 1 : 0);
    assertNothing("IPv4 parse", () -> Ipv4.parse(ipv4));
    assertNothing("IPv4 format", () -> Ipv4.format(0x7f00_0001, target, 0));
    assertNothing("IPv6 validate", () -> Ipv6.isValid(ipv6) ? 1 : 0);
    assertNothing("IPv6 validate ASCII", () -> Ipv6.isValid(ascii) ? 1 : 0);
    assertNothing("IPv6 validate bytes", () -> Ipv6.isValid(bytes, 0, bytes.length) ? 1 : 0);
    assertNothing("IPv6 refuse", () -> Ipv6.isValid(ipv4) ? 1 : 0);
    assertNothing("IPv6 parse", () -> Ipv6.parse(ipv6, target, 0) ? 1 : 0);
    assertNothing("IPv6 parse bytes", () -> Ipv6.parse(bytes, 0, bytes.length, target, 0) ? 1 : 0);
    assertNothing("IPv6 format", () -> Ipv6.format(0x2001_0db8_0000_0000L, 1, target, 0));
    assertNothing(
        "IPv6 append",
        () -> {
          builder.setLength(0);
          Ipv6.append(0x2001_0db8_0000_0000L, 0xffff_0000_0001L, builder);
          return builder.length();
        });
    assertNothing("refused address", () -> IpAddress.parse("1.2.3.400") == null ? 1 : 0);
  }

  @Test
  void networks() {
    CidrSet set =
        CidrSet.builder()
            .add(Cidr.of("10.0.0.0/8"))
            .except(Cidr.of("10.1.0.0/16"))
            .add(Cidr.of("2001:db8::/32"))
            .build();
    Cidr cidr = Cidr.of("10.0.0.0/8");
    IpAddress ipv4 = IpAddress.of("10.2.3.4");
    IpAddress ipv6 = IpAddress.of("2001:db8::1");
    assertNothing("network", () -> cidr.contains(ipv4) ? 1 : 0);
    assertNothing("set of IPv4", () -> set.contains(ipv4) ? 1 : 0);
    assertNothing("set of IPv6", () -> set.contains(ipv6) ? 1 : 0);
    assertNothing("kind", () -> ipv6.isGlobal() || ipv4.isPrivate() ? 1 : 0);
    assertNothing("hash and order", () -> ipv4.hashCode() + ipv4.compareTo(ipv6));
  }

  @Test
  void ascii() {
    String name = "content-security-policy-report-only";
    byte[] bytes = name.getBytes(US_ASCII);
    AsciiString text = AsciiString.of(name);
    AsciiString same = AsciiString.wrap(bytes);
    AsciiString upper = text.toUpperCase();
    assertNothing("hash of bytes", () -> AsciiString.hash(bytes, 0, bytes.length));
    assertNothing("hash of text", () -> AsciiString.hashIgnoreCase(name));
    assertNothing("equals", () -> text.equals(same) ? 1 : 0);
    assertNothing("equalsIgnoreCase", () -> text.equalsIgnoreCase(upper) ? 1 : 0);
    assertNothing("equalsIgnoreCase text", () -> text.equalsIgnoreCase(name) ? 1 : 0);
    assertNothing("constant time", () -> text.equalsConstantTime(same) ? 1 : 0);
    assertNothing("contains", () -> text.contains("report") ? 1 : 0);
    assertNothing("containsIgnoreCase", () -> text.containsIgnoreCase("ONLY") ? 1 : 0);
    assertNothing("indexOf", () -> text.indexOf('y'));
    assertNothing("case of clean text", () -> text.toLowerCase().length());
    assertNothing("trim of clean text", () -> text.trim().length());
    assertNothing("number", () -> NUMBER.parseInt());
    assertNothing("kept String", () -> text.toString().length());
  }

  private static final AsciiString NUMBER = AsciiString.of("-12345");

  @Test
  void csv() {
    List<CharSequence> clean = List.of("netty", "x".repeat(1024), new StringBuilder("no comma"));
    for (CharSequence field : clean) {
      assertNothing("clean CSV", () -> Csv.escape(field).length() + Csv.unescape(field).length());
    }
  }
}

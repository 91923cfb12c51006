package dev.quickwater.util.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// Whatever the text: text and bytes are read alike, what is read the JDK reads alike, what the JDK
/// reads and the grammars allow is read, and what is written is read back.
///
/// On its seeds in every build; for 60 s with `-Dfull`.
final class AddressFuzzTest {

  @FuzzTest(maxDuration = "60s")
  void readAsTheJdkReads(byte[] data) {
    String text = new String(data, ISO_8859_1);
    long ipv4 = Ipv4.parse(text);
    byte[] ipv6 = new byte[Ipv6.SIZE];
    boolean isIpv6 = Ipv6.parse(text, ipv6, 0);
    assertEquals(ipv4, Ipv4.parse(data, 0, data.length));
    assertEquals(ipv4 >= 0, Ipv4.isValid(text));
    assertEquals(isIpv6, Ipv6.isValid(text));
    assertEquals(isIpv6, Ipv6.isValid(data, 0, data.length));
    IpAddress address = IpAddress.parse(text);
    if (address == null) {
      assertThrows(IllegalArgumentException.class, () -> IpAddress.of(text));
      assertEquals(false, ipv4 >= 0 || isIpv6);
      assertJdkRefuses(text);
    } else {
      assertEquals(ipv4 >= 0, address.isIpv4());
      assertEquals(address.zone() == null, ipv4 >= 0 || isIpv6);
      assertEquals(address, IpAddress.of(address.toString()));
      if (address.zone() == null) {
        byte[] theirs = InetAddress.ofLiteral(text).getAddress();
        assertArrayEquals(theirs, address.unmapped().toByteArray());
        assertEquals(
            address.isIpv4(),
            Cidr.of(address).contains(IpAddress.of(theirs))
                && theirs.length == 4
                && !address.isMapped());
      }
    }
    networks(text);
  }

  /// The JDK may only read what the table in `IpAddressTest` lists.
  private static void assertJdkRefuses(String text) {
    @Nullable InetAddress theirs;
    try {
      theirs = InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException _) {
      return;
    }
    boolean isKnown =
        text.startsWith("[")
            || text.indexOf('%') >= 0
            || text.matches(".*[0-9a-fA-F]{5}.*")
            || theirs.getAddress().length == 4 && !isFullForm(text)
            || text.indexOf(':') >= 0 && !isFullForm(text.substring(text.lastIndexOf(':') + 1));
    assertEquals(true, isKnown, "the JDK reads " + text + " as " + theirs);
  }

  /// Four parts without leading zeros.
  private static boolean isFullForm(String text) {
    String[] parts = text.split("\\.", -1);
    for (String part : parts) {
      if (part.length() > 1 && part.startsWith("0")) {
        return false;
      }
    }
    return parts.length == 4;
  }

  private static void networks(String text) {
    try {
      Cidr cidr = Cidr.around(text);
      assertEquals(cidr, Cidr.of(cidr.toString()));
      assertEquals(true, cidr.contains(cidr.last()) || cidr.last().isMapped());
    } catch (IllegalArgumentException _) {
      assertThrows(IllegalArgumentException.class, () -> Cidr.of(text));
    }
    try {
      HostPort parsed = HostPort.parse(text, 1);
      assertEquals(parsed, HostPort.parse(parsed.toString()));
    } catch (IllegalArgumentException _) {
      assertThrows(IllegalArgumentException.class, () -> HostPort.parse(text));
    }
  }
}

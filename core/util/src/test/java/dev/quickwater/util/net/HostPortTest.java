package dev.quickwater.util.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HostPortTest {

  @ParameterizedTest
  @CsvSource({
    "[::1]:80,                        ::1,              80,    [::1]:80",
    "[2001:DB8:0:0::1]:443,           2001:db8::1,      443,   [2001:db8::1]:443",
    "[fe80::1%eth0]:8080,             fe80::1%eth0,     8080,  [fe80::1%eth0]:8080",
    "[::ffff:192.0.2.1]:0,            ::ffff:192.0.2.1, 0,     [::ffff:192.0.2.1]:0",
    "192.0.2.1:65535,                 192.0.2.1,        65535, 192.0.2.1:65535",
    "Example.org:443,                 Example.org,      443,   Example.org:443",
    "example.org.:443,                example.org.,     443,   example.org.:443",
    "my_service:1,                    my_service,       1,     my_service:1",
    "a-1.b--2.x:1,                    a-1.b--2.x,       1,     a-1.b--2.x:1",
    "1.2.3.4.example:5,               1.2.3.4.example,  5,     1.2.3.4.example:5",
    "0xyz:5,                          0xyz,             5,     0xyz:5"
  })
  void hostAndPortAreReadAndWritten(String text, String host, int port, String written) {
    HostPort parsed = HostPort.parse(text);
    assertEquals(new HostPort(host, port), parsed);
    assertEquals(host, parsed.host());
    assertEquals(port, parsed.port());
    assertEquals(written, parsed.toString());
    assertEquals(parsed, HostPort.parse(written));
    assertEquals(parsed, HostPort.parse(text, 7));
  }

  @Test
  void aPortThatIsMissingIsTheDefault() {
    assertEquals(new HostPort("example.org", 443), HostPort.parse("example.org", 443));
    assertEquals(new HostPort("::1", 443), HostPort.parse("[::1]", 443));
    assertThrows(IllegalArgumentException.class, () -> HostPort.parse("example.org"));
    assertThrows(IllegalArgumentException.class, () -> HostPort.parse("[::1]"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":80",
        "host:",
        "host:65536",
        "host:99999999999",
        "host:-1",
        "host:+1",
        "host:08",
        "host: 80",
        "host:80 ",
        "host:8０",
        "host:80:80",
        "::1:80",
        "1:2:3:4:5:6:7:8",
        "[::1",
        "[::1]80",
        "[::1]:",
        "[::1]:x",
        "[]:80",
        "[1.2.3.4]:80",
        "[example.org]:80",
        "[::1]]:80",
        "[[::1]]:80",
        "::1]:80",
        "a b:80",
        "a\0b:80",
        "a/b:80",
        "a@b:80",
        "user@host:80",
        "é:80",
        "-a:80",
        "a-:80",
        "a..b:80",
        ".a:80",
        ".:80",
        "a.:",
        "127.1:80",
        "1.2.3:80",
        "0x7f.1:80",
        "0x7f000001:80",
        "host.0X1:80",
        "2130706433:80",
        "1.2.3.4.5:80",
        "256.1.1.1:80",
        "a.1:80",
        "a.1.:80",
        "0x:80",
        "%31:80",
        "a%00:80"
      })
  void otherTextsAreRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> HostPort.parse(text));
  }

  @Test
  void namesHaveTheLengthsOfTheDns() {
    String label = "x".repeat(63);
    String longest = label + "." + label + "." + label + "." + "x".repeat(61);
    assertEquals(253, longest.length());
    assertEquals(longest, HostPort.parse(longest + ":1").host());
    assertEquals(longest + ".", HostPort.parse(longest + ".:1").host());
    assertThrows(IllegalArgumentException.class, () -> HostPort.parse("x" + longest + ":1"));
    assertThrows(IllegalArgumentException.class, () -> HostPort.parse("x" + label + ":1"));
    assertThrows(IllegalArgumentException.class, () -> new HostPort("x".repeat(1_000_000), 1));
    assertThrows(IllegalArgumentException.class, () -> new HostPort("x", 65536));
    assertThrows(IllegalArgumentException.class, () -> HostPort.parse("x".repeat(1_000_000), 1));
  }

  @Test
  void namesAreNotResolved() {
    assertTrue(HostPort.parse("example.invalid:1").toSocketAddress().isUnresolved());
    assertNull(HostPort.parse("example.invalid:1").address());
    assertFalse(HostPort.parse("[::1]:1").toSocketAddress().isUnresolved());
    assertEquals(IpAddress.of("::1"), HostPort.parse("[::1]:1").address());
  }

  @Test
  void zoneThatIsNoInterfaceHereHasNoSocketAddress() {
    HostPort unknown = HostPort.parse("[fe80::1%no-such-link]:80");
    IllegalStateException e = assertThrows(IllegalStateException.class, unknown::toSocketAddress);
    assertEquals(
        "[fe80::1%no-such-link]:80 has no socket address here: zone 'no-such-link' of host"
            + " 'fe80::1%no-such-link' is no interface of this machine that the address can be"
            + " used with",
        e.getMessage());
    assertNotNull(e.getCause());
  }

  @Test
  void zoneThatIsANumberIsNotLookedUp() {
    InetSocketAddress address = HostPort.parse("[fe80::1%7]:80").toSocketAddress();
    assertEquals(7, ((Inet6Address) address.getAddress()).getScopeId());
    assertEquals(80, address.getPort());
  }
}

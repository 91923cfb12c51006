package dev.quickwater.util.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.util.text.AsciiString;
import java.net.InetAddress;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class Ipv4Test {

  @Test
  void addressesSurviveTheirTextInEveryForm() {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      int address = random.nextInt() & -1 << random.nextInt(32);
      String text = Ipv4.toString(address);
      assertEquals(
          InetAddress.ofLiteral(text),
          IpAddress.ofIpv4(address).toInetAddress(),
          "as the JDK reads it");
      assertEquals(address & 0xffff_ffffL, Ipv4.parse(text));
      assertTrue(Ipv4.isValid(AsciiString.of(text)));
      byte[] bytes = new byte[20];
      int end = Ipv4.format(address, bytes, 3);
      assertEquals(text, new String(bytes, 3, end - 3, ISO_8859_1));
      assertEquals("\0".repeat(20 - end), new String(bytes, end, 20 - end, ISO_8859_1));
      assertEquals(address & 0xffff_ffffL, Ipv4.parse(bytes, 3, end));
      assertTrue(Ipv4.isValid(bytes, 3, end));
      StringBuilder builder = new StringBuilder("at ");
      Ipv4.append(address, builder);
      assertEquals("at " + text, builder.toString());
    }
  }

  @Test
  void everyNumberHasOneSpelling() {
    for (int octet = 0; octet < 1_100; octet++) {
      boolean expected = octet < 256;
      assertEquals(expected, Ipv4.isValid(octet + ".0.0.1"));
      assertEquals(expected, Ipv4.isValid("1.2." + octet + ".3"));
      assertEquals(expected, Ipv4.isValid("1.2.3." + octet));
      assertFalse(Ipv4.isValid("1.2.3.0" + octet));
      if (expected) {
        assertEquals("1." + octet + ".2.3", Ipv4.toString(0x0100_0203 | octet << 16));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "1.2.3",
        "1.2.3.",
        "1.2.3.4.",
        ".1.2.3.4",
        "1..2.3",
        "1.2.3.4.5",
        "256.0.0.1",
        "01.2.3.4",
        "1.2.3.04",
        "1.2.3.00",
        "127.1",
        "2130706433",
        "0x7f.0.0.1",
        "1.2.3.4 ",
        " 1.2.3.4",
        "1.2.3.-4",
        "+1.2.3.4",
        "1.2.3.4\0",
        "1.2.3\0.4",
        "1,2,3,4",
        "1.2.3.٤",
        "１.2.3.4",
        "1.2.3.4/8",
        "1.2.3.4:80",
        "[1.2.3.4]",
        "1.2.3.4%1",
        "a.b.c.d",
        "....",
        "1.2.3.1000",
        "1.2.3.99999999999",
        "255.255.255.2555",
        "4294967296.0.0.1",
        "1:2:3:4"
      })
  void otherTextsAreNoAddresses(String text) {
    assertFalse(Ipv4.isValid(text));
    assertEquals(Ipv4.INVALID, Ipv4.parse(text));
    byte[] bytes = text.getBytes(ISO_8859_1);
    if (new String(bytes, ISO_8859_1).equals(text)) {
      assertFalse(Ipv4.isValid(bytes, 0, bytes.length));
      assertEquals(Ipv4.INVALID, Ipv4.parse(bytes, 0, bytes.length));
    }
    assertNull(IpAddress.parse(text));
    assertThrows(IllegalArgumentException.class, () -> IpAddress.of(text));
  }

  @Test
  void theErrorSaysWhere() {
    var e = assertThrows(IllegalArgumentException.class, () -> IpAddress.of("10.0.0.300"));
    assertEquals(
        "character 0x30 at index 9 of 10 is unexpected in an IPv4 address: four numbers 0 to 255"
            + " without leading zeros",
        e.getMessage());
    e = assertThrows(IllegalArgumentException.class, () -> IpAddress.of("10.0.0."));
    assertTrue(e.getMessage().startsWith("the end at index 7"), e::getMessage);
  }

  @Test
  void bytesOutsideOfTheTextDoNotMatter() {
    byte[] bytes = "11.2.3.44".getBytes(ISO_8859_1);
    assertEquals(0x01020304, Ipv4.parse(bytes, 1, 8));
    assertThrows(IndexOutOfBoundsException.class, () -> Ipv4.parse(bytes, 1, 10));
    assertThrows(IndexOutOfBoundsException.class, () -> Ipv4.isValid(bytes, -1, 7));
    assertThrows(IndexOutOfBoundsException.class, () -> Ipv4.format(0, new byte[6], 0));
  }
}

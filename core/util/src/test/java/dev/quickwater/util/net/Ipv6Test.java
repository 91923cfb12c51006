package dev.quickwater.util.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.util.text.AsciiString;
import java.net.Inet6Address;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class Ipv6Test {

  @ParameterizedTest
  @CsvSource({
    "2001:0db8:0000:0000:0001:0000:0000:0001, 2001:db8::1:0:0:1",
    "2001:db8::1:0:0:1,                       2001:db8::1:0:0:1",
    "2001:db8:0:0:1::1,                       2001:db8::1:0:0:1",
    "2001:DB8:0:0:1::1,                       2001:db8::1:0:0:1",
    "2001:db8:aaaa:bbbb:cccc:dddd:eeee:AAAA,  2001:db8:aaaa:bbbb:cccc:dddd:eeee:aaaa",
    "2001:db8:0:1:1:1:1:1,                    2001:db8:0:1:1:1:1:1",
    "2001:db8::1:1:1:1:1,                     2001:db8:0:1:1:1:1:1",
    "2001:0:0:1:0:0:0:1,                      2001:0:0:1::1",
    "2001:db8:0:0:1:0:0:1,                    2001:db8::1:0:0:1",
    "0:0:0:0:0:0:0:0,                         ::",
    "0:0:0:0:0:0:0:1,                         ::1",
    "1:0:0:0:0:0:0:0,                         1::",
    "::ffff:192.0.2.1,                        ::ffff:192.0.2.1",
    "::ffff:c000:201,                         ::ffff:192.0.2.1",
    "0:0:0:0:0:ffff:c000:0201,                ::ffff:192.0.2.1",
    "::192.0.2.1,                             ::c000:201",
    "64:ff9b::192.0.2.33,                     64:ff9b::c000:221",
    "1:2:3:4:5:6:7.8.9.10,                    1:2:3:4:5:6:708:90a",
    "1::7.8.9.10,                             1::708:90a",
    "::2:3:4:5:6:7:8,                         0:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7::,                         1:2:3:4:5:6:7:0",
    "1:2:3::5:6:7:8,                          1:2:3:0:5:6:7:8",
    "::3:4:5:6:7:8,                           ::3:4:5:6:7:8",
    "::ffff:0:192.0.2.1,                      ::ffff:0:c000:201",
    "fe80:0000:0000:0000:0000:0000:0000:0010, fe80::10"
  })
  void textsOfOneAddressBecomeItsRecommendedText(String text, String recommended) {
    IpAddress address = IpAddress.of(text);
    assertEquals(recommended, address.toString());
    assertEquals(address, IpAddress.of(recommended));
    assertTrue(Ipv6.isValid(text) && Ipv6.isValid(AsciiString.of(text)));
  }

  @Test
  void addressesSurviveTheirTextInEveryForm() {
    Random random = new Random(1);
    for (int i = 0; i < 30_000; i++) {
      IpAddress address = IpAddress.ofIpv6(Addresses.draw64(random), Addresses.draw64(random));
      String text = Ipv6.toString(address.high(), address.low());
      assertEquals(text, text.toLowerCase(Locale.ROOT));
      assertEquals(address, IpAddress.parse(text));
      assertEquals(address, IpAddress.parse(text.toUpperCase(Locale.ROOT)));
      byte[] bytes = new byte[50];
      int end = Ipv6.format(address.high(), address.low(), bytes, 2);
      assertEquals(text, new String(bytes, 2, end - 2, ISO_8859_1));
      byte[] value = new byte[18];
      Arrays.fill(value, (byte) -1);
      assertTrue(Ipv6.parse(bytes, 2, end, value, 1));
      assertArrayEquals(address.toByteArray(), Arrays.copyOfRange(value, 1, 17));
      assertTrue(value[0] == -1 && value[17] == -1, "written beside the address");
      assertTrue(Ipv6.parse(text, value, 2));
      assertTrue(Ipv6.isValid(bytes, 2, end));
      StringBuilder builder = new StringBuilder();
      Ipv6.append(address.high(), address.low(), builder);
      assertEquals(text, builder.toString());
    }
  }

  /// Validity is found in another way than the value.
  @Test
  void whatIsValidIsWhatCanBeParsed() {
    Random random = new Random(3);
    byte[] value = new byte[16];
    int valid = 0;
    for (int i = 0; i < 200_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int groups = 1 + random.nextInt(9); groups > 0; groups--) {
        text.append("12345".substring(0, random.nextInt(40) == 0 ? 5 : random.nextInt(1, 5)));
        text.append(random.nextInt(8) == 0 ? "::" : ":");
      }
      text.setLength(text.length() - random.nextInt(3));
      text.insert(0, random.nextInt(6) == 0 ? "::" : "");
      boolean expected = Ipv6.parse(text, value, 0);
      assertEquals(expected, Ipv6.isValid(text), text.toString());
      valid += expected ? 1 : 0;
    }
    assertTrue(valid > 2_000 && valid < 198_000, "valid: " + valid);
  }

  /// Where each group is 0 or not: which run is shortened, from the words of section 4.2.
  @Test
  void theFirstLongestRunOfAtLeastTwoZerosIsShortened() {
    for (int zeros = 0; zeros < 256; zeros++) {
      long high = 0;
      long low = 0;
      String[] groups = new String[8];
      for (int i = 0; i < 8; i++) {
        boolean zero = (zeros & 1 << i) != 0;
        groups[i] = zero ? "0" : "a" + i;
        long value = zero ? 0 : 0xa0 + i;
        high = i < 4 ? high << 16 | value : high;
        low = i < 4 ? low : low << 16 | value;
      }
      assertEquals(shortened(groups), Ipv6.toString(high, low));
    }
  }

  private static String shortened(String[] groups) {
    for (int run = 8; run >= 2; run--) {
      for (int start = 0; start + run <= 8; start++) {
        String[] part = Arrays.copyOfRange(groups, start, start + run);
        if (Arrays.stream(part).allMatch("0"::equals)) {
          return String.join(":", Arrays.copyOf(groups, start))
              + "::"
              + String.join(":", Arrays.copyOfRange(groups, start + run, 8));
        }
      }
    }
    return String.join(":", groups);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":::",
        "1",
        "1:",
        ":1",
        "::1::",
        "1::2::3",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7::8",
        "::1:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7:8::",
        ":1:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7:8:",
        "1:2:3:4:5:6:7:",
        ":1:2:3:4:5:6:7",
        "12345::",
        "::00000",
        "::g",
        "1:2:3:4:5:6:7:g",
        "::1 ",
        " ::1",
        "::1\0",
        "\0::1",
        "::\u0661",
        "::\uff11",
        "::1/64",
        "[::1]",
        "::1%eth0",
        "fe80::1%00",
        "1:2:3:4:5:6:7:1.2.3.4",
        "1:2:3:4:5:1.2.3.4",
        "::1.2.3",
        "::1.2.3.4.5",
        "::1.2.3.4.",
        "::01.2.3.4",
        "::256.2.3.4",
        "::1.2.3.4:5",
        "1.2.3.4::",
        "::ffff:1.2.3.٤",
        "::12345.2.3.4",
        "::a.2.3.4",
        "::1.2.3.4::",
        "::.1.2.3",
        "1:2:3:4:5:6::1.2.3.4:",
        "0:0:0:0:0:0:0:0:0:0:0:0",
        "::-1",
        "::+1",
        "::0x1",
        "1::2:::3"
      })
  void otherTextsAreNoAddresses(String text) {
    assertFalse(Ipv6.isValid(text));
    assertFalse(Ipv6.parse(text, new byte[16], 0));
    byte[] bytes = text.getBytes(ISO_8859_1);
    if (new String(bytes, ISO_8859_1).equals(text)) {
      assertFalse(Ipv6.isValid(bytes, 0, bytes.length));
    }
    if (text.indexOf('%') < 0) {
      assertNull(IpAddress.parse(text));
      assertThrows(IllegalArgumentException.class, () -> IpAddress.of(text));
    }
  }

  @Test
  void aLongTextIsRefusedWithoutALookAtIt() {
    CharSequence flood =
        new CharSequence() {
          private int looks;

          @Override
          public int length() {
            return Integer.MAX_VALUE;
          }

          @Override
          public char charAt(int index) {
            assertTrue(index <= 80 && looks++ < 200, "a look at index " + index);
            return index == 1 ? ':' : '0';
          }

          @Override
          public CharSequence subSequence(int from, int to) {
            throw new AssertionError("a copy");
          }

          @Override
          public String toString() {
            throw new AssertionError("a copy");
          }
        };
    assertFalse(Ipv4.isValid(flood));
    assertFalse(Ipv6.isValid(flood));
    assertNull(IpAddress.parse(flood));
    assertThrows(IllegalArgumentException.class, () -> IpAddress.of(flood));
    assertThrows(IllegalArgumentException.class, () -> Cidr.of(flood));
  }

  @Test
  void mappedAddressesStayIpv6() {
    IpAddress mapped = IpAddress.of("::ffff:10.0.0.1");
    assertTrue(mapped.isMapped() && !mapped.isIpv4());
    assertTrue(mapped.toInetAddress() instanceof Inet6Address);
    assertEquals(IpAddress.of("10.0.0.1"), mapped.unmapped());
    IpAddress compatible = IpAddress.of("::10.0.0.1");
    assertFalse(compatible.isMapped());
    assertEquals(compatible, compatible.unmapped());
  }
}

package dev.quickwater.tls.openssl;

import dev.quickwater.system.Memory;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Lists of application protocols in the form of RFC 7301 section 3.1, without the outer length.
final class ApplicationProtocols {

  private ApplicationProtocols() {}

  static byte[] encode(List<String> protocols) {
    var list = new ByteArrayOutputStream();
    for (String protocol : protocols) {
      byte[] name = protocol.getBytes(StandardCharsets.US_ASCII);
      list.write(name.length);
      list.writeBytes(name);
    }
    return list.toByteArray();
  }

  /// The offset of the length byte of a protocol in an offered list; -1 if it is not offered.
  static int find(String protocol, long offered, int length) {
    int at = 0;
    while (at < length) {
      int size = Memory.getByte(offered, at) & 0xff;
      if (at + 1 + size <= length && matches(protocol, offered + at + 1, size)) {
        return at;
      }
      at += 1 + size;
    }
    return -1;
  }

  private static boolean matches(String protocol, long address, int size) {
    if (protocol.length() != size) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      if (protocol.charAt(i) != (char) (Memory.getByte(address, i) & 0xff)) {
        return false;
      }
    }
    return true;
  }
}

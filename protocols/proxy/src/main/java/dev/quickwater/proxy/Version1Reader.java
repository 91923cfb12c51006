package dev.quickwater.proxy;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.proxy.ProxyHeader.Command;
import dev.quickwater.proxy.ProxyHeader.Transport;
import dev.quickwater.util.net.IpAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The line of version 1: `PROXY TCP4 source destination port port`, or `PROXY UNKNOWN` and
/// anything.
final class Version1Reader {

  /// The longest line with its end, according to the specification.
  static final int MAX_LINE = 107;

  private static final int PARTS = 6;
  private static final int MAX_PORT = 0xffff;
  private static final int MAX_PORT_DIGITS = 5;

  private Version1Reader() {}

  static @Nullable ProxyHeader read(ByteBuf in) throws ProxyProtocolException {
    int from = in.readerIndex();
    int available = Math.min(in.readableBytes(), MAX_LINE);
    for (int i = 0; i < available; i++) {
      byte next = in.getByte(from + i);
      if (next == '\r') {
        return i + 1 == available ? incomplete(available) : end(in, i);
      }
      if (next < ' ' || next > '~') {
        throw malformed("byte " + (next & 0xff));
      }
    }
    return incomplete(available);
  }

  private static @Nullable ProxyHeader incomplete(int available) throws ProxyProtocolException {
    if (available == MAX_LINE) {
      throw malformed("more than " + MAX_LINE + " bytes");
    }
    return null;
  }

  private static ProxyHeader end(ByteBuf in, int length) throws ProxyProtocolException {
    int from = in.readerIndex();
    if (in.getByte(from + length + 1) != '\n') {
      throw malformed("CR without LF");
    }
    byte[] line = new byte[length];
    in.copyToArray(from, line, 0, length);
    ProxyHeader header = parse(new String(line, StandardCharsets.US_ASCII));
    in.readerIndex(from + length + 2);
    return header;
  }

  private static ProxyHeader parse(String line) throws ProxyProtocolException {
    if (line.equals("PROXY UNKNOWN") || line.startsWith("PROXY UNKNOWN ")) {
      return new ProxyHeader(Command.PROXY, Transport.UNKNOWN, null, null, List.of());
    }
    String[] parts = line.split(" ", -1);
    boolean ipv4 = parts[1].equals("TCP4");
    if (parts.length != PARTS || (!ipv4 && !parts[1].equals("TCP6"))) {
      throw malformed("expected UNKNOWN, or TCP4 or TCP6 with two addresses and two ports");
    }
    return ProxyHeader.of(address(parts[2], parts[4], ipv4), address(parts[3], parts[5], ipv4));
  }

  private static InetSocketAddress address(String text, String port, boolean ipv4)
      throws ProxyProtocolException {
    @Nullable IpAddress address = IpAddress.parse(text);
    if (address == null || address.isIpv4() != ipv4 || address.zone() != null) {
      throw malformed("an address");
    }
    return new InetSocketAddress(address.toInetAddress(), port(port));
  }

  private static int port(String text) throws ProxyProtocolException {
    boolean digits =
        !text.isEmpty()
            && text.length() <= MAX_PORT_DIGITS
            && text.chars().allMatch(c -> c >= '0' && c <= '9')
            && (text.length() == 1 || text.charAt(0) != '0');
    int port = digits ? Integer.parseInt(text) : MAX_PORT + 1;
    if (port > MAX_PORT) {
      throw malformed("a port");
    }
    return port;
  }

  private static ProxyProtocolException malformed(String what) {
    return new ProxyProtocolException("the line of the PROXY protocol is malformed: " + what);
  }
}

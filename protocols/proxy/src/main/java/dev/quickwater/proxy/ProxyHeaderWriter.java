package dev.quickwater.proxy;

import dev.quickwater.proxy.ProxyHeader.Command;
import dev.quickwater.proxy.ProxyHeader.Transport;
import dev.quickwater.util.net.AbstractUnixAddress;
import dev.quickwater.util.net.IpAddress;
import java.io.ByteArrayOutputStream;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Writes headers, which a proxy sends to a server before everything else, also before TLS.
public final class ProxyHeaderWriter {

  private static final int CHECKSUM_FIELD = Version2Reader.FIELD_PREFIX + 4;

  private ProxyHeaderWriter() {}

  /// A line of version 1. Further fields are left out. A header without addresses, or with
  /// addresses other than two of IPv4 or two of IPv6, becomes `PROXY UNKNOWN`.
  public static byte[] version1(ProxyHeader header) {
    String line = "PROXY UNKNOWN\r\n";
    if (header.source() instanceof InetSocketAddress from
        && header.destination() instanceof InetSocketAddress to
        && header.transport() == Transport.STREAM
        && isIpv4(from) == isIpv4(to)) {
      line =
          "PROXY "
              + (isIpv4(from) ? "TCP4 " : "TCP6 ")
              + text(from)
              + " "
              + text(to)
              + " "
              + from.getPort()
              + " "
              + to.getPort()
              + "\r\n";
    }
    return line.getBytes(StandardCharsets.US_ASCII);
  }

  private static String text(InetSocketAddress address) {
    return IpAddress.of(address.getAddress()).withoutZone().toString();
  }

  /// A header of version 2 with a checksum.
  ///
  /// @throws IllegalArgumentException if the addresses are of different families, or the header is
  ///   longer than 4,096 bytes
  public static byte[] version2(ProxyHeader header) {
    int family = 0;
    byte[] addresses = {};
    @Nullable SocketAddress source = header.source();
    @Nullable SocketAddress destination = header.destination();
    boolean known = header.command() == Command.PROXY && header.transport() != Transport.UNKNOWN;
    if (source != null && destination != null && known) {
      family = family(source);
      if (family != family(destination)) {
        throw new IllegalArgumentException(
            "source is " + source + " and destination is " + destination + ", of two families");
      }
      addresses = addresses(source, destination);
    }
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    rest.writeBytes(addresses);
    if (family != 0) {
      for (ProxyTlv field : header.fields()) {
        write(rest, field.type(), field.value());
      }
      write(rest, ProxyTlv.CRC32C, new byte[4]);
    }
    int length = Version2Reader.PREFIX + rest.size();
    if (length > Version2Reader.MAX_HEADER) {
      throw new IllegalArgumentException(
          "the header has " + length + " bytes, the maximum is " + Version2Reader.MAX_HEADER);
    }
    ByteBuffer all =
        ByteBuffer.allocate(length)
            .put(ProxyHeaderReader.SIGNATURE)
            .put((byte) (Version2Reader.VERSION << 4 | (header.command() == Command.PROXY ? 1 : 0)))
            .put((byte) (family == 0 ? 0 : family << 4 | transport(header)))
            .putShort((short) rest.size())
            .put(rest.toByteArray());
    if (family != 0) {
      CRC32C sum = new CRC32C();
      sum.update(all.array());
      all.putInt(length - CHECKSUM_FIELD + Version2Reader.FIELD_PREFIX, (int) sum.getValue());
    }
    return all.array();
  }

  private static int transport(ProxyHeader header) {
    return header.transport() == Transport.DATAGRAM ? 2 : 1;
  }

  private static void write(ByteArrayOutputStream out, int type, byte[] value) {
    out.write(type);
    out.write(value.length >> 8);
    out.write(value.length);
    out.writeBytes(value);
  }

  private static boolean isIpv4(InetSocketAddress address) {
    return address.getAddress() instanceof Inet4Address;
  }

  private static int family(SocketAddress address) {
    return switch (address) {
      case InetSocketAddress internet when internet.getAddress() != null ->
          isIpv4(internet) ? Version2Reader.IPV4 : Version2Reader.IPV6;
      case UnixDomainSocketAddress _, AbstractUnixAddress _ -> Version2Reader.UNIX;
      default ->
          throw new IllegalArgumentException(address + " is not an Internet or Unix address");
    };
  }

  private static byte[] addresses(SocketAddress source, SocketAddress destination) {
    if (source instanceof InetSocketAddress from && destination instanceof InetSocketAddress to) {
      byte[] first = from.getAddress().getAddress();
      return ByteBuffer.allocate(2 * (first.length + Short.BYTES))
          .put(first)
          .put(to.getAddress().getAddress())
          .putShort((short) from.getPort())
          .putShort((short) to.getPort())
          .array();
    }
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(path(source));
    both.writeBytes(path(destination));
    return both.toByteArray();
  }

  private static byte[] path(SocketAddress address) {
    byte[] name;
    if (address instanceof AbstractUnixAddress named) {
      byte[] bare = named.name();
      name = new byte[bare.length + 1];
      System.arraycopy(bare, 0, name, 1, bare.length);
    } else {
      name =
          ((UnixDomainSocketAddress) address).getPath().toString().getBytes(StandardCharsets.UTF_8);
    }
    if (name.length > Version2Reader.UNIX_PATH) {
      throw new IllegalArgumentException(
          address + " has " + name.length + " bytes, the maximum is " + Version2Reader.UNIX_PATH);
    }
    return Arrays.copyOf(name, Version2Reader.UNIX_PATH);
  }
}

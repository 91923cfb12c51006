package dev.quickwater.proxy;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.proxy.ProxyHeader.Command;
import dev.quickwater.proxy.ProxyHeader.Transport;
import dev.quickwater.util.net.AbstractUnixAddress;
import dev.quickwater.util.net.IpAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The binary header of version 2: signature, command, family, length, addresses, fields.
final class Version2Reader {

  /// The bytes before the addresses.
  static final int PREFIX = 16;

  /// The longest header. Proxies send a few hundred bytes.
  static final int MAX_HEADER = 4096;

  static final int UNIX_PATH = 108;

  /// The type and length before the value of a field.
  static final int FIELD_PREFIX = 3;

  static final int VERSION = 2;
  static final int IPV4 = 1;
  static final int IPV6 = 2;
  static final int UNIX = 3;

  private static final int IPV4_LENGTH = 4;
  private static final int IPV6_LENGTH = 16;
  private static final int CHECKSUM_LENGTH = 4;

  /// The flags and the result of the verification in [ProxyTlv#SSL].
  private static final int TLS_PREFIX = 5;

  private Version2Reader() {}

  static @Nullable ProxyHeader read(ByteBuf in) throws ProxyProtocolException {
    if (in.readableBytes() < PREFIX) {
      return null;
    }
    int from = in.readerIndex();
    int length = PREFIX + in.getUnsignedShort(from + PREFIX - 2);
    if (length > MAX_HEADER) {
      throw malformed("it has " + length + " bytes, the maximum is " + MAX_HEADER);
    }
    Command command = command(in.getUnsignedByte(from + 12));
    int family = in.getUnsignedByte(from + 13);
    Transport transport = transport(family & 0xf);
    if (in.readableBytes() < length) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.copyToArray(from, bytes, 0, length);
    ProxyHeader header = parse(bytes, command, family >> 4, transport);
    in.readerIndex(from + length);
    return header;
  }

  private static Command command(int versionAndCommand) throws ProxyProtocolException {
    return switch (versionAndCommand) {
      case VERSION << 4 -> Command.LOCAL;
      case VERSION << 4 | 1 -> Command.PROXY;
      default -> throw malformed("version and command are 0x" + hex(versionAndCommand));
    };
  }

  private static Transport transport(int code) throws ProxyProtocolException {
    return switch (code) {
      case 0 -> Transport.UNKNOWN;
      case 1 -> Transport.STREAM;
      case 2 -> Transport.DATAGRAM;
      default -> throw malformed("the transport is " + code);
    };
  }

  private static ProxyHeader parse(byte[] bytes, Command command, int family, Transport transport)
      throws ProxyProtocolException {
    if (family > UNIX) {
      throw malformed("the family is " + family);
    }
    // The receiver ignores what follows (sections 2.2 and 2.2.1 of the specification).
    if (command == Command.LOCAL || family == 0 || transport == Transport.UNKNOWN) {
      return new ProxyHeader(command, Transport.UNKNOWN, null, null, List.of());
    }
    int addresses =
        2
            * switch (family) {
              case IPV4 -> IPV4_LENGTH + 2;
              case IPV6 -> IPV6_LENGTH + 2;
              default -> UNIX_PATH;
            };
    if (PREFIX + addresses > bytes.length) {
      throw malformed("it has " + bytes.length + " bytes, too few for its addresses");
    }
    SocketAddress source = address(bytes, family, 0);
    SocketAddress destination = address(bytes, family, 1);
    List<ProxyTlv> fields = fields(bytes, PREFIX + addresses);
    boolean checked = false;
    List<ProxyTlv> kept = new ArrayList<>();
    for (ProxyTlv field : fields) {
      switch (field.type()) {
        case ProxyTlv.CRC32C -> {
          if (checked) {
            throw malformed("it has two checksums");
          }
          verifyChecksum(bytes, PREFIX + addresses, field.value());
          checked = true;
        }
        case ProxyTlv.NOOP -> {}
        case ProxyTlv.SSL -> {
          tls(field);
          kept.add(field);
        }
        default -> kept.add(field);
      }
    }
    return new ProxyHeader(command, transport, source, destination, kept);
  }

  /// @param index 0 for the source, 1 for the destination
  private static SocketAddress address(byte[] bytes, int family, int index)
      throws ProxyProtocolException {
    if (family == UNIX) {
      int at = PREFIX + index * UNIX_PATH;
      return unix(Arrays.copyOfRange(bytes, at, at + UNIX_PATH));
    }
    int length = family == IPV4 ? IPV4_LENGTH : IPV6_LENGTH;
    int at = PREFIX + index * length;
    int port = PREFIX + 2 * length + index * 2;
    return new InetSocketAddress(
        IpAddress.of(Arrays.copyOfRange(bytes, at, at + length)).toInetAddress(),
        unsignedShort(bytes, port));
  }

  /// A path that NUL ends, a name that begins with NUL, or nothing.
  private static SocketAddress unix(byte[] padded) throws ProxyProtocolException {
    int end = padded.length;
    while (end > 0 && padded[end - 1] == 0) {
      end--;
    }
    if (end > 0 && padded[0] == 0) {
      return AbstractUnixAddress.of(Arrays.copyOfRange(padded, 1, end));
    }
    try {
      String path =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(padded, 0, end)).toString();
      if (path.codePoints().anyMatch(Version2Reader::breaksLines)) {
        throw malformed("a path of a Unix socket has control characters");
      }
      return UnixDomainSocketAddress.of(path);
    } catch (CharacterCodingException | InvalidPathException _) {
      throw malformed("a path of a Unix socket");
    }
  }

  /// True for a character that could forge lines of a log or control the terminal that shows the
  /// log.
  private static boolean breaksLines(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  /// The fields from an index to the end of the bytes.
  private static List<ProxyTlv> fields(byte[] bytes, int from) throws ProxyProtocolException {
    List<ProxyTlv> fields = new ArrayList<>();
    int at = from;
    while (at < bytes.length) {
      if (bytes.length - at < FIELD_PREFIX) {
        throw malformed("a field is cut");
      }
      int length = unsignedShort(bytes, at + 1);
      int value = at + FIELD_PREFIX;
      if (length > bytes.length - value) {
        throw malformed("a field of " + length + " bytes is cut");
      }
      fields.add(ProxyTlv.of(bytes[at] & 0xff, Arrays.copyOfRange(bytes, value, value + length)));
      at = value + length;
    }
    return fields;
  }

  private static void verifyChecksum(byte[] bytes, int fields, byte[] expected)
      throws ProxyProtocolException {
    if (expected.length != CHECKSUM_LENGTH) {
      throw malformed("a checksum of " + expected.length + " bytes");
    }
    byte[] zeroed = bytes.clone();
    int at = fields;
    while (bytes[at] != ProxyTlv.CRC32C) {
      at += FIELD_PREFIX + unsignedShort(bytes, at + 1);
    }
    Arrays.fill(zeroed, at + FIELD_PREFIX, at + FIELD_PREFIX + CHECKSUM_LENGTH, (byte) 0);
    CRC32C sum = new CRC32C();
    sum.update(zeroed);
    if ((int) sum.getValue() != ByteBuffer.wrap(expected).getInt()) {
      throw malformed("the checksum is wrong");
    }
  }

  /// Reads [ProxyTlv#SSL].
  static ProxyTls tls(ProxyTlv field) throws ProxyProtocolException {
    byte[] value = field.value();
    if (value.length < TLS_PREFIX) {
      throw malformed("the field of TLS is cut");
    }
    List<ProxyTlv> nested = fields(value, TLS_PREFIX);
    for (ProxyTlv each : nested) {
      if (each.type() == ProxyTlv.SSL) {
        throw malformed("fields are nested twice");
      }
    }
    return new ProxyTls(value[0] & 0xff, ByteBuffer.wrap(value).getInt(1), nested);
  }

  private static int unsignedShort(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
  }

  private static String hex(int value) {
    return Integer.toHexString(value);
  }

  private static ProxyProtocolException malformed(String what) {
    return new ProxyProtocolException("the header of the PROXY protocol is malformed: " + what);
  }
}

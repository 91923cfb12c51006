package dev.quickwater.proxy;

import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a proxy announces about a connection that it has forwarded; immutable.
///
/// @param command whether the connection is that of a client
/// @param transport the transport between client and proxy
/// @param source the address of the client; null with [Command#LOCAL], and if the proxy does not
///   know the address
/// @param destination the address that the client connected to; null if `source` is null
/// @param fields the further fields of version 2 in their order, unknown ones too, except for the
///   checksum and padding
public record ProxyHeader(
    Command command,
    Transport transport,
    @Nullable SocketAddress source,
    @Nullable SocketAddress destination,
    List<ProxyTlv> fields) {

  /// Whether the connection is that of a client.
  public enum Command {
    /// The proxy connected for itself, for example to check the health of the server.
    LOCAL,
    /// The proxy forwards the connection of a client.
    PROXY
  }

  /// The transport between client and proxy.
  public enum Transport {
    /// TCP, or a Unix socket with streams.
    STREAM,
    /// UDP, or a Unix socket with datagrams.
    DATAGRAM,
    /// The proxy does not know it.
    UNKNOWN
  }

  /// Copies the list.
  ///
  /// @throws IllegalArgumentException if only one address is null
  public ProxyHeader {
    if ((source == null) != (destination == null)) {
      throw new IllegalArgumentException(
          "source is " + source + " and destination is " + destination + ", expected both or none");
    }
    fields = List.copyOf(fields);
  }

  /// The header of a client's connection over TCP, without further fields.
  public static ProxyHeader of(SocketAddress source, SocketAddress destination) {
    return new ProxyHeader(Command.PROXY, Transport.STREAM, source, destination, List.of());
  }

  /// The header of a connection that the proxy opened for itself.
  public static ProxyHeader local() {
    return new ProxyHeader(Command.LOCAL, Transport.UNKNOWN, null, null, List.of());
  }

  /// This header with one more field.
  public ProxyHeader with(ProxyTlv field) {
    List<ProxyTlv> more = new ArrayList<>(fields);
    more.add(field);
    return new ProxyHeader(command, transport, source, destination, more);
  }

  /// The first field of a type; null if there is none.
  public @Nullable ProxyTlv field(int type) {
    for (ProxyTlv field : fields) {
      if (field.type() == type) {
        return field;
      }
    }
    return null;
  }

  /// TLS between client and proxy; null if the proxy announces nothing about it.
  public @Nullable ProxyTls tls() {
    @Nullable ProxyTlv field = field(ProxyTlv.SSL);
    try {
      return field == null ? null : Version2Reader.tls(field);
    } catch (ProxyProtocolException e) {
      throw new IllegalStateException("the field of TLS is malformed", e);
    }
  }
}

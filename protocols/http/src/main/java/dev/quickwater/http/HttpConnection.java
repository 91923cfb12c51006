package dev.quickwater.http;

import dev.quickwater.common.AttributeMap;
import dev.quickwater.common.Future;
import java.net.SocketAddress;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// The view of a connection that its exchanges have. All methods may be called on any thread.
public interface HttpConnection {

  /// The version of the connection; on HTTP/1.x that of the current request.
  HttpVersion version();

  /// The local address; null after the connection has closed.
  @Nullable SocketAddress localAddress();

  /// The address of the peer; null after the connection has closed.
  @Nullable SocketAddress remoteAddress();

  /// The TLS session, or null for a connection in clear text.
  @Nullable SSLSession tlsSession();

  /// Attributes with the lifetime of the connection.
  AttributeMap attributes();

  /// Completes when the connection has closed.
  Future<Void> closed();

  /// Closes the connection after its open exchanges have ended.
  void drain();
}

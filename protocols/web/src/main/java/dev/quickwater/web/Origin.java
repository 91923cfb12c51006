package dev.quickwater.web;

import dev.quickwater.http.Authority;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http1.Http1ClientHandler.Peer;
import org.jspecify.annotations.Nullable;

/// The server to which the connections of a pool connect.
///
/// @param host in lower case, without brackets
/// @param peer whether this is the origin server of the requests or a proxy
record Origin(String host, int port, Peer peer) {

  private static final int HTTP_PORT = 80;

  /// Where a request is sent.
  ///
  /// @throws IllegalArgumentException if the request names no server, or needs TLS
  static Origin of(RequestHead head, @Nullable Authority proxy) {
    @Nullable Authority authority = head.authority();
    if (authority == null) {
      throw new IllegalArgumentException(
          head + " names no server; the URI must be absolute, for example http://host/path");
    }
    Origin direct = of(head.scheme(), authority, Peer.ORIGIN);
    return proxy == null ? direct : of("http", proxy, Peer.PROXY);
  }

  /// The origin of a scheme and an authority.
  ///
  /// @throws IllegalArgumentException if the host is empty, or the scheme needs TLS
  static Origin of(String scheme, Authority authority, Peer peer) {
    if (!scheme.equals("http")) {
      throw new IllegalArgumentException(
          scheme + " is not supported, only http: " + scheme + "://" + authority);
    }
    if (authority.host().isEmpty()) {
      throw new IllegalArgumentException("the host of the URI is empty");
    }
    int port = authority.port() < 0 ? HTTP_PORT : authority.port();
    return new Origin(authority.host(), port, peer);
  }

  @Override
  public String toString() {
    return new Authority(host, port).toString();
  }
}

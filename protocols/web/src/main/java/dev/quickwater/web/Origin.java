package dev.quickwater.web;

import dev.quickwater.http.Authority;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http1.Http1ClientHandler.Peer;
import org.jspecify.annotations.Nullable;

/// The server to which the connections of a pool connect.
///
/// @param host in lower case, without brackets
/// @param peer whether this is the origin server of the requests or a proxy
/// @param secure true for https
/// @param via the proxy through which a tunnel leads to this server, or null
record Origin(String host, int port, Peer peer, boolean secure, @Nullable Authority via) {

  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  /// Where a request is sent.
  ///
  /// @param proxy the proxy of all requests, or null. Requests with https use a tunnel through it
  /// @throws IllegalArgumentException if the request names no server
  static Origin of(RequestHead head, @Nullable Authority proxy) {
    @Nullable Authority authority = head.authority();
    if (authority == null) {
      throw new IllegalArgumentException(
          head + " names no server; the URI must be absolute, for example http://host/path");
    }
    if (proxy == null) {
      return of(head.scheme(), authority, Peer.ORIGIN, null);
    }
    return head.scheme().equals("https") && !head.target().isAuthority()
        ? of("https", authority, Peer.ORIGIN, proxy)
        : of("http", proxy, Peer.PROXY, null);
  }

  /// The server of a scheme and an authority, without a proxy.
  ///
  /// @throws IllegalArgumentException if the host is empty, or the scheme is not supported
  static Origin of(String scheme, Authority authority) {
    return of(scheme, authority, Peer.ORIGIN, null);
  }

  private static Origin of(String scheme, Authority authority, Peer peer, @Nullable Authority via) {
    boolean secure = scheme.equals("https");
    if (!secure && !scheme.equals("http")) {
      throw new IllegalArgumentException(
          scheme + " is not supported, only http and https: " + scheme + "://" + authority);
    }
    if (authority.host().isEmpty()) {
      throw new IllegalArgumentException("the host of the URI is empty");
    }
    int standard = secure ? HTTPS_PORT : HTTP_PORT;
    int port = authority.port() < 0 ? standard : authority.port();
    return new Origin(authority.host(), port, peer, secure, via);
  }

  @Override
  public String toString() {
    return new Authority(host, port).toString();
  }
}

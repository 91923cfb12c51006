package dev.quickwater.web;

import dev.quickwater.http.Filter;
import dev.quickwater.http.HttpHandler;
import dev.quickwater.proxy.ProxyProtocolSettings;
import dev.quickwater.tls.TlsSettings;
import dev.quickwater.util.net.CidrSet;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An HTTP server: a handler with its filters and settings. [#listen] starts it.
///
/// ```java
/// var server = HttpServer.create(x -> x.respond(HttpResponse.text("hello\n"))).listen(8080);
/// ```
///
/// Handlers run on the event loops. [dev.quickwater.http.Blocking] turns blocking code into a
/// handler, and [Routes] combines several handlers. A server is immutable and can listen any number
/// of times. Every limit and deadline has a finite default ([HttpServerSettings]).
public final class HttpServer {

  private final HttpServerSettings settings;
  private final HttpHandler handler;
  private final List<Filter> filters;
  private final @Nullable TlsSettings tls;
  private final @Nullable OcspStapling stapling;
  private final @Nullable ProxyProtocolSettings proxies;

  private HttpServer(
      HttpServerSettings settings,
      HttpHandler handler,
      List<Filter> filters,
      @Nullable TlsSettings tls,
      @Nullable OcspStapling stapling,
      @Nullable ProxyProtocolSettings proxies) {
    this.settings = settings;
    this.handler = handler;
    this.filters = filters;
    this.tls = tls;
    this.stapling = stapling;
    this.proxies = proxies;
  }

  /// A server with a handler for all requests.
  public static HttpServer create(HttpHandler handler) {
    return new HttpServer(HttpServerSettings.DEFAULT, handler, List.of(), null, null, null);
  }

  /// This server with another filter, which runs after the existing filters.
  public HttpServer filter(Filter filter) {
    List<Filter> more = new ArrayList<>(filters);
    more.add(filter);
    return new HttpServer(settings, handler, List.copyOf(more), tls, stapling, proxies);
  }

  /// This server with other settings.
  public HttpServer with(HttpServerSettings other) {
    return new HttpServer(other, handler, filters, tls, stapling, proxies);
  }

  /// This server with TLS: it serves https, and no http. The handshake selects the version of HTTP
  /// among those of [VersionSettings], unless the settings name application protocols. [#listen]
  /// loads the settings; [RunningServer#replaceTls] replaces them.
  public HttpServer tls(TlsSettings other) {
    return new HttpServer(settings, handler, filters, other, null, proxies);
  }

  /// This server with TLS as [#tls(TlsSettings)], and with OCSP responses that the server fetches
  /// for its certificates and sends to its clients. The library must be OpenSSL. The first
  /// responses arrive shortly after the start; no handshake waits for them. [RunningServer#ocsp]
  /// returns their state.
  public HttpServer tls(TlsSettings other, OcspStapling fetched) {
    return new HttpServer(settings, handler, filters, other, fetched, proxies);
  }

  /// This server behind proxies that send the address of each client by the PROXY protocol, version
  /// 1 or 2, before TLS. The addresses of connections, in logs and limits, are those of the
  /// clients. A connection from another address, or without a header, is closed.
  ///
  /// @param trusted the addresses of the proxies
  public HttpServer acceptProxyProtocol(CidrSet trusted) {
    return acceptProxyProtocol(ProxyProtocolSettings.of(trusted));
  }

  /// [#acceptProxyProtocol(CidrSet)] with another timeout.
  public HttpServer acceptProxyProtocol(ProxyProtocolSettings other) {
    return new HttpServer(settings, handler, filters, tls, stapling, other);
  }

  /// What precedes HTTP in a connection.
  record Security(
      @Nullable TlsSettings tls,
      @Nullable OcspStapling stapling,
      @Nullable ProxyProtocolSettings proxies) {}

  /// Listens on a port of all addresses; 0 picks a free port.
  ///
  /// @throws java.io.UncheckedIOException if the port cannot be bound; the message has the address
  /// @throws UnsupportedOperationException if a transport or a TLS library was requested that does
  ///   not work here
  /// @throws IllegalArgumentException if a setting of TLS cannot be used; the message names it
  public RunningServer listen(int port) {
    return listen(new InetSocketAddress(port));
  }

  /// Listens on an address.
  ///
  /// @throws java.io.UncheckedIOException if the address cannot be bound; the message has the
  ///   address
  /// @throws UnsupportedOperationException if a transport or a TLS library was requested that does
  ///   not work here
  /// @throws IllegalArgumentException if a setting of TLS cannot be used; the message names it
  public RunningServer listen(InetSocketAddress address) {
    return RunningServer.start(settings, filtered(), new Security(tls, stapling, proxies), address);
  }

  private HttpHandler filtered() {
    HttpHandler all = handler;
    for (Filter filter : filters.reversed()) {
      all = filter.around(all);
    }
    return all;
  }
}

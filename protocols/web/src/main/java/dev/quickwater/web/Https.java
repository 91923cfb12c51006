package dev.quickwater.web;

import dev.quickwater.http.Authority;
import dev.quickwater.http.Filter;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpException;
import dev.quickwater.http.HttpExchange;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.util.setting.SettingCheck;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Filters that move clients from http to https.
///
/// The connection decides whether a request is secure, because in HTTP/2 the scheme of a request is
/// what the client claims.
public final class Https {

  private static final int STANDARD_PORT = 443;
  private static final HeaderName STRICT_TRANSPORT_SECURITY =
      HeaderName.of("strict-transport-security");

  private Https() {}

  /// Redirects every request without TLS to https with 308, which keeps method and body (RFC 9110
  /// section 15.4.9). A request with TLS passes. A request without a host, or with CONNECT, is
  /// refused with 400.
  ///
  /// @param port the port of the https server, 1 to 65,535; 443 is left out of Location
  public static Filter redirect(int port) {
    SettingCheck.require(port >= 1 && port <= 0xffff, "port", port, "1 to 65535");
    return (x, next) -> {
      RequestHead request = x.request();
      if (isSecure(x)) {
        next.invoke(x);
        return;
      }
      @Nullable Authority authority = request.authority();
      if (authority == null || request.method().equals(HttpMethod.CONNECT)) {
        throw new HttpException(HttpStatus.BAD_REQUEST, "the request names no host");
      }
      Authority secure = new Authority(authority.host(), port == STANDARD_PORT ? -1 : port);
      String path =
          request.target().isAsterisk() ? "/" : request.target().originForm(EngineAccess.GRANTED);
      x.respond(
          HttpResponse.of(
              HttpStatus.PERMANENT_REDIRECT,
              HttpHeaders.of("location", "https://" + secure + path),
              new byte[0]));
    };
  }

  private static boolean isSecure(HttpExchange x) {
    return x.connection().tlsSession() != null;
  }

  /// Adds Strict-Transport-Security to each response over https, so browsers use https for later
  /// requests (HSTS, RFC 6797). The filter replaces this field if the handler has set it. The field
  /// is not sent over http, as section 7.2 requires.
  ///
  /// A browser that has seen the field refuses http and invalid certificates for `maxAge`. Begin
  /// with a short time.
  ///
  /// @param maxAge how long browsers apply the rule, in whole seconds, at least zero; zero removes
  ///   it
  /// @param includeSubDomains true to include all subdomains
  public static Filter strictTransportSecurity(Duration maxAge, boolean includeSubDomains) {
    SettingCheck.require(!maxAge.isNegative(), "maxAge", maxAge, "0 or more");
    String value =
        "max-age=" + maxAge.toSeconds() + (includeSubDomains ? "; includeSubDomains" : "");
    return (x, next) -> {
      if (isSecure(x)) {
        x.onRespond(head -> head.with(STRICT_TRANSPORT_SECURITY, value));
      }
      next.invoke(x);
    };
  }
}

package dev.quickwater.web;

import dev.quickwater.http.Authority;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpResponse;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.engine.EngineAccess;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Computes the request that follows a redirect (RFC 9110 section 15.4).
///
/// - 303 changes every method except HEAD to GET. 301 and 302 change POST to GET. 307 and 308
///   change nothing. A request that becomes a GET loses its body and the fields that describe the
///   body.
/// - Fields with credentials are dropped if scheme, host or port changes.
final class Redirects {

  private static final List<HeaderName> CREDENTIALS =
      List.of(HeaderName.AUTHORIZATION, HeaderName.COOKIE, HeaderName.PROXY_AUTHORIZATION);

  private static final List<HeaderName> CONTENT =
      List.of(
          HeaderName.CONTENT_TYPE,
          HeaderName.CONTENT_ENCODING,
          HeaderName.CONTENT_LANGUAGE,
          HeaderName.CONTENT_LOCATION,
          HeaderName.EXPECT,
          HeaderName.of("digest"),
          HeaderName.of("content-digest"),
          HeaderName.of("last-modified"));

  private static final byte[] NO_BODY = {};

  private Redirects() {}

  /// The next request; null if the response is not a redirect that can be followed.
  ///
  /// @throws IOException if the target is not an http URI
  static @Nullable HttpRequest next(HttpRequest request, HttpResponse response) throws IOException {
    @Nullable String location = response.headers().getSingle(HeaderName.LOCATION);
    int code = response.status().code();
    if (location == null || !isRedirect(code)) {
      return null;
    }
    HttpMethod method = method(code, request.head().method());
    boolean sameMethod = method.equals(request.head().method());
    RequestHead.Builder builder = builder(request.head(), method, location);
    HttpHeaders.Builder headers = request.head().headers().toBuilder();
    if (!sameMethod) {
      CONTENT.forEach(headers::remove);
    }
    RequestHead head = builder.build();
    if (!sameOrigin(head, request.head())) {
      CREDENTIALS.forEach(headers::remove);
    }
    return HttpRequest.of(
        builder.headers(headers.build()).build(),
        sameMethod ? request.bytes(EngineAccess.GRANTED) : NO_BODY);
  }

  private static boolean isRedirect(int code) {
    return code == 301 || code == 302 || code == 303 || code == 307 || code == 308;
  }

  private static HttpMethod method(int code, HttpMethod method) {
    boolean becomesGet =
        code == 303
            ? !method.equals(HttpMethod.HEAD)
            : code <= 302 && method.equals(HttpMethod.POST);
    return becomesGet ? HttpMethod.GET : method;
  }

  private static RequestHead.Builder builder(RequestHead from, HttpMethod method, String location)
      throws IOException {
    String target = from.target().toString();
    String base = from.scheme() + "://" + from.authority();
    String fragmentless =
        location.indexOf('#') < 0 ? location : location.substring(0, location.indexOf('#'));
    try {
      String uri;
      if (fragmentless.isEmpty()) {
        uri = base + target;
      } else if (fragmentless.startsWith("?")) {
        uri = base + from.target().rawPath() + fragmentless;
      } else {
        uri = URI.create(base + target).resolve(fragmentless).toString();
      }
      RequestHead.Builder builder = RequestHead.builder(method, uri);
      if (builder.build().target().isAuthority()) {
        throw new IllegalArgumentException("it names no resource");
      }
      return builder;
    } catch (IllegalArgumentException e) {
      throw new IOException("the redirect of " + from + " does not lead to an http URI", e);
    }
  }

  private static boolean sameOrigin(RequestHead a, RequestHead b) {
    return a.scheme().equals(b.scheme()) && port(a) == port(b) && host(a).equals(host(b));
  }

  private static String host(RequestHead head) {
    @Nullable Authority authority = head.authority();
    return authority == null ? "" : authority.host();
  }

  private static int port(RequestHead head) {
    @Nullable Authority authority = head.authority();
    int port = authority == null ? -1 : authority.port();
    return port >= 0 ? port : head.scheme().equals("http") ? 80 : 443;
  }
}

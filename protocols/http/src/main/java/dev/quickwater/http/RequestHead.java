package dev.quickwater.http;

import dev.quickwater.http.engine.EngineAccess;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The head of a request in every version: immutable, thread-safe, without framing.
public final class RequestHead {

  /// The length of a body whose size is not known in advance.
  public static final long UNKNOWN_LENGTH = -1;

  private final HttpMethod method;
  private final HttpTarget target;
  private final Context context;

  /// The parts that requests with equal fields share.
  private record Context(
      String scheme,
      @Nullable Authority authority,
      @Nullable String protocol,
      @Nullable String handshake,
      HttpHeaders headers,
      long contentLength) {}

  private RequestHead(HttpMethod method, HttpTarget target, Context context) {
    this.method = method;
    this.target = target;
    this.context = context;
  }

  /// For parsers: a head of parts that the parser has checked against each other.
  @SuppressWarnings("exports")
  public static RequestHead parsed(
      EngineAccess access,
      HttpMethod method,
      String scheme,
      @Nullable Authority authority,
      HttpTarget target,
      @Nullable String protocol,
      @Nullable String handshake,
      HttpHeaders headers,
      long contentLength) {
    Objects.requireNonNull(access);
    return new RequestHead(
        method,
        target,
        new Context(scheme, authority, protocol, handshake, headers, contentLength));
  }

  /// For parsers: a head that differs from this one in method and target only.
  @SuppressWarnings("exports")
  public RequestHead sameFields(EngineAccess access, HttpMethod method, HttpTarget target) {
    Objects.requireNonNull(access);
    return new RequestHead(method, target, context);
  }

  /// A GET without fields; see [#builder] for `uri`.
  public static RequestHead get(String uri) {
    return builder(HttpMethod.GET, uri).build();
  }

  /// A builder of a head without fields and body.
  ///
  /// @param uri an absolute http or https URI, a path with a query, `host:port` for CONNECT, or `*`
  ///   for OPTIONS; visible ASCII without a fragment
  /// @throws IllegalArgumentException if the URI has none of these forms
  public static Builder builder(HttpMethod method, String uri) {
    return new Builder(method).uri(uri);
  }

  /// A builder with the values of this head.
  public Builder toBuilder() {
    Builder builder = new Builder(method);
    builder.scheme = context.scheme;
    builder.authority = context.authority;
    builder.target = target;
    builder.protocol = context.protocol;
    builder.headers.addAll(context.headers);
    builder.contentLength = context.contentLength;
    return builder;
  }

  /// The method.
  public HttpMethod method() {
    return method;
  }

  /// `http` or `https`: from an absolute-form target, otherwise from the connection.
  public String scheme() {
    return context.scheme;
  }

  /// The authority: from an absolute-form or CONNECT target, otherwise from the Host field. Null if
  /// the request has neither (HTTP/1.0).
  public @Nullable Authority authority() {
    return context.authority;
  }

  /// The target, as received.
  public HttpTarget target() {
    return target;
  }

  /// The decoded path of the target ([HttpTarget#path]).
  public String path() {
    return target.path();
  }

  /// The protocol to which the client wants to change, such as `websocket`, in lower case: from
  /// Upgrade (HTTP/1.1) or extended CONNECT (HTTP/2). Null for a plain request.
  public @Nullable String protocol() {
    return context.protocol;
  }

  /// For engines: the value of the field that belongs to the change of protocol, as received:
  /// Sec-WebSocket-Key or HTTP2-Settings. Empty if the field is repeated, null without it; heads
  /// that are built have none.
  @SuppressWarnings("exports")
  public @Nullable String handshake(EngineAccess access) {
    Objects.requireNonNull(access);
    return context.handshake;
  }

  /// The fields.
  public HttpHeaders headers() {
    return context.headers;
  }

  /// Bytes of the body: 0 if there is none, [#UNKNOWN_LENGTH] if the length is not announced.
  public long contentLength() {
    return context.contentLength;
  }

  /// The method and the target, for example `GET /path`.
  @Override
  public String toString() {
    return method + " " + target;
  }

  /// Collects the parts of a head. One thread.
  public static final class Builder {

    private HttpMethod method;
    private String scheme = "http";
    private @Nullable Authority authority;
    private HttpTarget target = ROOT;
    private @Nullable String protocol;
    private final HttpHeaders.Builder headers = HttpHeaders.builder();
    private long contentLength;

    private static final HttpTarget ROOT = HttpTarget.of("/");

    private Builder(HttpMethod method) {
      this.method = method;
    }

    /// Sets the method.
    public Builder method(HttpMethod method) {
      this.method = method;
      return this;
    }

    /// Sets the target and, if the URI is absolute or `host:port`, scheme and authority.
    ///
    /// @throws IllegalArgumentException if the URI has none of the forms of [RequestHead#builder]
    public Builder uri(String uri) {
      HttpTarget given = HttpTarget.of(uri);
      @Nullable Authority named = given.authority();
      if (named != null) {
        authority = named;
      }
      @Nullable String explicit = given.scheme();
      if (explicit != null) {
        scheme = explicit;
        given = HttpTarget.of(given.originForm());
      }
      target = given;
      return this;
    }

    /// Sets the scheme.
    ///
    /// @throws IllegalArgumentException if it is neither `http` nor `https`
    public Builder scheme(String scheme) {
      if (!scheme.equals("http") && !scheme.equals("https")) {
        throw new IllegalArgumentException("the scheme must be http or https");
      }
      this.scheme = scheme;
      return this;
    }

    /// Sets the authority, which becomes the Host field.
    public Builder authority(@Nullable Authority authority) {
      this.authority = authority;
      return this;
    }

    /// Sets the protocol to change to, such as `websocket`; null for none.
    ///
    /// @throws IllegalArgumentException if it is neither a token nor two with a `/` between them
    public Builder protocol(@Nullable String protocol) {
      if (protocol != null && !Grammar.isProtocol(protocol)) {
        throw new IllegalArgumentException("a protocol must be a token (RFC 9110 section 7.8)");
      }
      this.protocol = protocol == null ? null : protocol.toLowerCase(Locale.ROOT);
      return this;
    }

    /// Appends a field ([HttpHeaders.Builder#add(HeaderName, String)]).
    public Builder add(HeaderName name, String value) {
      headers.add(name, value);
      return this;
    }

    /// Appends a field ([HttpHeaders.Builder#add(String, String)]).
    public Builder add(String name, String value) {
      headers.add(name, value);
      return this;
    }

    /// Replaces all fields of a name by one.
    public Builder set(HeaderName name, String value) {
      headers.set(name, value);
      return this;
    }

    /// Removes all fields of a name.
    public Builder remove(HeaderName name) {
      headers.remove(name);
      return this;
    }

    /// Replaces all fields.
    public Builder headers(HttpHeaders headers) {
      this.headers.clear().addAll(headers);
      return this;
    }

    /// Sets the length of the body: 0 for none, [#UNKNOWN_LENGTH] if it is not known in advance.
    ///
    /// @throws IllegalArgumentException for another negative length
    public Builder contentLength(long length) {
      if (length < UNKNOWN_LENGTH) {
        throw new IllegalArgumentException("the content length is " + length);
      }
      contentLength = length;
      return this;
    }

    /// The head.
    ///
    /// @throws IllegalArgumentException if method and target do not go together (RFC 9112 section
    ///   3.2), or a request that changes the protocol has a body
    public RequestHead build() {
      if (target.isAuthority() != method.equals(HttpMethod.CONNECT)
          || target.isAsterisk() && !method.equals(HttpMethod.OPTIONS)) {
        throw new IllegalArgumentException("the method " + method + " has the target " + target);
      }
      if (contentLength != 0 && (protocol != null || target.isAuthority())) {
        throw new IllegalArgumentException("a request for a tunnel has no body");
      }
      return new RequestHead(
          method,
          target,
          new Context(scheme, authority, protocol, null, headers.build(), contentLength));
    }
  }
}

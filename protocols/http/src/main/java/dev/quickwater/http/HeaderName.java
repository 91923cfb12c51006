package dev.quickwater.http;

import dev.quickwater.http.engine.EngineAccess;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The name of a header field: a token in lower case. Each registered name is one object. Texts
/// that differ only in case have equal names.
public final class HeaderName {

  private static final RegisteredNames REGISTERED = new RegisteredNames();

  public static final HeaderName ACCEPT = registered("accept");
  public static final HeaderName ACCEPT_CHARSET = registered("accept-charset");
  public static final HeaderName ACCEPT_ENCODING = registered("accept-encoding");
  public static final HeaderName ACCEPT_LANGUAGE = registered("accept-language");
  public static final HeaderName ACCEPT_RANGES = registered("accept-ranges");
  public static final HeaderName ACCESS_CONTROL_ALLOW_CREDENTIALS =
      single("access-control-allow-credentials");
  public static final HeaderName ACCESS_CONTROL_ALLOW_HEADERS =
      registered("access-control-allow-headers");
  public static final HeaderName ACCESS_CONTROL_ALLOW_METHODS =
      registered("access-control-allow-methods");
  public static final HeaderName ACCESS_CONTROL_ALLOW_ORIGIN =
      single("access-control-allow-origin");
  public static final HeaderName ACCESS_CONTROL_EXPOSE_HEADERS =
      registered("access-control-expose-headers");
  public static final HeaderName ACCESS_CONTROL_MAX_AGE = single("access-control-max-age");
  public static final HeaderName ACCESS_CONTROL_REQUEST_HEADERS =
      registered("access-control-request-headers");
  public static final HeaderName ACCESS_CONTROL_REQUEST_METHOD =
      registered("access-control-request-method");
  public static final HeaderName AGE = single("age");
  public static final HeaderName ALLOW = registered("allow");
  public static final HeaderName ALT_SVC = registered("alt-svc");
  public static final HeaderName AUTHORIZATION = single("authorization");
  public static final HeaderName CACHE_CONTROL = registered("cache-control");
  public static final HeaderName CONTENT_DISPOSITION = single("content-disposition");
  public static final HeaderName CONTENT_ENCODING = registered("content-encoding");
  public static final HeaderName CONTENT_LANGUAGE = registered("content-language");
  public static final HeaderName CONTENT_LOCATION = single("content-location");
  public static final HeaderName CONTENT_RANGE = single("content-range");
  public static final HeaderName CONTENT_SECURITY_POLICY = registered("content-security-policy");
  public static final HeaderName CONTENT_TYPE = single("content-type");
  public static final HeaderName COOKIE = registered("cookie");
  public static final HeaderName DATE = single("date");
  public static final HeaderName DNT = registered("dnt");
  public static final HeaderName EARLY_DATA = registered("early-data");
  public static final HeaderName ETAG = single("etag");
  public static final HeaderName EXPECT = registered("expect");
  public static final HeaderName EXPIRES = single("expires");
  public static final HeaderName FORWARDED = registered("forwarded");
  public static final HeaderName FROM = single("from");
  public static final HeaderName IF_MATCH = registered("if-match");
  public static final HeaderName IF_MODIFIED_SINCE = single("if-modified-since");
  public static final HeaderName IF_NONE_MATCH = registered("if-none-match");
  public static final HeaderName IF_RANGE = single("if-range");
  public static final HeaderName IF_UNMODIFIED_SINCE = single("if-unmodified-since");
  public static final HeaderName LAST_MODIFIED = single("last-modified");
  public static final HeaderName LINK = registered("link");
  public static final HeaderName LOCATION = single("location");
  public static final HeaderName MAX_FORWARDS = single("max-forwards");
  public static final HeaderName ORIGIN = single("origin");
  public static final HeaderName PRAGMA = registered("pragma");
  public static final HeaderName PRIORITY = registered("priority");
  public static final HeaderName PROXY_AUTHENTICATE = registered("proxy-authenticate");
  public static final HeaderName PROXY_AUTHORIZATION = single("proxy-authorization");
  public static final HeaderName RANGE = single("range");
  public static final HeaderName REFERER = single("referer");
  public static final HeaderName REFERRER_POLICY = registered("referrer-policy");
  public static final HeaderName REFRESH = single("refresh");
  public static final HeaderName RETRY_AFTER = single("retry-after");
  public static final HeaderName SEC_FETCH_DEST = registered("sec-fetch-dest");
  public static final HeaderName SEC_FETCH_MODE = registered("sec-fetch-mode");
  public static final HeaderName SEC_FETCH_SITE = registered("sec-fetch-site");
  public static final HeaderName SEC_FETCH_USER = registered("sec-fetch-user");
  public static final HeaderName SEC_WEBSOCKET_EXTENSIONS = registered("sec-websocket-extensions");
  public static final HeaderName SEC_WEBSOCKET_PROTOCOL = registered("sec-websocket-protocol");
  public static final HeaderName SEC_WEBSOCKET_VERSION = registered("sec-websocket-version");
  public static final HeaderName SERVER = single("server");
  public static final HeaderName SET_COOKIE = registered("set-cookie");
  public static final HeaderName STRICT_TRANSPORT_SECURITY = single("strict-transport-security");
  public static final HeaderName TE = registered("te");
  public static final HeaderName TRAILER = registered("trailer");
  public static final HeaderName UPGRADE_INSECURE_REQUESTS =
      registered("upgrade-insecure-requests");
  public static final HeaderName USER_AGENT = single("user-agent");
  public static final HeaderName VARY = registered("vary");
  public static final HeaderName VIA = registered("via");
  public static final HeaderName WWW_AUTHENTICATE = registered("www-authenticate");
  public static final HeaderName X_CONTENT_TYPE_OPTIONS = single("x-content-type-options");
  public static final HeaderName X_FORWARDED_FOR = registered("x-forwarded-for");
  public static final HeaderName X_FORWARDED_HOST = registered("x-forwarded-host");
  public static final HeaderName X_FORWARDED_PROTO = registered("x-forwarded-proto");
  public static final HeaderName X_FRAME_OPTIONS = single("x-frame-options");
  public static final HeaderName X_REQUEST_ID = registered("x-request-id");
  public static final HeaderName X_REQUESTED_WITH = registered("x-requested-with");

  static {
    for (String owned :
        new String[] {
          "host",
          "content-length",
          "transfer-encoding",
          "connection",
          "keep-alive",
          "proxy-connection",
          "upgrade",
          "sec-websocket-key",
          "sec-websocket-accept"
        }) {
      REGISTERED.add(owned, Kind.ENGINE_OWNED);
    }
  }

  private final String text;
  private final byte[] bytes;
  private final int number;
  private final Kind kind;

  /// How often a field occurs, and who writes it.
  enum Kind {
    /// A list, a field that may be repeated, or an unknown field.
    REPEATABLE,
    /// At most once in a message: several values contradict each other (RFC 9110 section 5.3).
    SINGLE,
    /// See [#isEngineOwned].
    ENGINE_OWNED
  }

  HeaderName(String text, int number, Kind kind) {
    this.text = text;
    this.bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    this.number = number;
    this.kind = kind;
  }

  private static HeaderName registered(String text) {
    return REGISTERED.add(text, Kind.REPEATABLE);
  }

  private static HeaderName single(String text) {
    return REGISTERED.add(text, Kind.SINGLE);
  }

  /// The name of a text in any case.
  ///
  /// @throws IllegalArgumentException if the text is not a token
  public static HeaderName of(String name) {
    @Nullable HeaderName known = REGISTERED.find(name);
    if (known != null) {
      return known;
    }
    if (!Grammar.isToken(name)) {
      throw new IllegalArgumentException("a header name must be a token (RFC 9110 section 5.6.2)");
    }
    return new HeaderName(name.toLowerCase(Locale.ROOT), -1, Kind.REPEATABLE);
  }

  /// For parsers: the name of checked bytes in any case.
  @SuppressWarnings("exports")
  public static HeaderName of(EngineAccess access, byte[] block, int offset, int length) {
    Objects.requireNonNull(access);
    return of(block, offset, length);
  }

  static HeaderName of(byte[] block, int offset, int length) {
    @Nullable HeaderName known = REGISTERED.find(block, offset, length);
    return known != null
        ? known
        : new HeaderName(
            new String(block, offset, length, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT),
            -1,
            Kind.REPEATABLE);
  }

  /// True for the fields that describe the connection, the framing or the authority: Host,
  /// Content-Length, Transfer-Encoding, Connection, Keep-Alive, Proxy-Connection, Upgrade,
  /// Sec-WebSocket-Key and Sec-WebSocket-Accept. Only engines read and write them; [HttpHeaders]
  /// never contains one.
  public boolean isEngineOwned() {
    return kind == Kind.ENGINE_OWNED;
  }

  /// True for a field that a message has at most once and that users write, such as Content-Type.
  /// False for lists, Set-Cookie, the fields of the engine, and names that are not registered.
  boolean isSingle() {
    return kind == Kind.SINGLE;
  }

  /// For parsers: true for a registered field that is meant for the final recipient. An
  /// intermediary keeps it even if the Connection field nominates it.
  @SuppressWarnings("exports")
  public boolean isEndToEnd(EngineAccess access) {
    Objects.requireNonNull(access);
    return number >= 0
        && kind != Kind.ENGINE_OWNED
        && this != TE
        && this != PROXY_AUTHENTICATE
        && this != PROXY_AUTHORIZATION;
  }

  /// For compression tables: a number below [#registeredCount] for a registered name, otherwise -1.
  @SuppressWarnings("exports")
  public int number(EngineAccess access) {
    Objects.requireNonNull(access);
    return number;
  }

  /// For compression tables: how many names are registered.
  @SuppressWarnings("exports")
  public static int registeredCount(EngineAccess access) {
    Objects.requireNonNull(access);
    return REGISTERED.size();
  }

  /// For encoders: the bytes in lower case. The caller only reads them.
  @SuppressWarnings("exports")
  public byte[] bytes(EngineAccess access) {
    Objects.requireNonNull(access);
    return bytes;
  }

  byte[] bytes() {
    return bytes;
  }

  /// True if the bytes are this name in any case.
  boolean matches(byte[] block, int offset, int length) {
    return length == bytes.length && RegisteredNames.equalsLower(block, offset, bytes);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    // A registered name is always the same object.
    return this == other
        || number < 0 && other instanceof HeaderName that && that.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /// The name in lower case.
  @Override
  public String toString() {
    return text;
  }
}

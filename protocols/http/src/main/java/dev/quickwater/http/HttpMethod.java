package dev.quickwater.http;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A request method: a token, case-sensitive (RFC 9110 section 9).
public final class HttpMethod {

  public static final HttpMethod GET = new HttpMethod("GET");
  public static final HttpMethod HEAD = new HttpMethod("HEAD");
  public static final HttpMethod POST = new HttpMethod("POST");
  public static final HttpMethod PUT = new HttpMethod("PUT");
  public static final HttpMethod DELETE = new HttpMethod("DELETE");
  public static final HttpMethod OPTIONS = new HttpMethod("OPTIONS");
  public static final HttpMethod PATCH = new HttpMethod("PATCH");
  public static final HttpMethod CONNECT = new HttpMethod("CONNECT");
  public static final HttpMethod TRACE = new HttpMethod("TRACE");

  private static final Map<String, HttpMethod> KNOWN =
      Stream.of(GET, HEAD, POST, PUT, DELETE, OPTIONS, PATCH, CONNECT, TRACE)
          .collect(Collectors.toUnmodifiableMap(HttpMethod::name, m -> m));

  private final String name;

  private HttpMethod(String name) {
    this.name = name;
  }

  /// The method of a name. Each well-known method is one object.
  ///
  /// @throws IllegalArgumentException if the name is not a token
  public static HttpMethod of(String name) {
    @Nullable HttpMethod known = KNOWN.get(name);
    if (known != null) {
      return known;
    }
    if (!Grammar.isToken(name)) {
      throw new IllegalArgumentException("a method must be a token (RFC 9110 section 9.1)");
    }
    return new HttpMethod(name);
  }

  /// True for the methods of RFC 9110 and PATCH.
  public boolean isKnown() {
    return KNOWN.containsKey(name);
  }

  /// True for the idempotent methods, whose repetition has the same effect as one request (RFC 9110
  /// section 9.2.2): GET, HEAD, OPTIONS, TRACE, PUT and DELETE.
  public boolean isIdempotent() {
    return isKnown() && this != POST && this != PATCH && this != CONNECT;
  }

  /// The name, as it is sent.
  public String name() {
    return name;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof HttpMethod that && that.name.equals(name));
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}

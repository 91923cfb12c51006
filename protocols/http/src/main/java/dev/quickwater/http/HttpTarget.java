package dev.quickwater.http;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.http.engine.PathText;
import dev.quickwater.util.text.Ascii;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A request target (RFC 9112 section 3.2): immutable, thread-safe, visible ASCII without a
/// fragment, in one of four forms:
///
/// - origin: `/path?query`
/// - absolute: `http://host/path?query`
/// - authority: `host:port`, for CONNECT; its paths are empty
/// - asterisk: `*`, for OPTIONS
///
/// [#rawPath] is the path as received. [#path] is the path to compare and to route by: decoded as
/// UTF-8, with dot segments resolved. For example, `/%66iles/a` and `/files/a` are one path.
///
/// A path is not canonical ([#isCanonical]) if it has a bad escape, an encoded slash, an encoded
/// control character, bytes that are not UTF-8, or dot segments above the root. Then [#path] is the
/// raw path, [#segments] is empty and [#hasPath] is false for every text, so no route matches.
public final class HttpTarget {

  private static final int MAX_LENGTH = 0xffff;
  private static final byte[] HTTP = "http://".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] HTTPS = "https://".getBytes(StandardCharsets.US_ASCII);

  private enum Form {
    ORIGIN,
    ABSOLUTE,
    AUTHORITY,
    ASTERISK
  }

  private final byte[] bytes;

  // 16 bits each: a head has at most 65,535 bytes.
  private final char offset;
  private final char length;

  private final Form form;
  private @Nullable String text;
  private @Nullable Path path;

  /// The canonical path.
  private static final class Path {

    /// Null if there is no canonical path.
    private final @Nullable String text;

    private @Nullable List<String> segments;

    /// See [#route].
    private @Nullable Record route;

    Path(@Nullable String text) {
      this.text = text;
    }

    List<String> segments() {
      @Nullable List<String> known = segments;
      if (known == null) {
        known = text == null ? List.of() : split(text);
        segments = known;
      }
      return known;
    }
  }

  private HttpTarget(byte[] bytes, int offset, int length, Form form) {
    this.bytes = bytes;
    this.offset = (char) offset;
    this.length = (char) length;
    this.form = form;
  }

  /// A target from text.
  ///
  /// @throws IllegalArgumentException if it is empty or longer than 65,535, has a character that is
  ///   not visible ASCII or is `#`, or has none of the forms
  public static HttpTarget of(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException("a target has at most " + MAX_LENGTH + " characters");
    }
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0xff || !isTargetByte(bytes[i])) {
        throw new IllegalArgumentException(
            "a target has the character " + Grammar.describe(text.charAt(i)) + " at " + i);
      }
    }
    @Nullable Form form = form(bytes, 0, bytes.length);
    if (form == null) {
      throw new IllegalArgumentException(
          "a target begins with / or is an absolute http or https URI, host:port or *");
    }
    return new HttpTarget(bytes, 0, bytes.length, form);
  }

  /// For parsers: a target of bytes that were checked with [#isTargetByte]. Null if it has none of
  /// the forms. The target reads the array as long as it exists. Offset and end are at most 65,535.
  @SuppressWarnings("exports")
  public static @Nullable HttpTarget parsed(
      EngineAccess access, byte[] bytes, int offset, int length) {
    Objects.requireNonNull(access);
    @Nullable Form form = form(bytes, offset, length);
    return form == null ? null : new HttpTarget(bytes, offset, length, form);
  }

  /// True for a byte that may be in a target: visible ASCII but `#`, because a fragment is never
  /// sent.
  public static boolean isTargetByte(byte b) {
    return b > 0x20 && b < 0x7f && b != '#';
  }

  private static @Nullable Form form(byte[] bytes, int offset, int length) {
    if (length == 0) {
      return null;
    }
    if (bytes[offset] == '/') {
      return Form.ORIGIN;
    }
    if (length == 1 && bytes[offset] == '*') {
      return Form.ASTERISK;
    }
    int end = offset + length;
    int start = authorityStart(bytes, offset, end);
    if (start < 0) {
      return isHostAndPort(bytes, offset, end) ? Form.AUTHORITY : null;
    }
    int authorityEnd = authorityEnd(bytes, start, end);
    return authorityEnd > start
            && bytes[start] != ':'
            && Authority.fault(bytes, start, authorityEnd) == null
        ? Form.ABSOLUTE
        : null;
  }

  private static boolean isHostAndPort(byte[] bytes, int start, int end) {
    return bytes[start] != ':'
        && bytes[end - 1] >= '0'
        && bytes[end - 1] <= '9'
        && Authority.fault(bytes, start, end) == null
        && Authority.of(new String(bytes, start, end - start, StandardCharsets.ISO_8859_1)).port()
            >= 0;
  }

  /// True for `*`, which means the server as a whole.
  public boolean isAsterisk() {
    return form == Form.ASTERISK;
  }

  /// True for an absolute URI, whose authority replaces that of the Host field.
  public boolean isAbsolute() {
    return form == Form.ABSOLUTE;
  }

  /// True for `host:port`, the form of CONNECT.
  public boolean isAuthority() {
    return form == Form.AUTHORITY;
  }

  /// The path as received, `/` at least; `*` for the asterisk form, empty for the authority form.
  public String rawPath() {
    int from = pathStart();
    int to = pathEnd(from);
    return from == to && form == Form.ABSOLUTE ? "/" : string(from, to);
  }

  /// The path, decoded and without dot segments; the raw path if it is not canonical.
  public String path() {
    @Nullable String canonical = decoded().text;
    return canonical != null ? canonical : rawPath();
  }

  /// True if [#path] is the decoded path. False for a path that cannot be decoded without changing
  /// its meaning, and for the asterisk and authority forms.
  public boolean isCanonical() {
    return decoded().text != null;
  }

  /// The parts of [#path] between its slashes: `[a, b]` for `/a/b`, `[a, ""]` for `/a/`, `[""]` for
  /// `/`. Empty if the path is not canonical.
  public List<String> segments() {
    return decoded().segments();
  }

  /// For tables of routes: the route that was stored last, or null. Requests of a connection with
  /// equal heads share one target.
  @SuppressWarnings("exports")
  public @Nullable Record route(EngineAccess access) {
    Objects.requireNonNull(access);
    return decoded().route;
  }

  /// For tables of routes: stores the route of the path. The type is [Record] because its fields
  /// are final, so any thread may read it.
  @SuppressWarnings("exports")
  public void route(EngineAccess access, Record route) {
    Objects.requireNonNull(access);
    decoded().route = route;
  }

  /// True if the path is canonical and equals `path`. Does not allocate if the raw path has neither
  /// escapes nor dots.
  public boolean hasPath(String path) {
    int from = pathStart();
    int to = pathEnd(from);
    if (from == to) {
      return form == Form.ABSOLUTE && path.equals("/");
    }
    boolean same = to - from == path.length();
    boolean plain = bytes[from] == '/';
    for (int i = from; i < to && plain; i++) {
      byte b = bytes[i];
      plain = b != '%' && (b != '.' || bytes[i - 1] != '/');
      same = same && b == path.charAt(i - from);
    }
    return plain ? same : isCanonical() && path().equals(path);
  }

  private Path decoded() {
    @Nullable Path known = path;
    if (known == null) {
      @Nullable String canonical =
          form == Form.ORIGIN || form == Form.ABSOLUTE ? PathText.canonical(rawPath()) : null;
      known = new Path(canonical);
      path = known;
    }
    return known;
  }

  private static List<String> split(String path) {
    List<String> parts = new ArrayList<>();
    int at = 1;
    for (int slash = path.indexOf('/', at); slash >= 0; slash = path.indexOf('/', at)) {
      parts.add(path.substring(at, slash));
      at = slash + 1;
    }
    parts.add(path.substring(at));
    return List.copyOf(parts);
  }

  /// What follows the first `?`, as received; null if there is none.
  public @Nullable String rawQuery() {
    if (form == Form.AUTHORITY) {
      return null;
    }
    int end = pathEnd(pathStart());
    return end < offset + length ? string(end + 1, offset + length) : null;
  }

  /// The first value of a parameter of the query, decoded as `application/x-www-form-urlencoded`;
  /// empty for a parameter without `=`. Null if there is none. A parameter that cannot be decoded
  /// is skipped.
  public @Nullable String query(String name) {
    @Nullable String raw = rawQuery();
    if (raw == null) {
      return null;
    }
    int at = 0;
    while (at <= raw.length()) {
      int end = raw.indexOf('&', at);
      if (end < 0) {
        end = raw.length();
      }
      int equals = raw.indexOf('=', at);
      int nameEnd = equals >= 0 && equals < end ? equals : end;
      if (end > at && name.equals(PathText.formDecoded(raw.substring(at, nameEnd)))) {
        @Nullable String value =
            nameEnd == end ? "" : PathText.formDecoded(raw.substring(nameEnd + 1, end));
        if (value != null) {
          return value;
        }
      }
      at = end + 1;
    }
    return null;
  }

  /// The authority of the absolute and the authority form, or null.
  public @Nullable Authority authority() {
    return switch (form) {
      case ABSOLUTE -> {
        int start = authorityStart(bytes, offset, offset + length);
        yield Authority.of(string(start, authorityEnd(bytes, start, offset + length)));
      }
      case AUTHORITY -> Authority.of(toString());
      case ORIGIN, ASTERISK -> null;
    };
  }

  /// The scheme of the absolute form in lower case, or null.
  public @Nullable String scheme() {
    if (form != Form.ABSOLUTE) {
      return null;
    }
    return schemeEnd(bytes, offset, offset + length, HTTP) > 0 ? "http" : "https";
  }

  /// For encoders: the path and query in origin form.
  @SuppressWarnings("exports")
  public String originForm(EngineAccess access) {
    Objects.requireNonNull(access);
    return originForm();
  }

  /// For encoders: appends the path and query in origin form.
  @SuppressWarnings("exports")
  public void writeOriginForm(EngineAccess access, ByteBuf out) {
    Objects.requireNonNull(access);
    if (form == Form.ABSOLUTE) {
      out.writeBytes(originForm().getBytes(StandardCharsets.ISO_8859_1));
    } else {
      out.writeBytes(bytes, offset, length);
    }
  }

  /// For encoders: the length of the target as received, in bytes.
  @SuppressWarnings("exports")
  public int length(EngineAccess access) {
    Objects.requireNonNull(access);
    return length;
  }

  /// For engines: the bytes of [#originForm]. The caller must not change them.
  @SuppressWarnings("exports")
  public byte[] originBytes(EngineAccess access) {
    Objects.requireNonNull(access);
    if (form != Form.ABSOLUTE) {
      return offset == 0 && length == bytes.length
          ? bytes
          : Arrays.copyOfRange(bytes, offset, offset + length);
    }
    return originForm().getBytes(StandardCharsets.ISO_8859_1);
  }

  String originForm() {
    if (form != Form.ABSOLUTE) {
      return toString();
    }
    int from = pathStart();
    String rest = string(from, offset + length);
    return rest.startsWith("/") ? rest : "/" + rest;
  }

  private int pathStart() {
    return switch (form) {
      case ORIGIN, ASTERISK -> offset;
      case ABSOLUTE -> {
        int end = offset + length;
        yield authorityEnd(bytes, authorityStart(bytes, offset, end), end);
      }
      case AUTHORITY -> offset + length;
    };
  }

  private int pathEnd(int from) {
    int i = from;
    int end = offset + length;
    while (i < end && bytes[i] != '?') {
      i++;
    }
    return i;
  }

  /// Where the authority begins, or -1 if this is not an http or https URI.
  private static int authorityStart(byte[] bytes, int offset, int end) {
    int after = schemeEnd(bytes, offset, end, HTTP);
    return after > 0 ? after : schemeEnd(bytes, offset, end, HTTPS);
  }

  private static int schemeEnd(byte[] bytes, int offset, int end, byte[] scheme) {
    int length = scheme.length;
    return end - offset > length && Ascii.equalsIgnoreCase(bytes, offset, scheme, 0, length)
        ? offset + length
        : -1;
  }

  private static int authorityEnd(byte[] bytes, int start, int end) {
    int i = start;
    while (i < end && bytes[i] != '/' && bytes[i] != '?') {
      i++;
    }
    return i;
  }

  private String string(int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof HttpTarget that && that.toString().equals(toString()));
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  /// The target as received.
  @Override
  public String toString() {
    @Nullable String known = text;
    if (known == null) {
      known = string(offset, offset + length);
      text = known;
    }
    return known;
  }
}

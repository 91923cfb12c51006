package dev.quickwater.http2;

import dev.quickwater.http.HeaderName;
import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.http2.FieldName.Pseudo;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The static table (RFC 7541 appendix A): indices 1 to 61.
final class StaticTable {

  static final int SIZE = 61;

  static final int METHOD_GET = 2;
  static final int SCHEME_HTTP = 6;
  static final int SCHEME_HTTPS = 7;

  /// One entry a line: the name and, after a space, the value.
  private static final String TEXT =
      """
      :authority
      :method GET
      :method POST
      :path /
      :path /index.html
      :scheme http
      :scheme https
      :status 200
      :status 204
      :status 206
      :status 304
      :status 400
      :status 404
      :status 500
      accept-charset
      accept-encoding gzip, deflate
      accept-language
      accept-ranges
      accept
      access-control-allow-origin
      age
      allow
      authorization
      cache-control
      content-disposition
      content-encoding
      content-language
      content-length
      content-location
      content-range
      content-type
      cookie
      date
      etag
      expect
      expires
      from
      host
      if-match
      if-modified-since
      if-none-match
      if-range
      if-unmodified-since
      last-modified
      link
      location
      max-forwards
      proxy-authenticate
      proxy-authorization
      range
      referer
      refresh
      retry-after
      server
      set-cookie
      strict-transport-security
      transfer-encoding
      user-agent
      vary
      via
      www-authenticate
      """;

  private static final TableEntry[] ENTRIES =
      TEXT.lines().map(StaticTable::entry).toArray(TableEntry[]::new);

  /// By number of a registered name: the index of its entry, or 0. No header name has two entries.
  private static final byte[] BY_NAME = new byte[HeaderName.registeredCount(EngineAccess.GRANTED)];

  static {
    for (int i = 1; i <= SIZE; i++) {
      @Nullable HeaderName name = get(i).name().registered();
      if (name != null) {
        BY_NAME[name.number(EngineAccess.GRANTED)] = (byte) i;
      }
    }
  }

  private StaticTable() {}

  private static TableEntry entry(String line) {
    int space = line.indexOf(' ');
    String name = space < 0 ? line : line.substring(0, space);
    String value = space < 0 ? "" : line.substring(space + 1);
    FieldName known =
        name.startsWith(":")
            ? FieldName.of(Pseudo.valueOf(name.substring(1).toUpperCase(java.util.Locale.ROOT)))
            : FieldName.of(HeaderName.of(name));
    byte[] bytes = value.getBytes(StandardCharsets.US_ASCII);
    return TableEntry.of(known, bytes, 0, bytes.length, false);
  }

  /// The entry of an index, 1 to [#SIZE].
  static TableEntry get(int index) {
    return ENTRIES[index - 1];
  }

  /// The index of the entry with this name and value. Otherwise the negative index of the entry of
  /// the name, or 0 if the name has no entry.
  static int indexOf(HeaderName name, byte[] value) {
    int number = name.number(EngineAccess.GRANTED);
    int index = number < 0 ? 0 : BY_NAME[number];
    return index > 0 && Arrays.equals(get(index).value(), value) ? index : -index;
  }
}

package dev.quickwater.http2;

import dev.quickwater.http.Authority;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpTarget;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.http.engine.HeaderField;
import dev.quickwater.http2.FieldName.Pseudo;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Builds heads and trailers from the fields of a header block (RFC 9113 sections 8.2 and 8.3).
///
/// - **Limits:** fields are counted, and decoded bytes with 32 for each field, before a field is
///   stored. Above a limit nothing more is stored, but the block is decoded to its end because the
///   compression table depends on it.
/// - **Pseudo-header fields** must come first, once, and fit the kind of message. Names must be
///   lower-case tokens. Fields of an HTTP/1.1 connection are malformed. TE must be `trailers`.
/// - The parts of a split Cookie field are joined (section 8.2.3).
/// - `:authority` and Host must name the same authority.
/// - The first fault is kept. A message with a fault is a stream error.
///
/// One instance serves all messages of one direction of a connection, one after the other. It keeps
/// a message until the next one begins, because an equal header block reuses the results, and it
/// keeps the last target and authority. Loop only.
final class HeadAssembler implements FieldSink {

  /// What a header block contains.
  enum Kind {
    REQUEST,
    RESPONSE,
    TRAILERS
  }

  private enum Role {
    FIELD,
    COOKIE,
    HOST,
    CONTENT_LENGTH,
    TE,
    EXPECT,
    PRIORITY,
    /// A field of an HTTP/1.1 connection, which makes the message malformed.
    CONNECTION,
    /// A field of the WebSocket handshake of HTTP/1.1, which is dropped.
    DROPPED
  }

  /// By number of a registered name.
  private static final Role[] ROLES = new Role[HeaderName.registeredCount(EngineAccess.GRANTED)];

  static {
    Arrays.fill(ROLES, Role.FIELD);
    role(HeaderName.COOKIE, Role.COOKIE);
    role(HeaderName.of("host"), Role.HOST);
    role(HeaderName.of("content-length"), Role.CONTENT_LENGTH);
    role(HeaderName.TE, Role.TE);
    role(HeaderName.EXPECT, Role.EXPECT);
    role(HeaderName.PRIORITY, Role.PRIORITY);
    for (String name :
        new String[] {
          "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"
        }) {
      role(HeaderName.of(name), Role.CONNECTION);
    }
    role(HeaderName.of("sec-websocket-key"), Role.DROPPED);
    role(HeaderName.of("sec-websocket-accept"), Role.DROPPED);
  }

  private static void role(HeaderName name, Role role) {
    ROLES[name.number(EngineAccess.GRANTED)] = role;
  }

  // Entries that most requests refer to.
  private static final TableEntry GET = StaticTable.get(StaticTable.METHOD_GET);
  private static final TableEntry HTTP = StaticTable.get(StaticTable.SCHEME_HTTP);
  private static final TableEntry HTTPS = StaticTable.get(StaticTable.SCHEME_HTTPS);

  private static final String REPEATED = "a pseudo-header field is repeated";
  private static final int MAX_LENGTH_DIGITS = 15;

  private final int maxSize;
  private final int maxFields;
  private final boolean secure;

  private Kind kind = Kind.REQUEST;
  private HeaderField[] fields = new HeaderField[16];
  private int count;
  private long size;

  /// The number of fields that count towards `maxFields`. A split Cookie field counts once.
  private int counted;

  /// Where the joined Cookie field is in [#fields], or -1.
  private int cookieAt;

  private final Crumbs crumbs = new Crumbs();

  private boolean tooLarge;
  private @Nullable String fault;

  private @Nullable TableEntry method;
  private @Nullable TableEntry scheme;
  private @Nullable TableEntry authority;
  private @Nullable TableEntry path;
  private @Nullable TableEntry protocol;
  private @Nullable TableEntry status;
  private @Nullable TableEntry host;
  private long contentLength;

  /// The message has an Expect field.
  private boolean expects;

  private @Nullable HeaderField priority;
  private boolean fieldsBegun;

  /// The fields of the message; null until they are requested.
  private @Nullable HttpHeaders made;

  /// The request of the message; null until it is requested.
  private @Nullable RequestHead request;

  private boolean requestEnds;

  // The results for entries of the last request, which the peer's table often repeats.
  private @Nullable TableEntry lastPath;
  private @Nullable HttpTarget lastTarget;
  private @Nullable TableEntry lastAuthority;
  private @Nullable Authority lastAuthorityValue;

  /// @param maxSize bytes of the decoded fields, plus 32 for each
  /// @param secure true if the connection is encrypted
  HeadAssembler(int maxSize, int maxFields, boolean secure) {
    this.maxSize = maxSize;
    this.maxFields = maxFields;
    this.secure = secure;
  }

  /// Begins a message.
  void begin(Kind next) {
    kind = next;
    Arrays.fill(fields, 0, count, null);
    count = 0;
    size = 0;
    counted = 0;
    cookieAt = -1;
    crumbs.clear();
    tooLarge = false;
    fault = null;
    method = null;
    scheme = null;
    authority = null;
    path = null;
    protocol = null;
    status = null;
    host = null;
    contentLength = -1;
    expects = false;
    priority = null;
    fieldsBegun = false;
    made = null;
    request = null;
  }

  /// True if the message is larger than a limit.
  boolean isTooLarge() {
    return tooLarge;
  }

  /// Bytes of the decoded fields, plus 32 for each.
  long size() {
    return size;
  }

  /// Why the message is malformed; null if it is not.
  @Nullable String fault() {
    return fault;
  }

  private void fault(String fact) {
    if (fault == null) {
      fault = fact;
    }
  }

  @Override
  public void field(TableEntry entry) {
    size += entry.size();
    if (size > maxSize) {
      tooLarge = true;
    }
    if (entry.fault() != null) {
      fault(entry.fault());
    }
    if (tooLarge || fault != null) {
      return;
    }
    @Nullable Pseudo pseudo = entry.name().pseudo();
    if (pseudo != null) {
      pseudo(pseudo, entry);
      return;
    }
    fieldsBegun = true;
    @Nullable HeaderField field = entry.field();
    if (field == null) {
      throw new IllegalStateException("a field without a fault has no name");
    }
    int number = field.name().number(EngineAccess.GRANTED);
    switch (number < 0 ? Role.FIELD : ROLES[number]) {
      case FIELD -> add(field);
      case COOKIE -> addCookie(field);
      case EXPECT -> {
        expects = true;
        add(field);
      }
      case PRIORITY -> {
        priority = priority == null ? field : priority;
        add(field);
      }
      case HOST -> host(entry);
      case CONTENT_LENGTH -> contentLength(entry.value());
      case TE -> {
        if (field.text().toLowerCase(Locale.ROOT).equals("trailers")) {
          add(field);
        } else {
          fault("TE is not trailers (RFC 9113 section 8.2.2)");
        }
      }
      case CONNECTION ->
          fault("the field " + field.name() + " belongs to HTTP/1.1 (RFC 9113 section 8.2.2)");
      case DROPPED -> {}
    }
  }

  private boolean countField() {
    counted++;
    if (counted > maxFields) {
      tooLarge = true;
      return false;
    }
    return true;
  }

  private void add(HeaderField field) {
    if (!countField()) {
      return;
    }
    if (count == fields.length) {
      fields = Arrays.copyOf(fields, Math.min(2 * count, maxFields));
    }
    fields[count++] = field;
  }

  private void addCookie(HeaderField crumb) {
    if (cookieAt < 0) {
      cookieAt = count;
      add(crumb);
      return;
    }
    crumbs.append(crumb);
  }

  private void host(TableEntry entry) {
    if (kind != Kind.REQUEST) {
      fault("Host is in a message that is not a request");
    } else if (host != null) {
      fault("Host is repeated");
    } else if (countField()) {
      host = entry;
    }
  }

  private void contentLength(byte[] digits) {
    if (kind == Kind.TRAILERS) {
      fault("Content-Length is in trailers");
      return;
    }
    if (contentLength >= 0) {
      fault("Content-Length is repeated");
      return;
    }
    long value = 0;
    boolean good = digits.length > 0 && digits.length <= MAX_LENGTH_DIGITS;
    for (byte b : digits) {
      good &= b >= '0' && b <= '9';
      value = 10 * value + (b - '0');
    }
    if (good) {
      contentLength = value;
    } else {
      fault("Content-Length is not a number of up to 15 digits");
    }
  }

  private void pseudo(Pseudo name, TableEntry entry) {
    if (fieldsBegun) {
      fault("a pseudo-header field follows a field (RFC 9113 section 8.3)");
      return;
    }
    boolean ofResponse = name == Pseudo.STATUS;
    if (kind == Kind.TRAILERS || ofResponse != (kind == Kind.RESPONSE)) {
      fault("a pseudo-header field does not belong to this message (RFC 9113 section 8.3)");
      return;
    }
    @Nullable TableEntry before = null;
    switch (name) {
      case METHOD -> {
        before = method;
        method = entry;
      }
      case SCHEME -> {
        before = scheme;
        scheme = entry;
      }
      case AUTHORITY -> {
        before = authority;
        authority = entry;
      }
      case PATH -> {
        before = path;
        path = entry;
      }
      case PROTOCOL -> {
        before = protocol;
        protocol = entry;
      }
      case STATUS -> {
        before = status;
        status = entry;
      }
    }
    if (before != null) {
      fault(REPEATED);
    }
  }

  private HttpHeaders headers() {
    @Nullable HttpHeaders known = made;
    if (known == null) {
      crumbs.joinTo(fields, cookieAt);
      known =
          count == 0
              ? HttpHeaders.EMPTY
              : HttpHeaders.ofFields(EngineAccess.GRANTED, Arrays.copyOf(fields, count));
      made = known;
    }
    return known;
  }

  /// The kind of the last message. An equal header block can reuse its results.
  Kind kind() {
    return kind;
  }

  // ---- requests ----

  /// The request, unless [#fault] or [#isTooLarge].
  ///
  /// @param endStream true if no body follows
  /// @return null if the message is malformed; then [#fault] has the reason
  @Nullable RequestHead request(boolean endStream) {
    if (request == null || requestEnds != endStream) {
      request = make(endStream);
      requestEnds = endStream;
    }
    return request;
  }

  private @Nullable RequestHead make(boolean endStream) {
    @Nullable HttpMethod known = method();
    if (known == null) {
      return null;
    }
    boolean connect = known == HttpMethod.CONNECT;
    if (connect && protocol == null) {
      return connect(endStream);
    }
    if (protocol != null && !connect) {
      fault(":protocol is in a request that is not a CONNECT (RFC 8441 section 4)");
      return null;
    }
    @Nullable String schemeText = scheme();
    @Nullable HttpTarget target = schemeText == null ? null : target(known);
    @Nullable Authority named = target == null ? null : authority();
    if (schemeText == null || target == null || named == null) {
      return null;
    }
    @Nullable String protocolText = null;
    if (protocol != null) {
      protocolText = text(protocol).toLowerCase(Locale.ROOT);
    }
    // RFC 8441: an extended CONNECT is a GET that changes the protocol, as on HTTP/1.1.
    return RequestHead.parsed(
        EngineAccess.GRANTED,
        connect ? HttpMethod.GET : known,
        schemeText,
        named,
        target,
        protocolText,
        null,
        headers(),
        connect ? 0 : bodyLength(endStream));
  }

  private @Nullable RequestHead connect(boolean endStream) {
    if (scheme != null || path != null) {
      fault("CONNECT has a scheme or a path (RFC 9113 section 8.5)");
      return null;
    }
    @Nullable TableEntry entry = authority;
    @Nullable HttpTarget target =
        entry == null
            ? null
            : HttpTarget.parsed(EngineAccess.GRANTED, entry.value(), 0, entry.value().length);
    if (target == null || !target.isAuthority() || endStream) {
      fault("CONNECT has no authority with host and port, or ends its stream");
      return null;
    }
    @Nullable Authority named = authority();
    return named == null
        ? null
        : RequestHead.parsed(
            EngineAccess.GRANTED,
            HttpMethod.CONNECT,
            secure ? "https" : "http",
            named,
            target,
            null,
            null,
            headers(),
            0);
  }

  private long bodyLength(boolean endStream) {
    return endStream ? 0 : contentLength;
  }

  /// True if the message has an Expect field.
  boolean expects() {
    return expects;
  }

  /// The first Priority field (RFC 9218 section 4); null without one.
  @Nullable String priority() {
    return priority == null ? null : priority.text();
  }

  /// The value of Content-Length, or -1.
  long contentLength() {
    return contentLength;
  }

  private static String text(TableEntry entry) {
    return new String(entry.value(), StandardCharsets.ISO_8859_1);
  }

  private @Nullable HttpMethod method() {
    @Nullable TableEntry entry = method;
    if (entry == null) {
      fault("a request has no :method");
      return null;
    }
    if (entry == GET) {
      return HttpMethod.GET;
    }
    try {
      return HttpMethod.of(text(entry));
    } catch (IllegalArgumentException _) {
      fault("the method is not a token");
      return null;
    }
  }

  private @Nullable String scheme() {
    if (scheme == null) {
      fault("a request has no :scheme");
      return null;
    }
    if (scheme == HTTP) {
      return "http";
    }
    if (scheme == HTTPS) {
      return "https";
    }
    String text = text(scheme);
    if (text.equals("https") || text.equals("http")) {
      return text;
    }
    fault("the scheme is neither http nor https");
    return null;
  }

  private @Nullable HttpTarget target(HttpMethod of) {
    @Nullable TableEntry entry = path;
    if (entry == null) {
      fault("a request has no :path");
      return null;
    }
    if (entry == lastPath) {
      return lastTarget;
    }
    byte[] bytes = entry.value();
    boolean good = bytes.length > 0;
    for (byte b : bytes) {
      good &= HttpTarget.isTargetByte(b);
    }
    if (good && bytes[0] != '/') {
      good = bytes.length == 1 && bytes[0] == '*' && of == HttpMethod.OPTIONS;
    }
    @Nullable HttpTarget target =
        good ? HttpTarget.parsed(EngineAccess.GRANTED, bytes, 0, bytes.length) : null;
    if (target == null) {
      fault("the path does not begin with a slash, or has a character that is not allowed");
    } else if (bytes[0] == '/') {
      lastPath = entry;
      lastTarget = target;
    }
    return target;
  }

  private @Nullable Authority authority() {
    @Nullable TableEntry entry = authority == null ? host : authority;
    if (entry == null) {
      fault("a request has neither :authority nor Host");
      return null;
    }
    @Nullable Authority value = entry == lastAuthority ? lastAuthorityValue : authority(entry);
    if (value == null) {
      return null;
    }
    lastAuthority = entry;
    lastAuthorityValue = value;
    if (authority != null && host != null) {
      @Nullable Authority other = authority(host);
      if (!value.equals(other)) {
        fault(":authority and Host differ (RFC 9113 section 8.3.1)");
        return null;
      }
    }
    return value;
  }

  private @Nullable Authority authority(TableEntry entry) {
    byte[] bytes = entry.value();
    @Nullable String bad = Authority.fault(EngineAccess.GRANTED, bytes, 0, bytes.length);
    if (bad != null || bytes.length == 0) {
      fault(bad == null ? "the authority is empty" : bad);
      return null;
    }
    return Authority.checked(EngineAccess.GRANTED, bytes, 0, bytes.length);
  }

  // ---- responses and trailers ----

  /// The status of the response, unless [#fault] or [#isTooLarge].
  ///
  /// @return null if the message is malformed; then [#fault] has the reason
  @Nullable HttpStatus status() {
    @Nullable TableEntry entry = status;
    byte[] digits = entry == null ? new byte[0] : entry.value();
    int code = 0;
    boolean good = digits.length == 3 && digits[0] >= '1' && digits[0] <= '9';
    for (byte b : digits) {
      good &= b >= '0' && b <= '9';
      code = 10 * code + (b - '0');
    }
    if (!good || code == HttpStatus.SWITCHING_PROTOCOLS.code()) {
      fault("a response has no valid :status (RFC 9113 sections 8.3.2 and 8.6)");
      return null;
    }
    return HttpStatus.of(code);
  }

  /// The head of a final response.
  ///
  /// @param length bytes of the body, or -1
  ResponseHead response(HttpStatus of, long length) {
    return ResponseHead.of(of, headers()).withLength(length);
  }

  /// The fields of trailers, or of an informational response.
  HttpHeaders fields() {
    return headers();
  }
}

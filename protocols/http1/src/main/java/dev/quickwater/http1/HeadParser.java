package dev.quickwater.http1;

import dev.quickwater.http.Grammar;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpRequest;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpTarget;
import dev.quickwater.http.HttpVersion;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Reads the lines of a complete head: request line, fields, and from them how the body is framed.
///
/// There is one interpretation only: a head to which RFC 9112 allows two is refused. The fields of
/// this class are the framing that the last [#parse] found; they refer to no part of the head.
final class HeadParser {

  /// How the body of the request is delimited (RFC 9112 section 6.3).
  static final long NO_BODY = 0;

  static final long CHUNKED = -1;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private static final long HTTP_1_1 = 0x4854_5450_2f31_2e31L;
  private static final long HTTP_1_0 = 0x4854_5450_2f31_2e30L;
  private static final long HTTP_ANY = 0x4854_5450_2f00_2e00L;
  private static final long HTTP_ANY_MASK = 0xffff_ffff_ff00_ff00L;

  /// "GET" and the space after it.
  private static final int GET = 0x4745_5420;

  private static final int GET_LENGTH = 3;

  private static final byte[] TRANSFER_ENCODING = ascii("transfer-encoding");
  private static final byte[] CONTENT_LENGTH = ascii("content-length");
  private static final byte[] CONNECTION = ascii("connection");
  private static final byte[] EXPECT = ascii("expect");
  private static final byte[] HOST = ascii("host");
  private static final byte[] TRAILER = ascii("trailer");
  private static final byte[] CHUNKED_CODING = ascii("chunked");
  private static final byte[] CONTINUE = ascii("100-continue");

  private HttpVersion version = HttpVersion.HTTP_1_1;
  private boolean close;
  private boolean keepAlive;
  private boolean expectContinue;
  private int hosts;
  private boolean transferEncoding;
  private long contentLength;

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /// The length of the body in bytes, or [#CHUNKED].
  long bodyLength() {
    return transferEncoding ? CHUNKED : Math.max(contentLength, NO_BODY);
  }

  /// True when the connection may stay open after this request.
  boolean isPersistent() {
    return version == HttpVersion.HTTP_1_1 ? !close : keepAlive && !close;
  }

  boolean expectsContinue() {
    return expectContinue;
  }

  /// Reads the head in `block`, whose lines `scanner` has found.
  HttpRequest parse(Http1Settings settings, byte[] block, LineScanner scanner)
      throws Http1Exception {
    close = false;
    keepAlive = false;
    expectContinue = false;
    hosts = 0;
    transferEncoding = false;
    contentLength = -1;
    int requestLine = scanner.lineEnd(0);
    int methodEnd = methodEnd(block, requestLine);
    HttpMethod method = method(block, methodEnd);
    HttpTarget target = target(settings, method, block, methodEnd + 1, requestLine);
    int lines = scanner.lines();
    long[] spans = new long[lines - 1];
    for (int i = 1; i < lines; i++) {
      spans[i - 1] = field(block, scanner.lineEnd(i - 1) + 2, scanner.lineEnd(i), false);
    }
    checkFraming(target);
    return new HttpRequest(
        method, target, version, HttpHeaders.parsed(block, spans), bodyLength() == NO_BODY);
  }

  /// Reads trailers; fields that would change the framing or the routing are refused (RFC 9110
  /// section 6.5.1).
  HttpHeaders parseTrailers(byte[] block, LineScanner scanner) throws Http1Exception {
    int lines = scanner.lines();
    long[] spans = new long[lines];
    int start = 0;
    for (int i = 0; i < lines; i++) {
      spans[i] = field(block, start, scanner.lineEnd(i), true);
      start = scanner.lineEnd(i) + 2;
    }
    return HttpHeaders.parsed(block, spans);
  }

  // ---- request line ----

  private HttpTarget target(
      Http1Settings settings, HttpMethod method, byte[] block, int targetStart, int end)
      throws Http1Exception {
    int targetEnd = targetEnd(block, targetStart, end);
    version(block, targetEnd + 1, end);
    int length = targetEnd - targetStart;
    if (length > settings.maxTargetLength()) {
      throw new Http1Exception(
          HttpStatus.URI_TOO_LONG,
          "the target is longer than maxTargetLength, which is " + settings.maxTargetLength());
    }
    if (method == HttpMethod.CONNECT) {
      throw new Http1Exception(HttpStatus.NOT_IMPLEMENTED, "this server opens no tunnels");
    }
    @Nullable HttpTarget parsed = HttpTarget.parsed(block, targetStart, length);
    if (parsed == null || parsed.isAsterisk() && method != HttpMethod.OPTIONS) {
      throw Http1Exception.bad("the target has none of the forms of RFC 9112 section 3.2");
    }
    return parsed;
  }

  private static HttpMethod method(byte[] block, int end) {
    return end == GET_LENGTH && (int) INT.get(block, 0) == GET
        ? HttpMethod.GET
        : HttpMethod.of(new String(block, 0, end, StandardCharsets.US_ASCII));
  }

  private static int methodEnd(byte[] block, int end) throws Http1Exception {
    if (end > GET_LENGTH && (int) INT.get(block, 0) == GET) {
      return GET_LENGTH;
    }
    int i = 0;
    while (i < end && Grammar.isToken(block[i])) {
      i++;
    }
    if (i == 0 || i == end || block[i] != ' ') {
      throw Http1Exception.bad("the request line does not begin with a method and a space");
    }
    return i;
  }

  private static int targetEnd(byte[] block, int start, int end) throws Http1Exception {
    int i = start;
    while (i < end && HttpTarget.isTargetByte(block[i])) {
      i++;
    }
    if (i == start || i == end || block[i] != ' ') {
      throw Http1Exception.bad(
          i < end && block[i] != ' '
              ? "the target has the character " + Grammar.describe(block[i] & 0xff)
              : "the request line has no target or no version");
    }
    return i;
  }

  private void version(byte[] block, int start, int end) throws Http1Exception {
    if (end - start != 8) {
      throw Http1Exception.bad("the request line does not end with HTTP/1.1");
    }
    long text = (long) LONG.get(block, start);
    if (text == HTTP_1_1) {
      version = HttpVersion.HTTP_1_1;
    } else if (text == HTTP_1_0) {
      version = HttpVersion.HTTP_1_0;
    } else if ((text & HTTP_ANY_MASK) == HTTP_ANY
        && isDigit(block[start + 5])
        && isDigit(block[start + 7])) {
      throw new Http1Exception(
          HttpStatus.HTTP_VERSION_NOT_SUPPORTED, "the version is neither HTTP/1.1 nor HTTP/1.0");
    } else {
      throw Http1Exception.bad("the request line does not end with HTTP/1.1");
    }
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  // ---- fields ----

  private long field(byte[] block, int start, int end, boolean trailer) throws Http1Exception {
    int nameEnd = start;
    while (nameEnd < end && Grammar.isToken(block[nameEnd])) {
      nameEnd++;
    }
    if (nameEnd == start || nameEnd == end || block[nameEnd] != ':') {
      throw badName(block, start, nameEnd, end);
    }
    int valueStart = nameEnd + 1;
    while (valueStart < end && isWhite(block[valueStart])) {
      valueStart++;
    }
    int valueEnd = end;
    while (valueEnd > valueStart && isWhite(block[valueEnd - 1])) {
      valueEnd--;
    }
    int nameLength = nameEnd - start;
    switch (nameLength) {
      case 4, 6, 7, 10, 14, 17 -> known(block, start, nameLength, valueStart, valueEnd, trailer);
      default -> {}
    }
    return HttpHeaders.span(start, nameLength, valueStart, valueEnd - valueStart);
  }

  private static Http1Exception badName(byte[] block, int start, int at, int end) {
    if (at == end) {
      return Http1Exception.bad("a field line has no colon");
    }
    if (at == start && isWhite(block[at])) {
      return Http1Exception.bad("a field line begins with white space (line folding is refused)");
    }
    return Http1Exception.bad(
        at == start
            ? "a field has no name"
            : "a field name has the character " + Grammar.describe(block[at] & 0xff));
  }

  private static boolean isWhite(byte b) {
    return b == ' ' || b == '\t';
  }

  private void known(byte[] block, int name, int length, int start, int end, boolean trailer)
      throws Http1Exception {
    boolean framing =
        switch (length) {
          case 4 -> equalsLower(block, name, HOST);
          case 6 -> equalsLower(block, name, EXPECT);
          case 7 -> trailer && equalsLower(block, name, TRAILER);
          case 10 -> equalsLower(block, name, CONNECTION);
          case 14 -> equalsLower(block, name, CONTENT_LENGTH);
          case 17 -> equalsLower(block, name, TRANSFER_ENCODING);
          default -> false;
        };
    if (!framing) {
      return;
    }
    if (trailer) {
      throw Http1Exception.bad(
          "the trailers have the field "
              + new String(block, name, length, StandardCharsets.US_ASCII));
    }
    switch (length) {
      case 4 -> host(block, start, end);
      case 6 -> expect(block, start, end);
      case 10 -> connection(block, start, end);
      case 14 -> contentLength(block, start, end);
      default -> transferEncoding(block, start, end);
    }
  }

  private static boolean equalsLower(byte[] block, int at, byte[] lower) {
    for (int i = 0; i < lower.length; i++) {
      byte b = block[at + i];
      if ((b >= 'A' && b <= 'Z' ? b + 32 : b) != lower[i]) {
        return false;
      }
    }
    return true;
  }

  private void host(byte[] block, int start, int end) throws Http1Exception {
    if (++hosts > 1) {
      throw Http1Exception.bad("more than one Host field");
    }
    Authorities.check(block, start, end);
  }

  private void expect(byte[] block, int start, int end) throws Http1Exception {
    if (version == HttpVersion.HTTP_1_0) {
      return; // RFC 9110 section 10.1.1
    }
    if (end - start != CONTINUE.length || !equalsLower(block, start, CONTINUE)) {
      throw new Http1Exception(
          HttpStatus.EXPECTATION_FAILED, "the only expectation known is 100-continue");
    }
    expectContinue = true;
  }

  private void connection(byte[] block, int start, int end) {
    int i = start;
    while (i < end) {
      int comma = i;
      while (comma < end && block[comma] != ',') {
        comma++;
      }
      int from = i;
      int to = comma;
      while (from < to && isWhite(block[from])) {
        from++;
      }
      while (to > from && isWhite(block[to - 1])) {
        to--;
      }
      close |= isWord(block, from, to, "close");
      keepAlive |= isWord(block, from, to, "keep-alive");
      i = comma + 1;
    }
  }

  private static boolean isWord(byte[] block, int from, int to, String lower) {
    if (to - from != lower.length()) {
      return false;
    }
    for (int i = 0; i < lower.length(); i++) {
      if ((block[from + i] | 0x20) != (lower.charAt(i) | 0x20)) {
        return false;
      }
    }
    return true;
  }

  private void contentLength(byte[] block, int start, int end) throws Http1Exception {
    if (contentLength >= 0) {
      throw Http1Exception.bad("more than one Content-Length field");
    }
    if (start == end || end - start > 18) {
      throw Http1Exception.bad("Content-Length is not 1 to 18 digits");
    }
    long length = 0;
    for (int i = start; i < end; i++) {
      if (!isDigit(block[i])) {
        throw Http1Exception.bad(
            "Content-Length has the character " + Grammar.describe(block[i] & 0xff));
      }
      length = length * 10 + (block[i] - '0');
    }
    contentLength = length;
  }

  private void transferEncoding(byte[] block, int start, int end) throws Http1Exception {
    if (transferEncoding) {
      throw Http1Exception.bad("more than one Transfer-Encoding field");
    }
    if (start == end) {
      throw Http1Exception.bad("Transfer-Encoding is empty");
    }
    if (end - start != CHUNKED_CODING.length || !equalsLower(block, start, CHUNKED_CODING)) {
      throw new Http1Exception(
          HttpStatus.NOT_IMPLEMENTED, "the only transfer coding known is chunked, alone");
    }
    transferEncoding = true;
  }

  /// Length and host rules that need the whole head.
  private void checkFraming(HttpTarget target) throws Http1Exception {
    if (transferEncoding) {
      if (version != HttpVersion.HTTP_1_1) {
        throw Http1Exception.bad("Transfer-Encoding in a request of HTTP/1.0");
      }
      if (contentLength >= 0) {
        throw Http1Exception.bad("both Content-Length and Transfer-Encoding");
      }
    }
    if (hosts == 0 && version == HttpVersion.HTTP_1_1) {
      throw Http1Exception.bad("no Host field, which HTTP/1.1 requires");
    }
    if (target.isAbsolute()) {
      byte[] authority =
          java.util.Objects.requireNonNull(target.authority()).getBytes(StandardCharsets.US_ASCII);
      Authorities.check(authority, 0, authority.length);
      if (authority[0] == ':') {
        throw Http1Exception.bad("the target has an empty host, RFC 9110 section 4.2.1");
      }
    }
  }
}

package dev.quickwater.http1;

import dev.quickwater.http.Grammar;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.http.engine.FieldSpan;
import dev.quickwater.util.text.Ascii;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads the field lines of a head or of trailers, in both directions.
///
/// - Engine-owned fields ([HeaderName#isEngineOwned]) do not become part of the headers. The
///   members of this class hold their values until the next head is read.
/// - Fields that Connection nominates are dropped (RFC 9110 section 7.6.1), except registered
///   end-to-end fields: otherwise a sender could hide Cookie or Authorization from the next
///   recipient.
/// - An ambiguous head, which RFC 9112 allows to be read in two ways, is refused. A response may
///   repeat an equal Content-Length (section 6.3); a request may not.
///
/// An instance keeps only numbers of a head, no bytes.
final class FieldParser {

  private static final byte[] TRANSFER_ENCODING = ascii("transfer-encoding");
  private static final byte[] CONTENT_LENGTH = ascii("content-length");
  private static final byte[] PROXY_CONNECTION = ascii("proxy-connection");
  private static final byte[] CONNECTION = ascii("connection");
  private static final byte[] KEEP_ALIVE = ascii("keep-alive");
  private static final byte[] UPGRADE = ascii("upgrade");
  private static final byte[] TRAILER = ascii("trailer");
  private static final byte[] EXPECT = ascii("expect");
  private static final byte[] WEBSOCKET_KEY = ascii("sec-websocket-key");
  private static final byte[] HTTP2_SETTINGS = ascii("http2-settings");
  private static final byte[] WEBSOCKET_ACCEPT = ascii("sec-websocket-accept");
  private static final byte[] HOST = ascii("host");
  private static final byte[] CHUNKED = ascii("chunked");
  private static final byte[] CLOSE = ascii("close");
  private static final byte[] CONTINUE = ascii("100-continue");

  /// Content-Length, or -1.
  long contentLength;

  /// Transfer-Encoding is present; its only coding is chunked.
  boolean chunked;

  boolean close;
  boolean keepAlive;

  /// Connection has the option `upgrade`.
  boolean upgradeOption;

  /// Connection has the option `http2-settings`.
  private boolean settingsOption;

  boolean expectContinue;

  /// Where the value of Host is in the block; `hostStart` is -1 if there is none.
  int hostStart;

  int hostEnd;

  /// Where the value of the first Upgrade is in the block; `upgradeStart` is -1 if there is none.
  int upgradeStart;

  int upgradeEnd;

  /// Where the value of Sec-WebSocket-Key of a request, or of -Accept of a response, is in the
  /// block; the start is -1 if there is none.
  private int handshakeStart;

  private int handshakeEnd;

  /// The same for HTTP2-Settings of a request.
  private int settingsStart;

  private int settingsEnd;

  private boolean request;
  private HttpVersion version = HttpVersion.HTTP_1_1;
  private int maxOptions;
  private long[] spans = new long[16];
  private int count;

  /// Connection options other than `close`, `keep-alive`, `upgrade` and `http2-settings`: start and
  /// end in turn.
  private int[] nominated = new int[8];

  private int nominations;

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /// Reads the fields after the first line of a request head.
  HttpHeaders parseRequest(Http1Settings settings, byte[] block, LineScanner lines, HttpVersion of)
      throws Http1Exception {
    request = true;
    return parse(settings, block, lines, of);
  }

  /// Reads the fields after the first line of a response head.
  HttpHeaders parseResponse(Http1Settings settings, byte[] block, LineScanner lines, HttpVersion of)
      throws Http1Exception {
    request = false;
    return parse(settings, block, lines, of);
  }

  private HttpHeaders parse(Http1Settings settings, byte[] block, LineScanner lines, HttpVersion of)
      throws Http1Exception {
    version = of;
    maxOptions = settings.heads().maxFields();
    contentLength = -1;
    chunked = false;
    close = false;
    keepAlive = false;
    upgradeOption = false;
    settingsOption = false;
    expectContinue = false;
    hostStart = -1;
    upgradeStart = -1;
    handshakeStart = -1;
    settingsStart = -1;
    nominations = 0;
    start(lines.lines());
    int end = lines.lineEnd(0);
    for (int i = 1; i < lines.lines(); i++) {
      int start = end + 2;
      end = lines.lineEnd(i);
      field(block, start, end, false);
    }
    if (chunked) {
      if (version != HttpVersion.HTTP_1_1) {
        throw Http1Exception.bad("Transfer-Encoding in a message of HTTP/1.0");
      }
      if (contentLength >= 0) {
        throw Http1Exception.bad("both Content-Length and Transfer-Encoding");
      }
    }
    if (nominations > 0) {
      dropNominated(block);
    }
    return headers(block);
  }

  /// Reads trailers; fields that would change the framing or the routing are refused (RFC 9110
  /// section 6.5.1).
  HttpHeaders parseTrailers(byte[] block, LineScanner lines) throws Http1Exception {
    start(lines.lines());
    int start = 0;
    for (int i = 0; i < lines.lines(); i++) {
      int end = lines.lineEnd(i);
      field(block, start, end, true);
      start = end + 2;
    }
    return headers(block);
  }

  private void start(int lines) {
    count = 0;
    if (spans.length < lines) {
      spans = new long[Math.max(lines, spans.length * 2)];
    }
  }

  private HttpHeaders headers(byte[] block) {
    return HttpHeaders.parsed(EngineAccess.GRANTED, block, Arrays.copyOf(spans, count));
  }

  /// True if the connection may stay open after this message (RFC 9112 section 9.3).
  boolean isPersistent() {
    return !close && (version == HttpVersion.HTTP_1_1 || keepAlive);
  }

  // ---- lines ----

  private void field(byte[] block, int start, int end, boolean trailer) throws Http1Exception {
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
    int length = nameEnd - start;
    boolean owned =
        switch (length) {
          case 4, 6, 7, 10, 14, 16, 17, 20 ->
              isOwned(block, start, length, valueStart, valueEnd, trailer);
          default -> false;
        };
    if (!owned) {
      spans[count++] = FieldSpan.of(start, length, valueStart, valueEnd - valueStart);
    }
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

  /// Reads a field whose name has the length of an engine-owned name.
  ///
  /// @return true if the field does not become part of the headers
  private boolean isOwned(byte[] block, int name, int length, int start, int end, boolean trailer)
      throws Http1Exception {
    boolean known =
        switch (length) {
          case 4 -> isWord(block, name, HOST);
          case 6 -> isWord(block, name, EXPECT);
          case 7 -> isWord(block, name, UPGRADE) || trailer && isWord(block, name, TRAILER);
          case 10 -> isWord(block, name, CONNECTION) || isWord(block, name, KEEP_ALIVE);
          case 14 ->
              isWord(block, name, CONTENT_LENGTH)
                  || request && !trailer && isWord(block, name, HTTP2_SETTINGS);
          case 16 -> isWord(block, name, PROXY_CONNECTION);
          case 17 -> isWord(block, name, TRANSFER_ENCODING) || isWord(block, name, WEBSOCKET_KEY);
          default -> isWord(block, name, WEBSOCKET_ACCEPT);
        };
    if (!known) {
      return false;
    }
    if (trailer) {
      throw Http1Exception.bad(
          "the trailers have the field "
              + new String(block, name, length, StandardCharsets.US_ASCII));
    }
    switch (length) {
      case 4 -> host(start, end);
      case 6 -> {
        expect(block, start, end);
        return false;
      }
      case 7 -> upgrade(start, end);
      case 10 -> {
        if ((block[name] | 0x20) == 'c') {
          connection(block, start, end);
        }
      }
      case 14 -> {
        if ((block[name] | 0x20) == 'c') {
          contentLength(block, start, end);
        } else {
          settingsEnd = settingsStart < 0 ? end : start; // a second field makes the value empty
          settingsStart = start;
        }
      }
      case 17 -> {
        if ((block[name] | 0x20) == 't') {
          transferEncoding(block, start, end);
        } else if (request) {
          handshake(start, end);
        }
      }
      case 20 -> {
        if (!request) {
          handshake(start, end);
        }
      }
      default -> {}
    }
    return true;
  }

  // ---- values ----

  private void host(int start, int end) throws Http1Exception {
    if (!request) {
      return;
    }
    if (hostStart >= 0) {
      throw Http1Exception.bad("more than one Host field");
    }
    hostStart = start;
    hostEnd = end;
  }

  private void expect(byte[] block, int start, int end) throws Http1Exception {
    if (!request || version == HttpVersion.HTTP_1_0) {
      return; // RFC 9110 section 10.1.1
    }
    if (end - start != CONTINUE.length || !isWord(block, start, CONTINUE)) {
      throw new Http1Exception(
          HttpStatus.EXPECTATION_FAILED, "the only known expectation is 100-continue");
    }
    expectContinue = true;
  }

  private void upgrade(int start, int end) {
    if (upgradeStart < 0) {
      upgradeStart = start;
      upgradeEnd = end;
    }
  }

  private void connection(byte[] block, int start, int end) throws Http1Exception {
    int i = start;
    while (i < end) {
      int comma = comma(block, i, end);
      int from = i;
      while (from < comma && isWhite(block[from])) {
        from++;
      }
      int to = comma;
      while (to > from && isWhite(block[to - 1])) {
        to--;
      }
      option(block, from, to);
      i = comma + 1;
    }
  }

  private void option(byte[] block, int from, int to) throws Http1Exception {
    int length = to - from;
    if (length == CLOSE.length && isWord(block, from, CLOSE)) {
      close = true;
    } else if (length == KEEP_ALIVE.length && isWord(block, from, KEEP_ALIVE)) {
      keepAlive = true;
    } else if (length == UPGRADE.length && isWord(block, from, UPGRADE)) {
      upgradeOption = true;
    } else if (length == HTTP2_SETTINGS.length && isWord(block, from, HTTP2_SETTINGS)) {
      settingsOption = true;
    } else if (length > 0) {
      // The number of options is limited, because each option is compared with each field.
      if (nominations == 2 * maxOptions) {
        throw Http1Exception.bad("too many connection options");
      }
      if (nominations == nominated.length) {
        nominated = Arrays.copyOf(nominated, nominations * 2);
      }
      nominated[nominations++] = from;
      nominated[nominations++] = to;
    }
  }

  private void contentLength(byte[] block, int start, int end) throws Http1Exception {
    if (request && contentLength >= 0) {
      throw Http1Exception.bad("more than one Content-Length field");
    }
    int i = start;
    do {
      int comma = request ? end : comma(block, i, end);
      int from = i;
      int to = comma;
      if (!request) {
        while (from < to && isWhite(block[from])) {
          from++;
        }
        while (to > from && isWhite(block[to - 1])) {
          to--;
        }
      }
      long length = length(block, from, to);
      if (contentLength >= 0 && contentLength != length) {
        throw Http1Exception.bad("Content-Length fields that differ");
      }
      contentLength = length;
      i = comma + 1;
    } while (i <= end && !request);
  }

  private static long length(byte[] block, int start, int end) throws Http1Exception {
    if (start == end || end - start > Ascii.MAX_DIGITS) {
      throw Http1Exception.bad("Content-Length is not 1 to 18 digits");
    }
    long length = Ascii.parseDigits(block, start, end);
    if (length < 0) {
      throw Http1Exception.bad(
          "Content-Length has the character "
              + Grammar.describe(block[firstNoDigit(block, start)] & 0xff));
    }
    return length;
  }

  private static int firstNoDigit(byte[] block, int start) {
    int i = start;
    while (block[i] >= '0' && block[i] <= '9') {
      i++;
    }
    return i;
  }

  private void transferEncoding(byte[] block, int start, int end) throws Http1Exception {
    if (chunked) {
      throw Http1Exception.bad("more than one Transfer-Encoding field");
    }
    if (end - start != CHUNKED.length || !isWord(block, start, CHUNKED)) {
      throw otherCoding(block, start, end);
    }
    chunked = true;
  }

  /// The error for a transfer coding other than chunked. The status is 501 if unknown codings
  /// precede a final chunked, because the message is well-formed. It is 400 if the end of the body
  /// cannot be found (RFC 9112 section 6.3).
  private static Http1Exception otherCoding(byte[] block, int start, int end) {
    int last = end;
    while (last > start && block[last - 1] != ',') {
      last--;
    }
    if (last == start || !isChunked(block, last, end)) {
      return Http1Exception.bad("the last transfer coding is not chunked");
    }
    int i = start;
    while (i < last) {
      int comma = comma(block, i, end);
      if (isChunked(block, i, comma) || !isToken(block, i, comma)) {
        return Http1Exception.bad("a value before chunked is not a transfer coding");
      }
      i = comma + 1;
    }
    return new Http1Exception(
        HttpStatus.NOT_IMPLEMENTED, "the only known transfer coding is chunked, alone");
  }

  private static boolean isChunked(byte[] block, int start, int end) {
    int from = start;
    while (from < end && isWhite(block[from])) {
      from++;
    }
    int to = end;
    while (to > from && isWhite(block[to - 1])) {
      to--;
    }
    return to - from == CHUNKED.length && isWord(block, from, CHUNKED);
  }

  private static boolean isToken(byte[] block, int start, int end) {
    String text = new String(block, start, end - start, StandardCharsets.ISO_8859_1).strip();
    return Grammar.isToken(text);
  }

  /// The first protocol of the first Upgrade field, in lower case. Null without such a field, if
  /// Connection does not nominate it, or if the element is not a protocol.
  @Nullable String upgradeProtocol(byte[] block) {
    if (upgradeStart < 0 || !upgradeOption || version != HttpVersion.HTTP_1_1) {
      return null;
    }
    int comma = comma(block, upgradeStart, upgradeEnd);
    String text =
        new String(block, upgradeStart, comma - upgradeStart, StandardCharsets.ISO_8859_1).strip();
    return Grammar.isProtocol(text) ? text.toLowerCase(Locale.ROOT) : null;
  }

  /// A second field makes the value empty, which is never valid.
  private void handshake(int start, int end) {
    handshakeEnd = handshakeStart < 0 ? end : start;
    handshakeStart = start;
  }

  /// The value of Sec-WebSocket-Key of a request, or of Sec-WebSocket-Accept of a response. Null
  /// without the field, empty if it is repeated.
  @Nullable String handshake(byte[] block) {
    return handshakeStart < 0
        ? null
        : new String(
            block, handshakeStart, handshakeEnd - handshakeStart, StandardCharsets.ISO_8859_1);
  }

  /// The value of HTTP2-Settings. Null without the field, or if Connection does not nominate it;
  /// empty if it is repeated.
  @Nullable String http2Settings(byte[] block) {
    return settingsStart < 0 || !settingsOption
        ? null
        : new String(
            block, settingsStart, settingsEnd - settingsStart, StandardCharsets.ISO_8859_1);
  }

  // ---- nominated fields ----

  private void dropNominated(byte[] block) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (!isNominated(block, FieldSpan.nameOffset(spans[i]), FieldSpan.nameLength(spans[i]))) {
        spans[kept++] = spans[i];
      }
    }
    count = kept;
  }

  private boolean isNominated(byte[] block, int name, int length) {
    for (int i = 0; i < nominations; i += 2) {
      if (nominated[i + 1] - nominated[i] == length
          && Ascii.equalsIgnoreCase(block, nominated[i], block, name, length)) {
        return !HeaderName.of(EngineAccess.GRANTED, block, name, length)
            .isEndToEnd(EngineAccess.GRANTED);
      }
    }
    return false;
  }

  // ---- bytes ----

  private static int comma(byte[] block, int start, int end) {
    int i = start;
    while (i < end && block[i] != ',') {
      i++;
    }
    return i;
  }

  private static boolean isWord(byte[] block, int at, byte[] word) {
    for (int i = 0; i < word.length; i++) {
      byte b = block[at + i];
      if ((b >= 'A' && b <= 'Z' ? b + 32 : b) != word[i]) {
        return false;
      }
    }
    return true;
  }

  private static boolean isWhite(byte b) {
    return b == ' ' || b == '\t';
  }
}

package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.Authority;
import dev.quickwater.http.Grammar;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpTarget;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.RequestHead;
import dev.quickwater.http.engine.EngineAccess;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads the lines of a complete request head: the request line, and the fields, which determine
/// how the body is delimited. An ambiguous head, which RFC 9112 allows to be read in two ways, is
/// refused.
///
/// [KeptHead] is the previous head of the connection. If a part equals that of the previous head,
/// its result is reused.
final class HeadParser {

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

  private static final String HTTP = "http";
  private static final String HTTPS = "https";

  private final FieldParser fields = new FieldParser();

  /// Scratch space for comparing with a kept head and for its request line.
  private final byte[] scratch = new byte[KeptHead.MAX_FIELDS];

  // The parts of the last request line.
  private HttpMethod method = HttpMethod.GET;
  private HttpVersion version = HttpVersion.HTTP_1_1;
  private int targetStart;
  private int targetEnd;

  FieldParser fields() {
    return fields;
  }

  byte[] scratch() {
    return scratch;
  }

  HttpVersion version() {
    return version;
  }

  /// Reads the head in `block`, whose lines `lines` has found.
  RequestHead parse(
      Http1Settings settings,
      boolean secure,
      byte[] block,
      LineScanner lines,
      @Nullable KeptHead previous)
      throws Http1Exception {
    requestLine(settings, block, lines.lineEnd(0));
    HttpTarget target = target(block, targetStart, targetEnd);
    HttpHeaders headers = fields.parseRequest(settings, block, lines, version);
    if (fields.hostStart < 0 && version == HttpVersion.HTTP_1_1) {
      throw Http1Exception.bad("no Host field, which HTTP/1.1 requires");
    }
    @Nullable Authority host = host(block, previous);
    long length = fields.chunked ? Framing.CHUNKED : Math.max(fields.contentLength, 0);
    @Nullable String protocol = null;
    if (target.isAuthority()) {
      if (length != 0) {
        throw Http1Exception.bad("a CONNECT request has a body");
      }
    } else if (length == 0) {
      protocol = fields.upgradeProtocol(block);
    }
    @Nullable Authority named = named(target);
    HttpMethod parsed = method;
    method = HttpMethod.GET; // this parser outlives the request
    return RequestHead.parsed(
        EngineAccess.GRANTED,
        parsed,
        scheme(target, secure),
        named != null ? named : host,
        target,
        protocol,
        handshake(block, protocol),
        headers,
        length);
  }

  /// The value of the field that belongs to a change of protocol.
  private @Nullable String handshake(byte[] block, @Nullable String protocol) {
    return switch (protocol) {
      case WebSocketHandshake.PROTOCOL -> fields.handshake(block);
      case "h2c" -> fields.http2Settings(block);
      case null, default -> null;
    };
  }

  /// Reads a request line whose fields are those of `previous`, byte by byte.
  ///
  /// @param length bytes of the line with its line end, at most [KeptHead#MAX_LINE]
  /// @return null if the fields must be read again: the version or the form of the target changes
  ///   their meaning
  @Nullable RequestHead parseLine(Http1Settings settings, ByteBuf in, int length, KeptHead previous)
      throws Http1Exception {
    byte[] line = scratch;
    in.copyToArray(in.readerIndex(), line, 0, length);
    requestLine(settings, line, length - 2);
    if (version != previous.version()
        || method == HttpMethod.CONNECT
        || line[targetStart] != '/'
        || !previous.isOrigin()) {
      return null;
    }
    byte[] bytes = Arrays.copyOfRange(line, targetStart, targetEnd);
    RequestHead head =
        previous.head().sameFields(EngineAccess.GRANTED, method, target(bytes, 0, bytes.length));
    previous.keep(line, length, head);
    return head;
  }

  private static String scheme(HttpTarget target, boolean secure) throws Http1Exception {
    @Nullable String scheme = target.scheme();
    if (scheme == null) {
      return secure ? HTTPS : HTTP;
    }
    if (scheme.equals(HTTPS) && !secure) {
      throw Http1Exception.bad("an https target on a connection that is not encrypted");
    }
    return scheme;
  }

  private @Nullable Authority host(byte[] block, @Nullable KeptHead previous)
      throws Http1Exception {
    if (fields.hostStart < 0) {
      return null;
    }
    if (previous != null) {
      @Nullable Authority same = previous.authority(block, fields.hostStart, fields.hostEnd);
      if (same != null) {
        return same;
      }
    }
    Authorities.check(block, fields.hostStart, fields.hostEnd);
    return Authority.checked(EngineAccess.GRANTED, block, fields.hostStart, fields.hostEnd);
  }

  private static @Nullable Authority named(HttpTarget target) {
    return target.isAbsolute() || target.isAuthority() ? target.authority() : null;
  }

  // ---- request line ----

  private void requestLine(Http1Settings settings, byte[] block, int end) throws Http1Exception {
    int methodEnd = methodEnd(block, end);
    method = method(block, methodEnd);
    targetStart = methodEnd + 1;
    targetEnd = targetEnd(block, targetStart, end);
    version = version(block, targetEnd + 1, end);
    if (targetEnd - targetStart > settings.heads().maxTargetLength()) {
      throw Http1Exception.limit(
          HttpStatus.URI_TOO_LONG,
          "the target is longer than " + settings.heads().maxTargetLength() + " bytes",
          "maxTargetLength");
    }
  }

  private HttpTarget target(byte[] block, int start, int end) throws Http1Exception {
    @Nullable HttpTarget parsed =
        HttpTarget.parsed(EngineAccess.GRANTED, block, start, end - start);
    if (parsed == null
        || parsed.isAuthority() != (method == HttpMethod.CONNECT)
        || parsed.isAsterisk() && method != HttpMethod.OPTIONS) {
      throw Http1Exception.bad("the target has none of the forms of RFC 9112 section 3.2");
    }
    return parsed;
  }

  private static HttpMethod method(byte[] block, int end) {
    if (end == GET_LENGTH && (int) INT.get(block, 0) == GET) {
      return HttpMethod.GET;
    }
    return HttpMethod.of(new String(block, 0, end, StandardCharsets.US_ASCII));
  }

  private static int methodEnd(byte[] block, int end) throws Http1Exception {
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

  private static HttpVersion version(byte[] block, int start, int end) throws Http1Exception {
    if (end - start != 8) {
      throw Http1Exception.bad("the request line does not end with HTTP/1.1");
    }
    @Nullable HttpVersion known = version(block, start);
    if (known == null) {
      throw Http1Exception.bad("the request line does not end with HTTP/1.1");
    }
    return known;
  }

  /// The version at `start`, where eight bytes are readable; null if there is none. A minor version
  /// above 1 is read as HTTP/1.1 (RFC 9110 section 2.5).
  static @Nullable HttpVersion version(byte[] block, int start) throws Http1Exception {
    long text = (long) LONG.get(block, start);
    if (text == HTTP_1_1) {
      return HttpVersion.HTTP_1_1;
    }
    if (text == HTTP_1_0) {
      return HttpVersion.HTTP_1_0;
    }
    if ((text & HTTP_ANY_MASK) != HTTP_ANY
        || !isDigit(block[start + 5])
        || !isDigit(block[start + 7])) {
      return null;
    }
    if (block[start + 5] == '1') {
      return HttpVersion.HTTP_1_1;
    }
    throw new Http1Exception(
        HttpStatus.HTTP_VERSION_NOT_SUPPORTED, "the version is neither HTTP/1.1 nor HTTP/1.0");
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }
}

package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpMethod;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.ResponseHead;
import dev.quickwater.http.engine.EngineAccess;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The client's half of HTTP/1.1 without I/O: bytes in, parts of responses out.
///
/// ```
///  IDLE --begin()--> HEAD --1xx----------> HEAD
///                     |----no body-------> LAST ---> IDLE
///                     |----body----------> BODY ---> IDLE
///                     '----101, CONNECT--> TUNNEL
///  (any) --violation--> FAILED, for good
/// ```
///
/// - [#begin] must be called for each request, in order and after the previous response has ended.
///   A response cannot be read without its request, which determines whether the response can have
///   a body (RFC 9112 section 6.3). Bytes that arrive before [#begin] are a violation.
/// - [#parse] must be called with all unconsumed bytes. It consumes bytes by moving the reader
///   index, and returns one event at a time. [Result#END] ends every response except a tunnel.
/// - Cost is linear in the bytes received, however they are split.
/// - It keeps no buffer: the caller owns `in`.
/// - After an [Http1Exception] every further call throws it again.
public final class ResponseParser {

  /// The default limit of interim responses to one request: more than servers usually send, and few
  /// enough to stop a flood.
  public static final int MAX_INFORMATIONAL = 8;

  /// What [#parse] found.
  public enum Result {
    /// No event is complete; call again with more bytes.
    MORE,
    /// An interim response is complete: [ResponseParser#status], [ResponseParser#headers].
    INFORM,
    /// The head of the final response, or of a 101 (Switching Protocols), is complete.
    HEAD,
    /// The next [ResponseParser#dataLength] readable bytes of `in` belong to the body. The caller
    /// reads them.
    DATA,
    /// The response is complete: [ResponseParser#trailers].
    END
  }

  private enum State {
    IDLE,
    HEAD,
    LAST,
    BODY,
    TUNNEL,
    FAILED
  }

  private final Http1Settings settings;
  private final int maxInformational;
  private final SharedParsers shared;

  /// Null unless a head is incomplete.
  private @Nullable LineScanner lines;

  /// The last final head. Servers often repeat a head, because its Date changes only once a second.
  private @Nullable KeptAnswer kept;

  private @Nullable BodyDecoder body;
  private State state = State.IDLE;
  private HttpMethod method = HttpMethod.GET;

  /// The protocol of the request's Upgrade field, in lower case.
  private @Nullable String protocol;

  /// The required Sec-WebSocket-Accept; null if the request has no key.
  private @Nullable String webSocketAccept;

  private int informational;
  private HttpStatus status = HttpStatus.OK;
  private HttpVersion version = HttpVersion.HTTP_1_1;
  private HttpHeaders headers = HttpHeaders.EMPTY;
  private @Nullable ResponseHead head;
  private HttpHeaders trailers = HttpHeaders.EMPTY;
  private boolean persistent;
  private boolean hasBody;
  private @Nullable Http1Exception failure;

  /// A parser for one connection that accepts [#MAX_INFORMATIONAL] interim responses to a request.
  public ResponseParser(Http1Settings settings) {
    this(settings, MAX_INFORMATIONAL);
  }

  /// A parser for one connection.
  ///
  /// @param maxInformational maximum number of interim responses to one request
  public ResponseParser(Http1Settings settings, int maxInformational) {
    this(settings, maxInformational, new SharedParsers());
  }

  /// A parser for one connection of the loop that `shared` belongs to.
  ResponseParser(Http1Settings settings, int maxInformational, SharedParsers shared) {
    this.settings = settings;
    this.maxInformational = maxInformational;
    this.shared = shared;
  }

  /// Expects the response to a request of this method.
  ///
  /// @throws IllegalStateException if the previous response has not ended
  public void begin(HttpMethod requestMethod) {
    begin(requestMethod, null);
  }

  /// Expects the response to a request of this method with an Upgrade field.
  ///
  /// @param requestProtocol the protocol of the Upgrade field in lower case; null without the field
  /// @throws IllegalStateException if the previous response has not ended
  public void begin(HttpMethod requestMethod, @Nullable String requestProtocol) {
    begin(requestMethod, requestProtocol, null);
  }

  /// Expects the response to a request with an Upgrade field.
  ///
  /// @param accept the required Sec-WebSocket-Accept of a 101; null if the request has no key
  void begin(HttpMethod requestMethod, @Nullable String requestProtocol, @Nullable String accept) {
    if (state != State.IDLE) {
      throw new IllegalStateException("the previous response has not ended, it is at " + state);
    }
    state = State.HEAD;
    method = requestMethod;
    protocol = requestProtocol;
    webSocketAccept = accept;
    informational = 0;
    head = null;
    headers = HttpHeaders.EMPTY;
    trailers = HttpHeaders.EMPTY;
  }

  /// The status of the last head, interim ones included.
  public HttpStatus status() {
    return status;
  }

  /// The fields of the last head, interim ones included.
  public HttpHeaders headers() {
    return headers;
  }

  /// The version of the last head.
  public HttpVersion version() {
    return version;
  }

  /// The head of the final response, after [Result#HEAD]. Its length is the announced one even if
  /// no body follows, as after HEAD. A 101 has no such head: use [#status] and [#headers].
  public ResponseHead head() {
    return Objects.requireNonNull(head, "no final head has been parsed");
  }

  /// True if a body follows the head.
  public boolean hasBody() {
    return hasBody;
  }

  /// True if the bytes after the head belong to another protocol: a 101, or a 2xx to CONNECT. The
  /// parser does not read them.
  public boolean isTunnel() {
    return state == State.TUNNEL;
  }

  /// True if the server lets the connection stay open after the current response.
  public boolean isPersistent() {
    return persistent;
  }

  /// The number of readable bytes that belong to the body, after [Result#DATA].
  public int dataLength() {
    return body().dataLength();
  }

  /// The fields after a chunked body, after [Result#END].
  public HttpHeaders trailers() {
    return trailers;
  }

  /// True while a head has begun and is not complete.
  public boolean isInsideHead() {
    return state == State.HEAD && lines != null && lines.hasBegun();
  }

  /// True while the body of the current response is not complete.
  public boolean isInsideBody() {
    return state == State.BODY;
  }

  /// True while the body needs further bytes. False if all its bytes were received and only a call
  /// of [#parse] is missing.
  boolean needsBytes() {
    return state == State.BODY && body().needsBytes();
  }

  /// True from [#begin] until the end of the response.
  public boolean isExpecting() {
    return state == State.HEAD || state == State.LAST || state == State.BODY;
  }

  /// Releases the state of bodies. Call it when the connection is idle.
  public void trim() {
    if (state != State.BODY) {
      body = null;
    }
    if (state == State.IDLE) {
      kept = null;
      head = null;
      headers = HttpHeaders.EMPTY;
      trailers = HttpHeaders.EMPTY;
    }
  }

  /// Releases the scanner of an incomplete head or of incomplete trailers. The parser is not used
  /// afterwards.
  void abort() {
    endLines();
    if (body != null) {
      body.abort();
    }
  }

  /// The server has closed its side.
  ///
  /// @return true if the end of the input completes the current response; false if no response was
  ///   expected
  /// @throws Http1Exception if the response is truncated
  public boolean endOfInput() throws Http1Exception {
    return switch (state) {
      case IDLE, TUNNEL -> false;
      case LAST -> {
        state = State.IDLE;
        yield true;
      }
      case BODY -> {
        if (!body().endOfInput()) {
          throw fail(Http1Exception.badGateway("the connection closed inside a body"));
        }
        state = State.IDLE;
        yield true;
      }
      case HEAD -> throw fail(Http1Exception.badGateway("the connection closed before a response"));
      case FAILED -> throw Objects.requireNonNull(failure);
    };
  }

  /// Consumes bytes up to the next event.
  ///
  /// @throws Http1Exception if the peer broke a rule
  /// @throws IllegalStateException if the connection is a tunnel
  public Result parse(ByteBuf in) throws Http1Exception {
    try {
      return switch (state) {
        case IDLE -> {
          if (in.isReadable()) {
            throw Http1Exception.badGateway("bytes without a request");
          }
          yield Result.MORE;
        }
        case HEAD -> parseHead(in);
        case LAST -> {
          state = State.IDLE;
          yield Result.END;
        }
        case BODY -> parseBody(in);
        case TUNNEL -> throw new IllegalStateException("the connection is a tunnel");
        case FAILED -> throw Objects.requireNonNull(failure);
      };
    } catch (Http1Exception e) {
      throw fail(e);
    }
  }

  private Http1Exception fail(Http1Exception e) {
    if (state != State.FAILED) {
      state = State.FAILED;
      failure = e.asBadGateway();
      endLines();
      if (body != null) {
        body.abort();
      }
    }
    return Objects.requireNonNull(failure);
  }

  private Result parseHead(ByteBuf in) throws Http1Exception {
    @Nullable LineScanner scanner = lines;
    if (scanner == null) {
      if (!in.isReadable()) {
        return Result.MORE;
      }
      if (kept != null && kept.isAt(in, shared.head().scratch())) {
        in.skip(kept.block().length);
        return last(kept);
      }
      scanner = shared.scanner();
      scanner.start(settings, LineScanner.Section.RESPONSE);
      lines = scanner;
    }
    int length = scanner.scan(in);
    if (length < 0) {
      return Result.MORE;
    }
    byte[] block = in.readBytes(length);
    version = StatusLine.version(block, scanner.lineEnd(0));
    status = StatusLine.status(block, scanner.lineEnd(0));
    FieldParser fields = shared.head().fields();
    headers = fields.parseResponse(settings, block, scanner, version);
    endLines();
    return status.isInformational() ? interim(block, fields) : last(answer(block, fields));
  }

  private KeptAnswer answer(byte[] block, FieldParser fields) {
    KeptAnswer answer =
        new KeptAnswer(
            block,
            version,
            ResponseHead.received(EngineAccess.GRANTED, status, headers, fields.contentLength),
            fields.chunked,
            fields.isPersistent());
    kept = block.length <= KeptHead.MAX_FIELDS ? answer : null;
    return answer;
  }

  private Result interim(byte[] block, FieldParser fields) throws Http1Exception {
    if (fields.chunked || fields.contentLength > 0) {
      throw Http1Exception.badGateway("an interim response announces a body");
    }
    if (status == HttpStatus.SWITCHING_PROTOCOLS) {
      if (protocol == null || !protocol.equals(fields.upgradeProtocol(block))) {
        throw Http1Exception.badGateway("a 101 to a protocol that the request does not name");
      }
      if (webSocketAccept != null && !webSocketAccept.equals(fields.handshake(block))) {
        throw Http1Exception.badGateway("the answer to the WebSocket key is missing or wrong");
      }
      state = State.TUNNEL;
      persistent = false;
      hasBody = false;
      return Result.HEAD;
    }
    if (++informational > maxInformational) {
      throw Http1Exception.limit(
          HttpStatus.BAD_GATEWAY,
          "more than " + maxInformational + " interim responses",
          "maxInformational");
    }
    return Result.INFORM;
  }

  private Result last(KeptAnswer answer) {
    ResponseHead received = answer.head();
    long length = received.contentLength();
    head = received;
    status = received.status();
    headers = received.headers();
    version = answer.version();
    persistent = answer.isPersistent();
    hasBody = false;
    int code = status.code();
    if (method == HttpMethod.CONNECT && code < 300) {
      state = State.TUNNEL;
      persistent = false;
    } else if (method == HttpMethod.HEAD || status.isBodiless()) {
      state = State.LAST;
      if (code == 204 && (answer.isChunked() || length > 0)) {
        // If the server sent the announced body, its bytes would be read as the next response.
        persistent = false;
      }
    } else if (!answer.isChunked() && length == 0) {
      state = State.LAST;
    } else {
      state = State.BODY;
      hasBody = true;
      boolean untilClose = !answer.isChunked() && length < 0;
      persistent &= !untilClose;
      body()
          .start(answer.isChunked() ? Framing.CHUNKED : untilClose ? Framing.UNTIL_CLOSE : length);
    }
    return Result.HEAD;
  }

  private Result parseBody(ByteBuf in) throws Http1Exception {
    return switch (body().decode(in)) {
      case MORE -> Result.MORE;
      case DATA -> Result.DATA;
      case END -> {
        trailers = body().trailers();
        state = State.IDLE;
        yield Result.END;
      }
    };
  }

  private BodyDecoder body() {
    @Nullable BodyDecoder current = body;
    if (current == null) {
      current = new BodyDecoder(settings, shared);
      body = current;
    }
    return current;
  }

  private void endLines() {
    if (lines != null) {
      shared.release(lines);
      lines = null;
    }
  }
}

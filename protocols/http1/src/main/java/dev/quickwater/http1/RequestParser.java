package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.RequestHead;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The server's half of HTTP/1.1 without I/O: bytes in, parts of requests out.
///
/// ```
///  HEAD --no body-------------------> ENDED --next()--> HEAD
///   '-----body-------> BODY --------> ENDED
///  (any) --violation--> FAILED, for good
/// ```
///
/// - [#parse] must be called with all unconsumed bytes. It consumes bytes by moving the reader
///   index, and returns one event at a time. [Result#MORE] means that more bytes are needed.
/// - It never reads beyond the end of the current request. Bytes of the next request stay unread
///   until [#next] is called.
/// - Cost is linear in the bytes received, however they are split.
/// - It keeps no buffer: the caller owns `in`. It keeps the previous head, if it is small, until
///   [#trim] is called. If a client repeats its fields, parsing them is then a comparison.
/// - After an [Http1Exception] every further call throws it again.
public final class RequestParser {

  /// What [#parse] found.
  public enum Result {
    /// No event is complete; call again with more bytes.
    MORE,
    /// A head is complete: [RequestParser#request].
    HEAD,
    /// The next [RequestParser#dataLength] readable bytes of `in` belong to the body. The caller
    /// reads them.
    DATA,
    /// The request is complete: [RequestParser#trailers].
    END
  }

  private enum State {
    HEAD,
    BODY,
    ENDED,
    FAILED
  }

  private final Http1Settings settings;
  private final SharedParsers shared;

  /// True if the connection is encrypted.
  private final boolean secure;

  /// Null unless a head is incomplete.
  private @Nullable LineScanner lines;

  /// Null until the first body; kept afterwards, because a client that sends one body usually sends
  /// more.
  private @Nullable BodyDecoder body;

  /// The previous head; null before the first one and after [#trim].
  private @Nullable KeptHead kept;

  private State state = State.HEAD;

  /// True if an empty line before the current request was ignored.
  private boolean skipped;

  private boolean persistent;
  private boolean expectsContinue;
  private HttpVersion version = HttpVersion.HTTP_1_1;
  private @Nullable RequestHead request;
  private @Nullable Http1Exception failure;

  /// A parser for one connection without encryption.
  public RequestParser(Http1Settings settings) {
    this(settings, new SharedParsers(), false);
  }

  /// A parser for one connection of the loop that `shared` belongs to.
  ///
  /// @param secure true if the connection is encrypted: the scheme of its requests is https
  RequestParser(Http1Settings settings, SharedParsers shared, boolean secure) {
    this.settings = settings;
    this.shared = shared;
    this.secure = secure;
  }

  SharedParsers shared() {
    return shared;
  }

  /// The head of the current request; [RequestHead#contentLength] is 0 if no body follows. It is
  /// not available after [#next].
  public RequestHead request() {
    return Objects.requireNonNull(request, "no head has been parsed");
  }

  /// The version of the current request.
  public HttpVersion version() {
    return version;
  }

  /// The number of readable bytes that belong to the body, after [Result#DATA].
  public int dataLength() {
    return body().dataLength();
  }

  /// The fields after a chunked body, after [Result#END].
  public HttpHeaders trailers() {
    return body().trailers();
  }

  /// True if the client lets the connection stay open after the current request.
  public boolean isPersistent() {
    return persistent;
  }

  /// True if the client waits for 100 (Continue) before it sends the body.
  public boolean expectsContinue() {
    return expectsContinue;
  }

  /// True while a head has begun and is not complete.
  public boolean isInsideHead() {
    return state == State.HEAD && lines != null && lines.hasBegun();
  }

  /// True while the body of the current request is not complete.
  public boolean isInsideBody() {
    return state == State.BODY;
  }

  /// Remaining bytes of the current body: `Long.MAX_VALUE` if their number is not known, 0 without
  /// a body.
  public long bodyLeft() {
    return state == State.BODY ? body().left() : 0;
  }

  /// True while the body needs further bytes. False if all its bytes were received and only a call
  /// of [#parse] is missing.
  public boolean needsBytes() {
    return state == State.BODY && body().needsBytes();
  }

  /// Continues with the next request of the connection.
  ///
  /// @throws IllegalStateException if the current one is not complete
  public void next() {
    if (state != State.ENDED) {
      throw new IllegalStateException("the current request is not complete, it is at " + state);
    }
    state = State.HEAD;
    skipped = false;
    request = null;
    if (body != null) {
      body.forget();
    }
  }

  /// Releases the previous head and the state of bodies, which are kept to make the next request
  /// cheap. Call it when the connection is idle.
  public void trim() {
    kept = null;
    if (state != State.BODY) {
      body = null;
    }
  }

  /// Consumes bytes up to the next event.
  ///
  /// @throws Http1Exception if the peer broke a rule
  /// @throws IllegalStateException if the current request is complete and [#next] was not called
  public Result parse(ByteBuf in) throws Http1Exception {
    try {
      return switch (state) {
        case HEAD -> parseHead(in);
        case BODY -> parseBody(in);
        case ENDED -> throw new IllegalStateException("call next() after the end of a request");
        case FAILED -> throw Objects.requireNonNull(failure);
      };
    } catch (Http1Exception e) {
      state = State.FAILED;
      failure = e;
      endLines();
      if (body != null) {
        body.abort();
      }
      throw e;
    }
  }

  private Result parseHead(ByteBuf in) throws Http1Exception {
    @Nullable LineScanner scanner = lines;
    if (scanner == null) {
      if (!skipEmptyLine(in)) {
        return Result.MORE;
      }
      if (kept != null && parseEqualHead(in, kept)) {
        return begin();
      }
      scanner = shared.scanner();
      scanner.start(settings, LineScanner.Section.REQUEST);
      lines = scanner;
      if (kept != null && parseEqualFields(in, scanner, kept)) {
        return begin();
      }
    }
    int length = scanner.scan(in);
    if (length < 0) {
      return Result.MORE;
    }
    HeadParser head = shared.head();
    byte[] block = in.readBytes(length);
    RequestHead parsed = head.parse(settings, secure, block, scanner, kept);
    request = parsed;
    version = head.version();
    persistent = head.fields().isPersistent();
    expectsContinue = head.fields().expectContinue;
    if (length - scanner.lineEnd(0) <= KeptHead.MAX_FIELDS) {
      if (kept == null) {
        kept = new KeptHead();
      }
      kept.keep(block, scanner, head, parsed);
    }
    return begin();
  }

  /// Reads a head that equals the previous one.
  private boolean parseEqualHead(ByteBuf in, KeptHead previous) {
    int length = previous.matchHead(in, shared.head().scratch());
    if (length < 0) {
      return false;
    }
    in.skip(length);
    repeat(previous, previous.head());
    return true;
  }

  /// Reads a head with a new request line and the fields of the previous head.
  private boolean parseEqualFields(ByteBuf in, LineScanner scanner, KeptHead previous)
      throws Http1Exception {
    int line = scanner.scanFirstLine(in);
    if (line < 0
        || line > KeptHead.MAX_LINE
        || previous.cost(line, LineScanner.FIELD_COST) > settings.heads().maxHeadSize()
        || !previous.matchFields(in, line, shared.head().scratch())) {
      return false;
    }
    int length = line + previous.fieldsLength();
    @Nullable RequestHead parsed = shared.head().parseLine(settings, in, line, previous);
    if (parsed == null) {
      return false;
    }
    in.skip(length);
    repeat(previous, parsed);
    return true;
  }

  private void repeat(KeptHead previous, RequestHead head) {
    request = head;
    version = previous.version();
    persistent = previous.isPersistent();
    expectsContinue = previous.expectsContinue();
  }

  private Result begin() {
    endLines();
    long length = request().contentLength();
    if (length == 0) {
      state = State.ENDED;
    } else {
      state = State.BODY;
      body().start(length);
    }
    return Result.HEAD;
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

  /// One empty line before a request line is ignored, for clients that send one after a body (RFC
  /// 9112 section 2.2).
  ///
  /// @return false if further bytes are needed to decide
  private boolean skipEmptyLine(ByteBuf in) {
    if (!in.isReadable()) {
      return false;
    }
    int at = in.readerIndex();
    if (skipped || in.getByte(at) != '\r') {
      return true;
    }
    if (in.readableBytes() < 2) {
      return false;
    }
    if (in.getByte(at + 1) == '\n') {
      in.skip(2);
      skipped = true;
    }
    return in.isReadable();
  }

  private Result parseBody(ByteBuf in) throws Http1Exception {
    return switch (body().decode(in)) {
      case MORE -> Result.MORE;
      case DATA -> Result.DATA;
      case END -> {
        state = State.ENDED;
        yield Result.END;
      }
    };
  }
}

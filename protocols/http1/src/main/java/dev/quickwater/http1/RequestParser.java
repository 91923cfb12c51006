package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.HttpRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The server's half of HTTP/1.1 without any I/O: bytes in, parts of requests out.
///
/// ```
///  HEAD --no body--------------------------------------------> ENDED --next()--> HEAD
///   |---length---> FIXED --------------------------------------> ENDED
///   '---chunked--> CHUNK_LINE --size > 0--> CHUNK_DATA --> CHUNK_END --> CHUNK_LINE
///                      '------size = 0--> TRAILERS --> ENDED
///  (any) --violation--> FAILED, for good
/// ```
///
/// - [#parse] is called with all bytes that are not consumed. It moves the reader index over the
///   bytes that it consumed and returns one event at a time. [Result#MORE] means that it needs more
///   bytes.
/// - It never reads beyond the end of the current request: the bytes of the next request stay
///   unread until [#next] was called.
/// - Cost is linear in the bytes received, however they are split.
/// - It keeps no buffer: the caller owns `in` throughout. It keeps the head and the trailers until
///   [#next], so a connection that waits for a request holds nothing of the previous one.
/// - After an [Http1Exception] every further call throws it again.
public final class RequestParser {

  /// What [#parse] found.
  public enum Result {
    /// The bytes do not complete anything; call again when there are more behind them.
    MORE,
    /// A head is complete: [RequestParser#request].
    HEAD,
    /// The next [RequestParser#dataLength] readable bytes of `in` are of the body; the caller reads
    /// them.
    DATA,
    /// The request is complete: [RequestParser#trailers].
    END
  }

  private enum State {
    HEAD,
    FIXED,
    CHUNK_LINE,
    CHUNK_DATA,
    CHUNK_END,
    TRAILERS,
    ENDED,
    FAILED
  }

  private final Http1Settings settings;
  private final SharedParsers shared;

  /// Null unless a head or trailers are incomplete.
  private @Nullable LineScanner lines;

  /// Null until a body is chunked.
  private @Nullable ChunkScanner chunks;

  private State state = State.HEAD;

  /// An empty line before the current request was ignored.
  private boolean skipped;

  private boolean persistent;
  private boolean expectsContinue;

  /// Bytes left of a body of known length, or of the current chunk.
  private long left;

  private int dataLength;
  private @Nullable HttpRequest request;
  private HttpHeaders trailers = HttpHeaders.EMPTY;
  private @Nullable Http1Exception failure;

  /// A parser for one connection.
  public RequestParser(Http1Settings settings) {
    this(settings, new SharedParsers());
  }

  /// A parser for one connection of the loop that `shared` belongs to.
  RequestParser(Http1Settings settings, SharedParsers shared) {
    this.settings = settings;
    this.shared = shared;
  }

  /// The head of the current request. It is not available after [#next].
  public HttpRequest request() {
    return Objects.requireNonNull(request, "no head has been parsed");
  }

  /// How many readable bytes of the input are of the body, after [Result#DATA].
  public int dataLength() {
    return dataLength;
  }

  /// The fields after a chunked body, after [Result#END].
  public HttpHeaders trailers() {
    return trailers;
  }

  /// True when the client lets the connection stay open after the current request.
  public boolean isPersistent() {
    return persistent;
  }

  /// True when the client waits for 100 (Continue) before it sends the body.
  public boolean expectsContinue() {
    return expectsContinue;
  }

  /// True while a head has begun and is not complete.
  public boolean isInsideHead() {
    return state == State.HEAD && lines != null && lines.hasBegun();
  }

  /// True while the body of the current request is not complete.
  public boolean isInsideBody() {
    return state != State.HEAD && state != State.ENDED && state != State.FAILED;
  }

  /// True while the body cannot be completed without further bytes; false when only [#parse] has
  /// not been called since the last of them.
  public boolean needsBytes() {
    return isInsideBody() && !(state == State.FIXED && left == 0);
  }

  /// Goes on to the next request of the connection.
  ///
  /// @throws IllegalStateException if the current one is not complete
  public void next() {
    if (state != State.ENDED) {
      throw new IllegalStateException("the current request is not complete, it is at " + state);
    }
    state = State.HEAD;
    skipped = false;
    request = null;
    trailers = HttpHeaders.EMPTY;
  }

  /// Consumes bytes up to the next event.
  ///
  /// @throws Http1Exception if the peer broke a rule
  /// @throws IllegalStateException if the current request is complete and [#next] was not called
  public Result parse(ByteBuf in) throws Http1Exception {
    try {
      return switch (state) {
        case HEAD -> parseHead(in);
        case FIXED -> parseFixed(in);
        case CHUNK_LINE, CHUNK_DATA, CHUNK_END, TRAILERS -> parseChunked(in);
        case ENDED -> throw new IllegalStateException("call next() after the end of a request");
        case FAILED -> throw Objects.requireNonNull(failure);
      };
    } catch (Http1Exception e) {
      state = State.FAILED;
      failure = e;
      endLines();
      throw e;
    }
  }

  private Result parseHead(ByteBuf in) throws Http1Exception {
    if (lines == null && !skipEmptyLine(in)) {
      return Result.MORE;
    }
    LineScanner scanner = lines(false);
    int length = scanner.scan(in);
    if (length < 0) {
      return Result.MORE;
    }
    HeadParser head = shared.head();
    request = head.parse(settings, in.readBytes(length), scanner);
    endLines();
    persistent = head.isPersistent();
    expectsContinue = head.expectsContinue();
    long body = head.bodyLength();
    if (body == HeadParser.CHUNKED) {
      state = State.CHUNK_LINE;
      chunks().startBody();
    } else if (body > 0) {
      state = State.FIXED;
      left = body;
    } else {
      state = State.ENDED;
    }
    return Result.HEAD;
  }

  /// The scanner of the incomplete head or, with `ofTrailers`, of the incomplete trailers.
  private LineScanner lines(boolean ofTrailers) {
    @Nullable LineScanner current = lines;
    if (current == null) {
      current = shared.scanner();
      current.start(settings, ofTrailers);
      lines = current;
    }
    return current;
  }

  private void endLines() {
    if (lines != null) {
      shared.release(lines);
      lines = null;
    }
  }

  /// Created with the first chunked body and kept, because a client that sends one usually sends
  /// more.
  private ChunkScanner chunks() {
    @Nullable ChunkScanner current = chunks;
    if (current == null) {
      current = new ChunkScanner(settings);
      chunks = current;
    }
    return current;
  }

  /// One empty line before a request line is ignored, for clients that send one after a body (RFC
  /// 9112 section 2.2).
  ///
  /// @return false when the bytes do not tell yet
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

  private Result parseFixed(ByteBuf in) {
    if (left == 0) {
      state = State.ENDED;
      return Result.END;
    }
    return data(in);
  }

  private Result data(ByteBuf in) {
    int readable = in.readableBytes();
    if (readable == 0) {
      return Result.MORE;
    }
    dataLength = (int) Math.min(readable, left);
    left -= dataLength;
    return Result.DATA;
  }

  private Result parseChunked(ByteBuf in) throws Http1Exception {
    while (true) {
      switch (state) {
        case CHUNK_LINE -> {
          long size = chunks().scan(in);
          if (size == ChunkScanner.MORE) {
            return Result.MORE;
          }
          left = size;
          state = size > 0 ? State.CHUNK_DATA : State.TRAILERS;
        }
        case CHUNK_DATA -> {
          if (left > 0) {
            return data(in);
          }
          state = State.CHUNK_END;
        }
        case CHUNK_END -> {
          if (in.readableBytes() < 2) {
            if (in.isReadable() && in.getByte(in.readerIndex()) != '\r') {
              throw Http1Exception.bad("a chunk is longer than its size");
            }
            return Result.MORE;
          }
          if (in.readShort() != 0x0d0a) {
            throw Http1Exception.bad("a chunk is longer than its size");
          }
          state = State.CHUNK_LINE;
        }
        case TRAILERS -> {
          LineScanner scanner = lines(true);
          int length = scanner.scan(in);
          if (length < 0) {
            return Result.MORE;
          }
          trailers =
              scanner.lines() == 0
                  ? HttpHeaders.EMPTY
                  : shared.head().parseTrailers(in.readBytes(length - 2), scanner);
          in.skip(2);
          endLines();
          state = State.ENDED;
          return Result.END;
        }
        case HEAD, FIXED, ENDED, FAILED -> throw new IllegalStateException("no body at " + state);
      }
    }
  }
}

package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.HttpHeaders;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Finds the bytes of a body in either direction (RFC 9112 sections 6 and 7).
///
/// ```
///  FIXED -------- all bytes ------------------------------------> ENDED
///  UNTIL_CLOSE -- end of input ---------------------------------> ENDED
///  CHUNK_LINE --size > 0--> CHUNK_DATA --> CHUNK_END --> CHUNK_LINE
///      '--------size = 0--> TRAILERS ---------------------------> ENDED
/// ```
final class BodyDecoder {

  enum Result {
    /// Nothing is complete; more bytes are needed.
    MORE,
    /// The next [BodyDecoder#dataLength] readable bytes belong to the body. The caller reads them.
    DATA,
    /// The body is complete: [BodyDecoder#trailers].
    END
  }

  private enum State {
    FIXED,
    UNTIL_CLOSE,
    CHUNK_LINE,
    CHUNK_DATA,
    CHUNK_END,
    TRAILERS,
    ENDED
  }

  private final Http1Settings settings;
  private final SharedParsers shared;

  /// Null until a body is chunked.
  private @Nullable ChunkScanner chunks;

  /// Null unless trailers are incomplete.
  private @Nullable LineScanner lines;

  private State state = State.ENDED;

  /// Bytes left of a body of known length, or of the current chunk.
  private long left;

  private int dataLength;
  private HttpHeaders trailers = HttpHeaders.EMPTY;

  BodyDecoder(Http1Settings settings, SharedParsers shared) {
    this.settings = settings;
    this.shared = shared;
  }

  /// Begins a body of `length` bytes, or of [Framing#CHUNKED] or [Framing#UNTIL_CLOSE].
  void start(long length) {
    trailers = HttpHeaders.EMPTY;
    if (length == Framing.CHUNKED) {
      state = State.CHUNK_LINE;
      if (chunks == null) {
        chunks = new ChunkScanner(settings);
      }
      chunks.startBody();
    } else if (length == Framing.UNTIL_CLOSE) {
      state = State.UNTIL_CLOSE;
    } else {
      state = State.FIXED;
      left = length;
    }
  }

  /// The number of bytes of the body that were not decoded; `Long.MAX_VALUE` if the length is not
  /// known.
  long left() {
    return state == State.FIXED ? left : Long.MAX_VALUE;
  }

  int dataLength() {
    return dataLength;
  }

  HttpHeaders trailers() {
    return trailers;
  }

  /// Drops the state of the current body.
  void forget() {
    trailers = HttpHeaders.EMPTY;
  }

  /// False if all bytes of the body were received and only a call of [#decode] is missing.
  boolean needsBytes() {
    return !(state == State.FIXED && left == 0);
  }

  /// The input has ended.
  ///
  /// @return true if the end of the input completes the body
  boolean endOfInput() {
    if (state == State.UNTIL_CLOSE || state == State.FIXED && left == 0) {
      state = State.ENDED;
    }
    return state == State.ENDED;
  }

  /// Releases the scanner of incomplete trailers.
  void abort() {
    endLines();
  }

  Result decode(ByteBuf in) throws Http1Exception {
    while (true) {
      switch (state) {
        case FIXED -> {
          if (left > 0) {
            return data(in);
          }
          state = State.ENDED;
          return Result.END;
        }
        case UNTIL_CLOSE -> {
          dataLength = in.readableBytes();
          return dataLength == 0 ? Result.MORE : Result.DATA;
        }
        case CHUNK_LINE -> {
          long size = Objects.requireNonNull(chunks).scan(in);
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
          if (!chunkEnd(in)) {
            return Result.MORE;
          }
          state = State.CHUNK_LINE;
        }
        case TRAILERS -> {
          if (!trailers(in)) {
            return Result.MORE;
          }
          state = State.ENDED;
          return Result.END;
        }
        case ENDED -> throw new IllegalStateException("the body is complete");
      }
    }
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

  private static boolean chunkEnd(ByteBuf in) throws Http1Exception {
    if (in.readableBytes() < 2) {
      if (in.isReadable() && in.getByte(in.readerIndex()) != '\r') {
        throw chunkTooLong();
      }
      return false;
    }
    if (in.readShort() != 0x0d0a) {
      throw chunkTooLong();
    }
    return true;
  }

  private static Http1Exception chunkTooLong() {
    return Http1Exception.bad("a chunk is longer than its size");
  }

  private boolean trailers(ByteBuf in) throws Http1Exception {
    @Nullable LineScanner scanner = lines;
    if (scanner == null) {
      scanner = shared.scanner();
      scanner.start(settings, LineScanner.Section.TRAILERS);
      lines = scanner;
    }
    int length = scanner.scan(in);
    if (length < 0) {
      return false;
    }
    trailers =
        scanner.lines() == 0
            ? HttpHeaders.EMPTY
            : shared.head().fields().parseTrailers(in.readBytes(length - 2), scanner);
    in.skip(2);
    endLines();
    return true;
  }

  private void endLines() {
    if (lines != null) {
      shared.release(lines);
      lines = null;
    }
  }
}

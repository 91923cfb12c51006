package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.Grammar;
import dev.quickwater.http.HttpStatus;
import dev.quickwater.util.text.Ascii;

/// Reads the line before a chunk (RFC 9112 section 7.1): the size and the extensions, which are
/// checked against the grammar and dropped. Each byte is examined once, however the bytes are
/// split.
///
/// ```
/// SIZE -> (";" BEFORE_NAME -> NAME -> ("=" BEFORE_VALUE -> VALUE | QUOTED -> QUOTED_END)?)* -> CR LF
/// ```
///
/// White space is allowed around ";" and "=", as in the grammar, but not before the line end.
final class ChunkScanner {

  /// The result of [#scan] if the line is not complete.
  static final long MORE = -1;

  /// The maximum number of digits of a size: a `long` holds them without a sign.
  private static final int MAX_DIGITS = 15;

  private enum State {
    SIZE,
    BEFORE_NAME,
    NAME,
    /// White space after a name: "=" or ";" must follow.
    AFTER_NAME,
    BEFORE_VALUE,
    VALUE,
    QUOTED,
    ESCAPED,
    QUOTED_END,
    /// White space after a size or a value: ";" must follow.
    AFTER_ITEM,
    LF
  }

  private final Http1Settings settings;
  private State state = State.SIZE;
  private long size;
  private int digits;

  /// Bytes of extensions in the whole body.
  private int extensionBytes;

  ChunkScanner(Http1Settings settings) {
    this.settings = settings;
  }

  /// Begins a body.
  void startBody() {
    extensionBytes = 0;
    startLine();
  }

  private void startLine() {
    state = State.SIZE;
    size = 0;
    digits = 0;
  }

  /// Continues to read from the reader index of `in`.
  ///
  /// @return the size of the chunk, if its line is complete and read, or [#MORE]
  long scan(ByteBuf in) throws Http1Exception {
    int end = in.writerIndex();
    int at = in.readerIndex();
    while (at < end) {
      byte b = in.getByte(at++);
      if (state == State.LF) {
        if (b != '\n') {
          throw bad(b);
        }
        in.readerIndex(at);
        long complete = size;
        startLine();
        return complete;
      }
      state = next(b);
    }
    in.readerIndex(at);
    return MORE;
  }

  private State next(byte b) throws Http1Exception {
    if (state != State.SIZE && ++extensionBytes > settings.heads().maxChunkExtension()) {
      throw Http1Exception.limit(
          HttpStatus.BAD_REQUEST,
          "chunk extensions take more than " + settings.heads().maxChunkExtension() + " bytes",
          "maxChunkExtension");
    }
    return switch (state) {
      case SIZE -> size(b);
      case BEFORE_NAME -> isWhite(b) ? state : token(b, State.NAME);
      case NAME -> Grammar.isToken(b) ? state : b == '=' ? State.BEFORE_VALUE : afterName(b);
      case AFTER_NAME -> b == '=' ? State.BEFORE_VALUE : afterWhite(b);
      case BEFORE_VALUE -> isWhite(b) ? state : b == '"' ? State.QUOTED : token(b, State.VALUE);
      case VALUE -> Grammar.isToken(b) ? state : afterItem(b);
      case QUOTED ->
          b == '"' ? State.QUOTED_END : b == '\\' ? State.ESCAPED : text(b, State.QUOTED);
      case ESCAPED -> text(b, State.QUOTED);
      case QUOTED_END -> afterItem(b);
      case AFTER_ITEM -> afterWhite(b);
      case LF -> throw new IllegalStateException("LF is handled by scan");
    };
  }

  private State size(byte b) throws Http1Exception {
    int digit = Ascii.hexDigit(b);
    if (digit >= 0) {
      if (++digits > MAX_DIGITS) {
        throw Http1Exception.bad("a chunk size has more than " + MAX_DIGITS + " digits");
      }
      size = size << 4 | digit;
      return State.SIZE;
    }
    if (digits == 0) {
      throw Http1Exception.bad("a chunk begins without a size");
    }
    return afterItem(b);
  }

  private static State afterItem(byte b) throws Http1Exception {
    return switch (b) {
      case '\r' -> State.LF;
      case ';' -> State.BEFORE_NAME;
      case ' ', '\t' -> State.AFTER_ITEM;
      default -> throw bad(b);
    };
  }

  private static State afterName(byte b) throws Http1Exception {
    return isWhite(b) ? State.AFTER_NAME : afterItem(b);
  }

  private State afterWhite(byte b) throws Http1Exception {
    if (isWhite(b)) {
      return state;
    }
    if (b != ';') {
      throw bad(b);
    }
    return State.BEFORE_NAME;
  }

  private static State token(byte b, State next) throws Http1Exception {
    if (!Grammar.isToken(b)) {
      throw bad(b);
    }
    return next;
  }

  private static State text(byte b, State next) throws Http1Exception {
    if (!Grammar.isFieldValue((char) (b & 0xff))) {
      throw bad(b);
    }
    return next;
  }

  private static boolean isWhite(byte b) {
    return b == ' ' || b == '\t';
  }

  private static Http1Exception bad(byte b) {
    return Http1Exception.bad("a chunk line has the character " + Grammar.describe(b & 0xff));
  }
}

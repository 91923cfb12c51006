package dev.quickwater.http1;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.Grammar;
import dev.quickwater.http.HttpStatus;

/// Finds the lines of a head, or of trailers, as they come in, and the empty line that ends it.
///
/// Each byte is looked at once, eight at a time, however the bytes are split. On the way it refuses
/// what no head can have: control characters, a bare CR or LF, more lines or bytes than allowed.
/// What the lines say is left to [HeadParser].
final class LineScanner {

  private static final long LOW = 0x0101_0101_0101_0101L;
  private static final long HIGH = 0x8080_8080_8080_8080L;

  /// Room in a request line for all but the target: method, version, spaces and line end.
  private static final int REQUEST_LINE_REST = 64;

  /// What a field counts beyond its bytes.
  private static final int FIELD_COST = 32;

  private Http1Settings settings = Http1Settings.DEFAULT;

  /// Offsets of the line ends (of the CR) from the start of the head.
  private int[] ends = new int[16];

  private int count;
  private int scanned;
  private boolean trailers;

  /// Begins a head, or with `ofTrailers` the fields after a body.
  void start(Http1Settings limits, boolean ofTrailers) {
    settings = limits;
    count = 0;
    scanned = 0;
    trailers = ofTrailers;
  }

  /// True when some bytes have been looked at.
  boolean hasBegun() {
    return scanned > 0;
  }

  /// Lines found, without the empty one.
  int lines() {
    return count;
  }

  /// Where a line ends, from the start of the head.
  int lineEnd(int line) {
    return ends[line];
  }

  /// Goes on scanning `in`, whose reader index is the start of the head.
  ///
  /// Limits are compared before a byte beyond them is looked at, so that the outcome does not
  /// depend on how the bytes were split.
  ///
  /// @return bytes of the whole head with its empty line, or -1 when it is not all there
  int scan(ByteBuf in) throws Http1Exception {
    int start = in.readerIndex();
    int arrived = in.readableBytes();
    int most = most();
    int end = start + Math.min(arrived, most);
    int at = start + scanned;
    while (at < end) {
      if (at + 8 <= end) {
        // Little-endian, so that borrows of the subtraction run towards later bytes: the first hit
        // is exact.
        long w = in.getLong(at, LITTLE_ENDIAN);
        long del = w ^ 0x7f7f_7f7f_7f7f_7f7fL;
        long hits = ((w - 0x2020_2020_2020_2020L) & ~w | (del - LOW) & ~del) & HIGH;
        if (hits == 0) {
          at += 8;
          continue;
        }
        at += Long.numberOfTrailingZeros(hits) >>> 3;
      }
      byte b = in.getByte(at);
      if (b >= 0x20 && b != 0x7f || b < 0 || b == '\t' && (count > 0 || trailers)) {
        at++;
      } else if (b == '\r') {
        if (at + 1 == end) {
          break;
        }
        if (in.getByte(at + 1) != '\n') {
          throw Http1Exception.bad("a CR that no LF follows, at byte " + (at - start));
        }
        if (isEmptyLine(at - start)) {
          return at - start + 2;
        }
        addLine(at - start);
        at += 2;
        most = most();
        end = start + Math.min(arrived, most);
      } else {
        throw Http1Exception.bad(
            "the character " + Grammar.describe(b & 0xff) + " at byte " + (at - start));
      }
    }
    scanned = at - start;
    if (arrived > most) {
      throw tooLarge();
    }
    return -1;
  }

  private boolean isEmptyLine(int at) {
    return count == 0 ? trailers && at == 0 : at == ends[count - 1] + 2;
  }

  private void addLine(int at) throws Http1Exception {
    if (count == 0 && at == 0) {
      throw Http1Exception.bad("an empty line in the place of a request line");
    }
    int fields = trailers ? count + 1 : count;
    if (fields > settings.maxFields()) {
      throw new Http1Exception(
          HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
          "more fields than maxFields, which is " + settings.maxFields());
    }
    if (count == ends.length) {
      ends = java.util.Arrays.copyOf(ends, count * 2);
    }
    ends[count++] = at;
  }

  /// How many bytes the head may have, by the lines found so far.
  private int most() {
    return count == 0 && !trailers
        ? settings.maxTargetLength() + REQUEST_LINE_REST
        : settings.maxHeadSize() - FIELD_COST * count;
  }

  private Http1Exception tooLarge() {
    return count == 0 && !trailers
        ? new Http1Exception(
            HttpStatus.URI_TOO_LONG,
            "the request line is longer than maxTargetLength, which is "
                + settings.maxTargetLength())
        : new Http1Exception(
            HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
            "the fields take more than maxHeadSize, which is " + settings.maxHeadSize());
  }
}

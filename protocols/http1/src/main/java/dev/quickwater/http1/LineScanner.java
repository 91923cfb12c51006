package dev.quickwater.http1;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.Grammar;
import dev.quickwater.http.HttpStatus;
import java.util.Arrays;

/// Finds the lines of an arriving head, or of trailers, and the empty line at the end.
///
/// Each byte is examined once, eight at a time, however the bytes are split. The scanner refuses
/// what no head can contain: control characters, a bare CR or LF, more lines or bytes than allowed.
/// [HeadParser] and [StatusLine] parse the lines.
final class LineScanner {

  /// The first byte of a TLS connection, and of the alert that a TLS server sends to an http client
  /// (RFC 8446 section 5.1).
  private static final byte TLS_HANDSHAKE = 22;

  private static final byte TLS_ALERT = 21;

  private static final long LOW = 0x0101_0101_0101_0101L;
  private static final long HIGH = 0x8080_8080_8080_8080L;

  /// The number of bytes that the first line may have in addition to the target or the reason
  /// phrase.
  private static final int FIRST_LINE_REST = 64;

  /// The number of bytes that a field counts in addition to its length.
  static final int FIELD_COST = 32;

  private Http1Settings settings = Http1Settings.DEFAULT;

  /// Offsets of the line ends (of the CR) from the start of the head.
  private int[] ends = new int[16];

  private int count;
  private int scanned;
  private Section section = Section.REQUEST;

  /// What the lines are part of.
  enum Section {
    REQUEST,
    RESPONSE,
    TRAILERS
  }

  /// Begins a section.
  void start(Http1Settings limits, Section part) {
    settings = limits;
    count = 0;
    scanned = 0;
    section = part;
  }

  /// True if at least one byte was examined.
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

  /// Finds the end of the first line, like [#scan].
  ///
  /// @return bytes of the line with its line end, or -1 if the line is not complete
  int scanFirstLine(ByteBuf in) throws Http1Exception {
    if (count == 0) {
      scan(in, 1);
    }
    return count == 0 ? -1 : ends[0] + 2;
  }

  /// Continues to scan `in`, whose reader index is the start of the head.
  ///
  /// A limit is checked before a byte beyond it is examined, so the outcome does not depend on how
  /// the bytes are split.
  ///
  /// @return bytes of the whole head with its empty line, or -1 if the head is incomplete
  int scan(ByteBuf in) throws Http1Exception {
    return scan(in, Integer.MAX_VALUE);
  }

  private int scan(ByteBuf in, int maxLines) throws Http1Exception {
    int start = in.readerIndex();
    int arrived = in.readableBytes();
    int max = maxBytes();
    int end = start + Math.min(arrived, max);
    int at = start + scanned;
    while (at < end) {
      if (at + 8 <= end) {
        // Little-endian: borrows of the subtraction then run towards later bytes, and the first hit
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
      if (b >= 0x20 && b != 0x7f
          || b < 0
          || b == '\t' && (count > 0 || section != Section.REQUEST)) {
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
        if (count == maxLines) {
          scanned = at - start;
          return -1;
        }
        max = maxBytes();
        end = start + Math.min(arrived, max);
      } else {
        boolean tls = at == start && count == 0 && (b == TLS_HANDSHAKE || b == TLS_ALERT);
        throw Http1Exception.bad(
            tls
                ? "TLS where http was expected"
                : "the character " + Grammar.describe(b & 0xff) + " at byte " + (at - start));
      }
    }
    scanned = at - start;
    if (arrived > max) {
      throw tooLarge();
    }
    return -1;
  }

  private boolean isEmptyLine(int at) {
    return count == 0 ? section == Section.TRAILERS && at == 0 : at == ends[count - 1] + 2;
  }

  private void addLine(int at) throws Http1Exception {
    if (count == 0 && at == 0) {
      throw Http1Exception.bad("an empty line in the place of the first line");
    }
    int fields = section == Section.TRAILERS ? count + 1 : count;
    if (fields > settings.heads().maxFields()) {
      throw Http1Exception.limit(
          HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
          "more than " + settings.heads().maxFields() + " fields",
          "maxFields");
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, count * 2);
    }
    ends[count++] = at;
  }

  /// The maximum size of the head, given the lines found so far.
  private int maxBytes() {
    return isFirstLine()
        ? settings.heads().maxTargetLength() + FIRST_LINE_REST
        : settings.heads().maxHeadSize() - FIELD_COST * count;
  }

  private boolean isFirstLine() {
    return count == 0 && section != Section.TRAILERS;
  }

  private Http1Exception tooLarge() {
    return isFirstLine()
        ? Http1Exception.limit(
            HttpStatus.URI_TOO_LONG,
            "the first line has no room for more than "
                + settings.heads().maxTargetLength()
                + " bytes of a target",
            "maxTargetLength")
        : Http1Exception.limit(
            HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
            "the fields take more than "
                + settings.heads().maxHeadSize()
                + " bytes, where each field counts "
                + FIELD_COST
                + " more",
            "maxHeadSize");
  }
}

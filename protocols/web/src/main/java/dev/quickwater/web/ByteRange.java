package dev.quickwater.web;

import dev.quickwater.http.HttpHeaders;
import dev.quickwater.util.text.Ascii;
import org.jspecify.annotations.Nullable;

/// The part of a representation that a request selects (RFC 9110 section 14).
///
/// @param first the first byte
/// @param length bytes; -1 if the range lies outside of the representation
/// @param size bytes of the whole representation
record ByteRange(long first, long length, long size) {

  /// The whole representation.
  static ByteRange whole(long size) {
    return new ByteRange(0, size, size);
  }

  /// The range of a GET request. A field that is malformed, repeated, of another unit or with
  /// several ranges is ignored: the whole representation is always a valid response, and many small
  /// ranges are an attack. A range is also ignored if its `If-Range` does not match the current
  /// state ([Validators#isCurrent]).
  static ByteRange of(HttpHeaders headers, long size, Validators state) {
    ByteRange whole = whole(size);
    @Nullable String field = headers.getSingle("range");
    if (field == null
        || !field.startsWith("bytes=")
        || field.indexOf(',') >= 0
        || !isCurrent(headers, state)) {
      return whole;
    }
    String spec = field.substring("bytes=".length()).strip();
    int dash = spec.indexOf('-');
    if (dash < 0) {
      return whole;
    }
    long from = number(spec.substring(0, dash));
    long to = number(spec.substring(dash + 1));
    if (from == MALFORMED || to == MALFORMED || from == ABSENT && to == ABSENT) {
      return whole;
    }
    if (from == ABSENT) {
      // A suffix of an empty file is the whole file, which a 206 cannot express.
      long length = Math.min(to, size);
      return to == 0 ? unsatisfiable(size) : new ByteRange(size - length, length, size);
    }
    if (to != ABSENT && to < from) {
      return whole;
    }
    if (from >= size) {
      return unsatisfiable(size);
    }
    long last = to == ABSENT ? size - 1 : Math.min(to, size - 1);
    return new ByteRange(from, last - from + 1, size);
  }

  private static boolean isCurrent(HttpHeaders headers, Validators state) {
    if (!headers.contains("if-range")) {
      return true;
    }
    @Nullable String text = headers.getSingle("if-range");
    return text != null && state.isCurrent(text);
  }

  private static final long ABSENT = -1;
  private static final long MALFORMED = -2;

  private static ByteRange unsatisfiable(long size) {
    return new ByteRange(0, -1, size);
  }

  private static long number(String digits) {
    if (digits.isEmpty()) {
      return ABSENT;
    }
    long value = Ascii.parseDigits(digits, 0, digits.length());
    return value < 0 ? MALFORMED : value;
  }

  boolean isSatisfiable() {
    return length >= 0;
  }

  boolean isWhole() {
    return first == 0 && length == size;
  }

  long last() {
    return first + length - 1;
  }
}

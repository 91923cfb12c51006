package dev.quickwater.web;

import dev.quickwater.http.HttpDate;
import dev.quickwater.http.HttpHeaders;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What the conditions of a GET or HEAD request come to (RFC 9110 section 13.2.2) where there is a
/// representation, which has a date and no entity tag.
enum Conditions {

  /// Is answered as if there were none.
  MET,

  /// The requester has this state already: 304.
  NOT_MODIFIED,

  /// The requester wants another state: 412.
  FAILED;

  private static final String ANY = "*";

  /// Evaluates those of a request. A date that is none, or that comes twice, is no condition; of a
  /// list of tags only a star alone matches.
  ///
  /// @param modified when the representation was modified, in whole seconds
  static Conditions of(HttpHeaders headers, Instant modified) {
    boolean isOther =
        headers.contains("if-match")
            ? !ANY.equals(headers.getSingle("if-match"))
            : isAfter(modified, headers, "if-unmodified-since", false);
    if (isOther) {
      return FAILED;
    }
    boolean isSame =
        headers.contains("if-none-match")
            ? ANY.equals(headers.getSingle("if-none-match"))
            : !isAfter(modified, headers, "if-modified-since", true);
    return isSame ? NOT_MODIFIED : MET;
  }

  /// Whether the representation was modified after the date in a field.
  private static boolean isAfter(
      Instant modified, HttpHeaders headers, String name, boolean withoutDate) {
    @Nullable String text = headers.getSingle(name);
    @Nullable Instant date = text == null ? null : HttpDate.parse(text);
    return date == null ? withoutDate : modified.isAfter(date);
  }
}

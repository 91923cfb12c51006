package dev.quickwater.web;

import dev.quickwater.http.HeaderName;
import dev.quickwater.http.HttpDate;
import dev.quickwater.http.HttpHeaders;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The result of the conditions of a GET or HEAD request for an existing representation (RFC 9110
/// section 13.2.2).
enum Conditions {

  /// The conditions are met: the response is the same as without conditions.
  MET,

  /// The client already has this state: 304.
  NOT_MODIFIED,

  /// The client requires another state: 412.
  FAILED;

  private static final String ANY = "*";

  /// Evaluates the conditions of a request. A malformed or repeated date is ignored. A star matches
  /// only if it is the whole value.
  static Conditions of(HttpHeaders headers, Validators state) {
    Instant modified = state.modified();
    boolean isOther =
        headers.contains(HeaderName.IF_MATCH)
            ? !matches(headers, HeaderName.IF_MATCH, state.tag(), true)
            : isAfter(modified, headers, HeaderName.IF_UNMODIFIED_SINCE, false);
    if (isOther) {
      return FAILED;
    }
    boolean isSame =
        headers.contains(HeaderName.IF_NONE_MATCH)
            ? matches(headers, HeaderName.IF_NONE_MATCH, state.tag(), false)
            : !isAfter(modified, headers, HeaderName.IF_MODIFIED_SINCE, true);
    return isSame ? NOT_MODIFIED : MET;
  }

  private static boolean matches(
      HttpHeaders headers, HeaderName name, EntityTag tag, boolean strong) {
    return ANY.equals(headers.getSingle(name)) || tag.isIn(headers.getAll(name), strong);
  }

  /// Whether the representation was modified after the date of a field.
  private static boolean isAfter(
      Instant modified, HttpHeaders headers, HeaderName name, boolean withoutDate) {
    @Nullable String text = headers.getSingle(name);
    @Nullable Instant date = text == null ? null : HttpDate.parse(text);
    return date == null ? withoutDate : modified.isAfter(date);
  }
}

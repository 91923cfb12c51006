package dev.quickwater.web;

import dev.quickwater.http.HttpDate;
import java.time.Instant;

/// What tells the states of a representation apart.
///
/// @param tag its entity tag
/// @param modified when it was modified, in whole seconds
/// @param isOnlyForm false if a resource has several encoded forms, which a date does not
///   distinguish
record Validators(EntityTag tag, Instant modified, boolean isOnlyForm) {

  /// True if the value of an `If-Range` field is this state (RFC 9110 section 13.1.5): a strong
  /// tag, or exactly the date.
  boolean isCurrent(String ifRange) {
    return tag.isStrongly(ifRange) || isOnlyForm && modified.equals(HttpDate.parse(ifRange));
  }
}

package dev.quickwater.web;

import dev.quickwater.http.HttpDate;
import java.time.Instant;

/// The validators of a representation, which identify its state.
///
/// @param tag its entity tag
/// @param modified the modification time in whole seconds
/// @param isOnlyForm false if the resource has several encoded forms, which have the same date
record Validators(EntityTag tag, Instant modified, boolean isOnlyForm) {

  /// True if the value of an `If-Range` field matches this state (RFC 9110 section 13.1.5): an
  /// equal strong tag, or exactly the date.
  boolean isCurrent(String ifRange) {
    return tag.isStrongly(ifRange) || isOnlyForm && modified.equals(HttpDate.parse(ifRange));
  }
}

package dev.quickwater.http1;

import dev.quickwater.http.Authority;
import dev.quickwater.http.engine.EngineAccess;
import org.jspecify.annotations.Nullable;

/// Checks `uri-host [":" port]` (RFC 9110 section 7.2). An empty text and an underscore in a name
/// are valid. User information is refused.
final class Authorities {

  private Authorities() {}

  static void check(byte[] text, int start, int end) throws Http1Exception {
    @Nullable String fault = Authority.fault(EngineAccess.GRANTED, text, start, end);
    if (fault != null) {
      throw Http1Exception.bad(fault);
    }
  }
}

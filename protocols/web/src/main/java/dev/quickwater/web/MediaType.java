package dev.quickwater.web;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Compares values of Content-Type (RFC 9110 section 8.3.1).
final class MediaType {

  private MediaType() {}

  /// True if `type` is `expected`, in any case and with any parameters, except a `charset` other
  /// than UTF-8 or its subset ASCII.
  static boolean matches(String expected, @Nullable String type) {
    if (type == null) {
      return false;
    }
    int semicolon = type.indexOf(';');
    String essence = semicolon < 0 ? type : type.substring(0, semicolon);
    return essence.strip().equalsIgnoreCase(expected)
        && (semicolon < 0 || isUtf8(type.substring(semicolon + 1)));
  }

  private static boolean isUtf8(String parameters) {
    for (String parameter : parameters.split(";", 8)) {
      String text = parameter.strip().toLowerCase(Locale.ROOT);
      if (text.startsWith("charset=")) {
        String charset = text.substring("charset=".length()).replace("\"", "");
        if (!charset.equals("utf-8") && !charset.equals("us-ascii")) {
          return false;
        }
      }
    }
    return true;
  }
}

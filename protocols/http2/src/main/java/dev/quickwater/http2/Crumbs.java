package dev.quickwater.http2;

import dev.quickwater.http.engine.HeaderField;
import java.util.Arrays;

/// Joins the parts ("crumbs") of a split Cookie field (RFC 9113 section 8.2.3).
final class Crumbs {

  private static final byte[] NONE = {};

  private byte[] more = NONE;
  private int length;

  /// A part must not be put into a compression table.
  private boolean sensitive;

  /// Adds a part after the first one.
  void append(HeaderField crumb) {
    byte[] value = crumb.value();
    sensitive |= crumb.isSensitive();
    int needed = length + 2 + value.length;
    if (needed > more.length) {
      more = Arrays.copyOf(more, Math.max(needed, 2 * more.length));
    }
    more[length] = ';';
    more[length + 1] = ' ';
    System.arraycopy(value, 0, more, length + 2, value.length);
    length = needed;
  }

  /// Replaces the field at `at`, which is the first part, by the joined field.
  void joinTo(HeaderField[] fields, int at) {
    if (length == 0) {
      return;
    }
    HeaderField first = fields[at];
    byte[] all = Arrays.copyOf(first.value(), first.value().length + length);
    System.arraycopy(more, 0, all, first.value().length, length);
    fields[at] = new HeaderField(first.name(), all, sensitive || first.isSensitive());
    clear();
  }

  /// Drops the parts.
  void clear() {
    if (length > 0) {
      length = 0;
      sensitive = false;
      more = NONE;
    }
  }
}

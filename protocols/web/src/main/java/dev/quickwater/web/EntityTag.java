package dev.quickwater.web;

import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An entity tag (RFC 9110 section 8.8.3): which state of a file a response shows.
///
/// @param opaque the text between the quotes
/// @param weak if two states with different bytes may have the same tag
record EntityTag(String opaque, boolean weak) {

  /// A file that was modified less than this ago may be modified again without a change of its size
  /// and time, because file systems round times: up to 10 ms on Linux, 2 s on FAT.
  private static final Duration SETTLED = Duration.ofSeconds(2);

  /// The tag of a file: size, time of modification and, where the file system has one, identity, so
  /// that a file which replaces another one of the same size and time has a different tag.
  static EntityTag of(BasicFileAttributes file, Instant now) {
    Instant modified = file.lastModifiedTime().toInstant();
    @Nullable Object key = file.fileKey();
    StringBuilder tag = new StringBuilder(48);
    tag.append(Long.toHexString(file.size())).append('-');
    tag.append(Long.toHexString(modified.getEpochSecond())).append('.');
    tag.append(Integer.toHexString(modified.getNano()));
    if (key != null) {
      tag.append('-').append(Integer.toHexString(key.hashCode()));
    }
    return new EntityTag(tag.toString(), modified.plus(SETTLED).isAfter(now));
  }

  /// True if a field is a single tag equal to this one, both strong (RFC 9110 section 8.8.3.2).
  boolean isStrongly(String field) {
    return !weak && field.equals(toString());
  }

  /// True if a list of tags has this one. A list that is malformed has none behind the fault.
  ///
  /// @param strong if weak tags, of either side, match nothing
  boolean isIn(List<String> fields, boolean strong) {
    if (strong && weak) {
      return false;
    }
    for (String field : fields) {
      if (isIn(field, strong)) {
        return true;
      }
    }
    return false;
  }

  private boolean isIn(String field, boolean strong) {
    int at = 0;
    while (at < field.length()) {
      char c = field.charAt(at);
      if (c == ' ' || c == '\t' || c == ',') {
        at++;
        continue;
      }
      boolean isWeak = field.startsWith("W/", at);
      int open = isWeak ? at + 2 : at;
      int close = field.startsWith("\"", open) ? field.indexOf('"', open + 1) : -1;
      if (close < 0) {
        return false;
      }
      if (!(strong && isWeak)
          && close - open - 1 == opaque.length()
          && field.startsWith(opaque, open + 1)) {
        return true;
      }
      at = close + 1;
    }
    return false;
  }

  @Override
  public String toString() {
    return (weak ? "W/\"" : "\"") + opaque + '"';
  }
}

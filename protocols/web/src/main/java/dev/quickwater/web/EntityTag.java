package dev.quickwater.web;

import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An entity tag (RFC 9110 section 8.8.3), which identifies a state of a file.
///
/// @param opaque the text between the quotes
/// @param weak true if two states with different bytes may have the same tag
record EntityTag(String opaque, boolean weak) {

  /// The age of a modification below which a tag is weak. File systems round times, by up to 10 ms
  /// on Linux and 2 s on FAT, so another modification may leave size and time unchanged.
  private static final Duration SETTLED = Duration.ofSeconds(2);

  /// The tag of a file, computed from size, modification time and, if the file system has one,
  /// identity. A file that replaces another one of the same size and time therefore has another
  /// tag.
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

  /// True if a field is a single strong tag equal to this strong tag (RFC 9110 section 8.8.3.2).
  boolean isStrongly(String field) {
    return !weak && field.equals(toString());
  }

  /// True if a list of tags contains this tag. The part of a list after a syntax error is ignored.
  ///
  /// @param strong true for the strong comparison, in which weak tags match nothing
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

package dev.quickwater.http.engine;

import dev.quickwater.http.HeaderName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One field of a header block. It is immutable: header blocks and compression tables share it.
///
/// The creator has checked the value: it has no control character except tabs, and no white space
/// at its ends.
public final class HeaderField {

  private final HeaderName name;
  private final byte[] value;
  private final boolean sensitive;
  private @Nullable String text;
  private int valueHash;

  /// A field that takes ownership of `value`.
  public HeaderField(HeaderName name, byte[] value, boolean sensitive) {
    this.name = name;
    this.value = value;
    this.sensitive = sensitive;
  }

  /// The name.
  public HeaderName name() {
    return name;
  }

  /// The bytes of the value. The caller only reads them.
  public byte[] value() {
    return value;
  }

  /// True if no compression table may hold the field (RFC 7541 section 7.1.3).
  public boolean isSensitive() {
    return sensitive;
  }

  /// A hash of the value, for compression tables.
  public int valueHash() {
    int known = valueHash;
    if (known == 0) {
      known = Arrays.hashCode(value);
      valueHash = known;
    }
    return known;
  }

  /// The value as text.
  public String text() {
    @Nullable String known = text;
    if (known == null) {
      known = new String(value, StandardCharsets.ISO_8859_1);
      text = known;
    }
    return known;
  }
}

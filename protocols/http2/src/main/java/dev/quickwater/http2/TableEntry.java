package dev.quickwater.http2;

import dev.quickwater.http.Grammar;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.engine.HeaderField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One entry of a compression table, or one literal field: a name and a value as HPACK defines
/// them. It keeps the result of the checks of RFC 9113 section 8.2, so an entry is checked once.
///
/// Immutable. Decoders share entries with the header blocks that use them.
final class TableEntry {

  /// Bytes that each entry counts in addition to its name and value (RFC 7541 section 4.1).
  static final int OVERHEAD = 32;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  private final FieldName name;
  private final byte[] value;

  /// The size, or its complement if the field is sensitive: a further field would make the object
  /// larger.
  private final int size;

  private final @Nullable HeaderField field;
  private final @Nullable String fault;

  private TableEntry(
      FieldName name, byte[] value, int size, @Nullable HeaderField field, @Nullable String fault) {
    this.name = name;
    this.value = value;
    this.size = size;
    this.field = field;
    this.fault = fault;
  }

  /// A received entry whose value is `length` bytes of `text`, which are copied.
  ///
  /// White space around the value of a header field is removed, because deployed clients send it.
  /// The removed bytes count in the size of the entry, because they count in the peer's table.
  ///
  /// @param sensitive true if the field is a literal that is never indexed
  static TableEntry of(FieldName name, byte[] text, int offset, int length, boolean sensitive) {
    int size = name.bytes().length + length + OVERHEAD;
    int from = offset;
    int to = offset + length;
    @Nullable HeaderName header = name.registered();
    if (header != null) {
      while (from < to && isSpace(text[from])) {
        from++;
      }
      while (from < to && isSpace(text[to - 1])) {
        to--;
      }
    }
    byte[] value = Arrays.copyOfRange(text, from, to);
    @Nullable String fault = name.fault();
    if (fault == null && !isValue(value)) {
      fault = "the value of a field has a character that is not allowed (RFC 9113 section 8.2.1)";
    }
    @Nullable HeaderField field =
        fault == null && header != null ? new HeaderField(header, value, sensitive) : null;
    return new TableEntry(name, value, sensitive ? ~size : size, field, fault);
  }

  /// Checks eight bytes at once, and one by one only if a byte is a tab or not allowed.
  private static boolean isValue(byte[] value) {
    int length = value.length;
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      long eight = (long) LONGS.get(value, i);
      if (isUnusual(eight) && !isValue(value, i, i + Long.BYTES)) {
        return false;
      }
    }
    return isValue(value, i, length);
  }

  /// True if one of eight bytes is below 0x20 or is 0x7f.
  private static boolean isUnusual(long eight) {
    long control = eight - 0x20 * ONES & ~eight;
    long delete = (eight ^ 0x7f * ONES) - ONES & ~(eight ^ 0x7f * ONES);
    return ((control | delete) & HIGH_BITS) != 0;
  }

  private static boolean isValue(byte[] value, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!Grammar.isFieldValue((char) (value[i] & 0xff))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\t';
  }

  FieldName name() {
    return name;
  }

  /// The bytes of the value, without white space around the value of a header field. The caller
  /// only reads them.
  byte[] value() {
    return value;
  }

  /// The field for a header block; null for a pseudo-header field and for a malformed field.
  @Nullable HeaderField field() {
    return field;
  }

  /// Why a message with this field is malformed; null if it is not.
  @Nullable String fault() {
    return fault;
  }

  /// The size in a table (RFC 7541 section 4.1) and in a field section (RFC 9113 section 6.5.2), of
  /// the bytes as they were received.
  int size() {
    return size ^ size >> Integer.SIZE - 1;
  }

  /// True for a literal that is never indexed, of any name.
  boolean isSensitive() {
    return size < 0;
  }
}

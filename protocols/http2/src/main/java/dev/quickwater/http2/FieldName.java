package dev.quickwater.http2;

import dev.quickwater.http.Grammar;
import dev.quickwater.http.HeaderName;
import dev.quickwater.http.engine.EngineAccess;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The name of a field in a compression table: a header name, or one of the pseudo-header names of
/// RFC 9113 section 8.3. A malformed name is kept with its fault, because the dynamic table may
/// contain it although every message that uses it is malformed.
///
/// Immutable. Each pseudo-header name is one object.
final class FieldName {

  /// The names that begin with a colon.
  enum Pseudo {
    AUTHORITY(0, ":authority"),
    METHOD(1, ":method"),
    PATH(2, ":path"),
    SCHEME(3, ":scheme"),
    STATUS(4, ":status"),

    /// RFC 8441.
    PROTOCOL(5, ":protocol");

    static final int COUNT = 6;

    private final int number;
    private final String text;

    Pseudo(int number, String text) {
      this.number = number;
      this.text = text;
    }

    /// A number below [#COUNT].
    int number() {
      return number;
    }
  }

  /// The bytes of a token in lower case.
  private static final boolean[] LOWER = new boolean[256];

  private static final FieldName[] PSEUDO = new FieldName[Pseudo.COUNT];

  /// By number of a registered header name; filled on first use. Racing threads create equal
  /// objects with final fields, so either object is correct.
  private static final @Nullable FieldName[] REGISTERED =
      new @Nullable FieldName[HeaderName.registeredCount(EngineAccess.GRANTED)];

  static {
    for (int b = 0; b < LOWER.length; b++) {
      LOWER[b] = Grammar.isToken((byte) b) && (b < 'A' || b > 'Z');
    }
    for (Pseudo each : Pseudo.values()) {
      byte[] text = each.text.getBytes(StandardCharsets.US_ASCII);
      PSEUDO[each.number] = new FieldName(text, each, null, null);
    }
  }

  private final byte[] bytes;
  private final @Nullable Pseudo pseudo;
  private final @Nullable HeaderName registered;
  private final @Nullable String fault;

  private FieldName(
      byte[] bytes,
      @Nullable Pseudo pseudo,
      @Nullable HeaderName registered,
      @Nullable String fault) {
    this.bytes = bytes;
    this.pseudo = pseudo;
    this.registered = registered;
    this.fault = fault;
  }

  static FieldName of(Pseudo pseudo) {
    return PSEUDO[pseudo.number];
  }

  static FieldName of(HeaderName name) {
    int number = name.number(EngineAccess.GRANTED);
    if (number < 0) {
      return create(name);
    }
    @Nullable FieldName known = REGISTERED[number];
    if (known == null) {
      known = create(name);
      REGISTERED[number] = known;
    }
    return known;
  }

  private static FieldName create(HeaderName name) {
    return new FieldName(name.bytes(EngineAccess.GRANTED), null, name, null);
  }

  /// The name that received bytes contain.
  static FieldName of(byte[] text, int offset, int length) {
    if (length > 0 && text[offset] == ':') {
      for (FieldName each : PSEUDO) {
        if (Arrays.equals(each.bytes, 0, each.bytes.length, text, offset, offset + length)) {
          return each;
        }
      }
      return malformed(text, offset, length, "a pseudo-header field is unknown");
    }
    for (int i = offset; i < offset + length; i++) {
      if (!LOWER[text[i] & 0xff]) {
        return malformed(text, offset, length, "a field name is not a lower-case token");
      }
    }
    return length == 0
        ? malformed(text, offset, length, "a field name is empty")
        : of(HeaderName.of(EngineAccess.GRANTED, text, offset, length));
  }

  private static FieldName malformed(byte[] text, int offset, int length, String fact) {
    byte[] bytes = Arrays.copyOfRange(text, offset, offset + length);
    return new FieldName(bytes, null, null, fact + " (RFC 9113 section 8.2)");
  }

  /// The bytes, in lower case unless the name is malformed. The caller only reads them.
  byte[] bytes() {
    return bytes;
  }

  /// The pseudo-header name; null for others.
  @Nullable Pseudo pseudo() {
    return pseudo;
  }

  /// The header name; null for a pseudo-header name and for a malformed name.
  @Nullable HeaderName registered() {
    return registered;
  }

  /// Why a message with this name is malformed; null if it is not.
  @Nullable String fault() {
    return fault;
  }
}

package dev.quickwater.http;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.engine.EngineAccess;
import dev.quickwater.http.engine.FieldSpan;
import dev.quickwater.http.engine.HeaderField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Header fields in order. Immutable, thread-safe, case-insensitive; a name may occur several
/// times.
///
/// - It never contains Host, Content-Length, Transfer-Encoding, Connection, Keep-Alive,
///   Proxy-Connection, Upgrade, Sec-WebSocket-Key or Sec-WebSocket-Accept
///   ([HeaderName#isEngineOwned]), so every instance can be sent.
/// - Names are tokens. Values have no control characters except tabs. Every constructor checks
///   this.
/// - A block from an HTTP/1.1 parser is one array with a packed span for each field. A block from a
///   builder or a compression table refers to shared fields. Text is created on request.
public final class HttpHeaders {

  private static final long[] NO_SPANS = {};
  private static final HeaderField[] NO_FIELDS = {};

  /// No fields.
  public static final HttpHeaders EMPTY = new HttpHeaders(NO_FIELDS);

  private static final int COLON_SPACE = 0x3a20;
  private static final int CRLF = 0x0d0a;

  /// A marker: the fields were written once, field by field. The second use caches the wire form. A
  /// block that is sent once therefore needs no array, and a constant is copied whole.
  private static final byte[] USED_ONCE = new byte[0];

  private static final VarHandle WIRE;

  static {
    try {
      WIRE = MethodHandles.lookup().findVarHandle(HttpHeaders.class, "wire", byte[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// The parsed form: the bytes of a head. Null in the built form.
  private final byte @Nullable [] block;

  private final long[] spans;

  /// The built form.
  private final HeaderField[] fields;

  /// The fields as HTTP/1.1 sends them. Accessed with release and acquire: a thread that reads the
  /// array then reads its bytes, too.
  @SuppressWarnings("UnusedVariable") // read and written through WIRE
  private byte @Nullable [] wire;

  private HttpHeaders(HeaderField[] fields) {
    this.block = null;
    this.spans = NO_SPANS;
    this.fields = fields;
  }

  private HttpHeaders(byte[] block, long[] spans) {
    this.block = block;
    this.spans = spans;
    this.fields = NO_FIELDS;
  }

  /// For parsers: fields whose bytes were checked, at `spans` ([FieldSpan]) of `block`. They
  /// include no engine-owned field. Takes ownership of both arrays.
  @SuppressWarnings("exports")
  public static HttpHeaders parsed(EngineAccess access, byte[] block, long[] spans) {
    Objects.requireNonNull(access);
    return spans.length == 0 ? EMPTY : new HttpHeaders(block, spans);
  }

  /// For decompressors: checked fields, none of them engine-owned. Takes ownership of the array.
  @SuppressWarnings("exports")
  public static HttpHeaders ofFields(EngineAccess access, HeaderField[] fields) {
    Objects.requireNonNull(access);
    return fields.length == 0 ? EMPTY : new HttpHeaders(fields);
  }

  /// Fields from names and values in turn.
  ///
  /// @throws IllegalArgumentException for an odd number of arguments, or a bad name or value
  public static HttpHeaders of(String... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException("the last name has no value");
    }
    Builder builder = new Builder();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      builder.add(namesAndValues[i], namesAndValues[i + 1]);
    }
    return builder.build();
  }

  /// A builder without fields.
  public static Builder builder() {
    return new Builder();
  }

  /// A builder with these fields, which are not checked again.
  public Builder toBuilder() {
    return new Builder().addAll(this);
  }

  /// The number of fields.
  public int size() {
    return block != null ? spans.length : fields.length;
  }

  /// The name of a field.
  public HeaderName name(int index) {
    byte @Nullable [] bytes = block;
    if (bytes == null) {
      return fields[index].name();
    }
    long span = spans[index];
    return HeaderName.of(bytes, FieldSpan.nameOffset(span), FieldSpan.nameLength(span));
  }

  /// The value of a field.
  public String value(int index) {
    byte @Nullable [] bytes = block;
    if (bytes == null) {
      return fields[index].text();
    }
    long span = spans[index];
    return new String(
        bytes,
        FieldSpan.valueOffset(span),
        FieldSpan.valueLength(span),
        StandardCharsets.ISO_8859_1);
  }

  /// True if no compression table may hold the field ([Builder#addSensitive]).
  public boolean isSensitive(int index) {
    if (block == null) {
      return fields[index].isSensitive();
    }
    Objects.checkIndex(index, spans.length);
    return false;
  }

  /// The length of a value in bytes; a character is one byte.
  public int valueLength(int index) {
    return block == null ? fields[index].value().length : FieldSpan.valueLength(spans[index]);
  }

  /// Copies the bytes of a value to `to`, from index `at`.
  public void copyValue(int index, byte[] to, int at) {
    byte @Nullable [] bytes = block;
    if (bytes == null) {
      byte[] value = fields[index].value();
      System.arraycopy(value, 0, to, at, value.length);
    } else {
      long span = spans[index];
      System.arraycopy(bytes, FieldSpan.valueOffset(span), to, at, FieldSpan.valueLength(span));
    }
  }

  /// For engines: a field that can be shared with other blocks.
  @SuppressWarnings("exports")
  public HeaderField field(EngineAccess access, int index) {
    Objects.requireNonNull(access);
    return field(index);
  }

  private HeaderField field(int index) {
    if (block == null) {
      return fields[index];
    }
    byte[] value = new byte[valueLength(index)];
    copyValue(index, value, 0);
    return new HeaderField(name(index), value, false);
  }

  /// The index of the first field of a name at or after `from`, or -1.
  public int indexOf(HeaderName name, int from) {
    byte @Nullable [] bytes = block;
    if (bytes == null) {
      for (int i = from; i < fields.length; i++) {
        if (fields[i].name().equals(name)) {
          return i;
        }
      }
      return -1;
    }
    byte[] wanted = name.bytes();
    for (int i = from; i < spans.length; i++) {
      if (FieldSpan.nameLength(spans[i]) == wanted.length
          && RegisteredNames.equalsLower(bytes, FieldSpan.nameOffset(spans[i]), wanted)) {
        return i;
      }
    }
    return -1;
  }

  /// The index of the first field of a name at or after `from`, or -1.
  public int indexOf(String name, int from) {
    return Grammar.isToken(name) ? indexOf(HeaderName.of(name), from) : -1;
  }

  /// The first value of a name, or null. If several values make the field invalid, use
  /// [#getSingle(HeaderName)].
  public @Nullable String get(HeaderName name) {
    int index = indexOf(name, 0);
    return index < 0 ? null : value(index);
  }

  /// The first value of a name, or null.
  public @Nullable String get(String name) {
    int index = indexOf(name, 0);
    return index < 0 ? null : value(index);
  }

  /// The value of a name that occurs once; null if the name is missing or repeated. Use it for
  /// fields that are not lists: a sender must not repeat them (RFC 9110 section 5.3), and
  /// recipients disagree on which of several values counts.
  public @Nullable String getSingle(HeaderName name) {
    int index = indexOf(name, 0);
    return index < 0 || indexOf(name, index + 1) >= 0 ? null : value(index);
  }

  /// The value of a name that occurs once; null if the name is missing or repeated.
  public @Nullable String getSingle(String name) {
    return Grammar.isToken(name) ? getSingle(HeaderName.of(name)) : null;
  }

  /// All values of a name, in order.
  public List<String> getAll(HeaderName name) {
    List<String> values = new ArrayList<>();
    for (int i = indexOf(name, 0); i >= 0; i = indexOf(name, i + 1)) {
      values.add(value(i));
    }
    return values;
  }

  /// All values of a name, in order.
  public List<String> getAll(String name) {
    return Grammar.isToken(name) ? getAll(HeaderName.of(name)) : List.of();
  }

  /// True if a field of that name exists.
  public boolean contains(HeaderName name) {
    return indexOf(name, 0) >= 0;
  }

  /// True if a field of that name exists.
  public boolean contains(String name) {
    return indexOf(name, 0) >= 0;
  }

  /// True if the comma-separated lists in the fields of that name have `token` in any case.
  public boolean containsToken(HeaderName name, String token) {
    for (int i = indexOf(name, 0); i >= 0; i = indexOf(name, i + 1)) {
      for (String element : value(i).split(",", -1)) {
        if (element.strip().equalsIgnoreCase(token)) {
          return true;
        }
      }
    }
    return false;
  }

  /// True if the comma-separated lists in the fields of that name have `token` in any case.
  public boolean containsToken(String name, String token) {
    return Grammar.isToken(name) && containsToken(HeaderName.of(name), token);
  }

  /// Calls `action` with each name and value, in order.
  public void forEach(BiConsumer<HeaderName, String> action) {
    for (int i = 0; i < size(); i++) {
      action.accept(name(i), value(i));
    }
  }

  /// For encoders: appends the fields as HTTP/1.1 sends them, each with its line end, without an
  /// empty line.
  @SuppressWarnings("exports")
  public void writeTo(EngineAccess access, ByteBuf out) {
    Objects.requireNonNull(access);
    byte @Nullable [] known = (byte @Nullable []) WIRE.getAcquire(this);
    if (known != null) {
      out.writeBytes(known == USED_ONCE ? cacheWire() : known);
      return;
    }
    WIRE.setRelease(this, USED_ONCE);
    byte @Nullable [] bytes = block;
    if (bytes != null) {
      writeRuns(bytes, out);
    } else {
      writeFields(out);
    }
  }

  /// For encoders: an upper limit of the bytes that [#writeTo] appends.
  @SuppressWarnings("exports")
  public int encodedLength(EngineAccess access) {
    Objects.requireNonNull(access);
    byte @Nullable [] bytes = block;
    if (bytes != null) {
      return bytes.length + 4 * size();
    }
    byte @Nullable [] known = (byte @Nullable []) WIRE.getAcquire(this);
    if (known != null && known != USED_ONCE) {
      return known.length;
    }
    int length = 0;
    for (int i = 0; i < size(); i++) {
      length += nameLength(i) + valueLength(i) + 4;
    }
    return length;
  }

  /// For encoders, which only read it: the fields as HTTP/1.1 sends them.
  @SuppressWarnings("exports")
  public byte[] wire(EngineAccess access) {
    Objects.requireNonNull(access);
    return wire();
  }

  byte[] wire() {
    byte @Nullable [] known = (byte @Nullable []) WIRE.getAcquire(this);
    return known == null || known == USED_ONCE ? cacheWire() : known;
  }

  private byte[] cacheWire() {
    int length = 0;
    for (int i = 0; i < size(); i++) {
      length += nameLength(i) + valueLength(i) + 4;
    }
    byte[] made = new byte[length];
    int at = 0;
    for (int i = 0; i < size(); i++) {
      int nameLength = nameLength(i);
      copyName(i, made, at);
      at += nameLength;
      made[at++] = ':';
      made[at++] = ' ';
      copyValue(i, made, at);
      at += valueLength(i);
      made[at++] = '\r';
      made[at++] = '\n';
    }
    WIRE.setRelease(this, made);
    return made;
  }

  private int nameLength(int index) {
    return block == null ? fields[index].name().bytes().length : FieldSpan.nameLength(spans[index]);
  }

  private void copyName(int index, byte[] to, int at) {
    byte @Nullable [] bytes = block;
    if (bytes == null) {
      byte[] name = fields[index].name().bytes();
      System.arraycopy(name, 0, to, at, name.length);
    } else {
      long span = spans[index];
      System.arraycopy(bytes, FieldSpan.nameOffset(span), to, at, FieldSpan.nameLength(span));
    }
  }

  private void writeFields(ByteBuf out) {
    for (HeaderField field : fields) {
      out.writeBytes(field.name().bytes())
          .writeShort(COLON_SPACE)
          .writeBytes(field.value())
          .writeShort(CRLF);
    }
  }

  /// Consecutive fields of the block that already have their wire form are copied at once. A field
  /// with other white space is written piece by piece, without that white space.
  private void writeRuns(byte[] bytes, ByteBuf out) {
    int runStart = 0;
    int runEnd = 0;
    for (long span : spans) {
      int name = FieldSpan.nameOffset(span);
      int colon = name + FieldSpan.nameLength(span);
      int value = FieldSpan.valueOffset(span);
      int end = value + FieldSpan.valueLength(span);
      boolean plain = value == colon + 2 && bytes[colon + 1] == ' ' && bytes[end] == '\r';
      if (plain && name == runEnd) {
        runEnd = end + 2;
        continue;
      }
      out.writeBytes(bytes, runStart, runEnd - runStart);
      if (plain) {
        runStart = name;
        runEnd = end + 2;
        continue;
      }
      out.writeBytes(bytes, name, colon - name)
          .writeShort(COLON_SPACE)
          .writeBytes(bytes, value, end - value)
          .writeShort(CRLF);
      runStart = 0;
      runEnd = 0;
    }
    out.writeBytes(bytes, runStart, runEnd - runStart);
  }

  /// Same names and same values in the same order.
  @Override
  public boolean equals(@Nullable Object other) {
    if (this == other) {
      return true;
    }
    if (!(other instanceof HttpHeaders that) || that.size() != size()) {
      return false;
    }
    for (int i = 0; i < size(); i++) {
      if (!name(i).equals(that.name(i)) || !value(i).equals(that.value(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = 0; i < size(); i++) {
      hash = 31 * hash + value(i).hashCode();
    }
    return hash;
  }

  /// The names and values; the values of sensitive fields are left out.
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < size(); i++) {
      text.append(i > 0 ? ", " : "")
          .append(name(i))
          .append(": ")
          .append(isSensitive(i) ? "(sensitive)" : value(i));
    }
    return text.append('}').toString();
  }

  /// Collects fields. Every name and value is checked when it is added. For one thread.
  public static final class Builder {

    private static final int MAX_BYTES = 0xffff;

    private final List<HeaderField> fields = new ArrayList<>();

    private Builder() {}

    /// Appends a field; white space around the value is removed.
    ///
    /// @throws IllegalArgumentException if the name belongs to the engine, or the value has a
    ///   control character or one above 0xFF
    public Builder add(HeaderName name, String value) {
      return add(name, value, false);
    }

    /// Appends a field; white space around the value is removed.
    ///
    /// @throws IllegalArgumentException if the name is not a token or belongs to the engine, or the
    ///   value has a control character or one above 0xFF
    public Builder add(String name, String value) {
      return add(HeaderName.of(name), value, false);
    }

    /// Appends a field whose value is a secret: compression tables never hold it, and [#toString]
    /// leaves it out.
    public Builder addSensitive(HeaderName name, String value) {
      return add(name, value, true);
    }

    /// Appends all fields of `headers`, which are not checked again.
    public Builder addAll(HttpHeaders headers) {
      for (int i = 0; i < headers.size(); i++) {
        fields.add(headers.field(i));
      }
      return this;
    }

    /// Replaces all fields of a name by one at the end.
    public Builder set(HeaderName name, String value) {
      HeaderField field = checked(name, value, false);
      remove(name).fields.add(field);
      return this;
    }

    /// Replaces all fields of a name by one at the end.
    public Builder set(String name, String value) {
      return set(HeaderName.of(name), value);
    }

    /// Removes all fields of a name.
    public Builder remove(HeaderName name) {
      fields.removeIf(field -> field.name().equals(name));
      return this;
    }

    /// Removes all fields of a name.
    public Builder remove(String name) {
      return Grammar.isToken(name) ? remove(HeaderName.of(name)) : this;
    }

    /// Removes all fields.
    public Builder clear() {
      fields.clear();
      return this;
    }

    /// The fields so far.
    ///
    /// @throws IllegalStateException if they take more than 65,535 bytes
    public HttpHeaders build() {
      if (fields.isEmpty()) {
        return EMPTY;
      }
      HeaderField[] built = fields.toArray(NO_FIELDS);
      long length = 0;
      for (HeaderField field : built) {
        length += field.name().bytes().length + field.value().length + 4;
      }
      if (length > MAX_BYTES) {
        throw new IllegalStateException(
            "the fields take " + length + " bytes, at most " + MAX_BYTES + " are allowed");
      }
      return new HttpHeaders(built);
    }

    private Builder add(HeaderName name, String value, boolean sensitive) {
      fields.add(checked(name, value, sensitive));
      return this;
    }

    private static HeaderField checked(HeaderName name, String value, boolean sensitive) {
      if (name.isEngineOwned()) {
        throw new IllegalArgumentException(
            "the field " + name + " is written by the engine and cannot be set");
      }
      String stripped = Grammar.strip(value);
      for (int i = 0; i < stripped.length(); i++) {
        if (!Grammar.isFieldValue(stripped.charAt(i))) {
          throw new IllegalArgumentException(
              "the value of "
                  + name
                  + " has the character "
                  + Grammar.describe(stripped.charAt(i))
                  + " at "
                  + i);
        }
      }
      return new HeaderField(name, stripped.getBytes(StandardCharsets.ISO_8859_1), sensitive);
    }
  }
}

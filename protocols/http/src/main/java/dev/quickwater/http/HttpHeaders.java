package dev.quickwater.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Header fields in order: immutable, case-insensitive, several of one name allowed.
///
/// One array holds all bytes and one `long` a field says where its name and value are; text is made
/// when it is asked for. A block that was built is kept in the form in which HTTP/1.1 sends it, so
/// that sending it is a copy. Names are tokens and values are free of control characters, whatever
/// way the block was made.
public final class HttpHeaders {

  /// No fields.
  public static final HttpHeaders EMPTY = new HttpHeaders(new byte[0], new long[0], true, false);

  private final byte[] block;

  /// A field each: offset and length of the name, offset and length of the value, 16 bits each.
  private final long[] spans;

  private final boolean wireForm;
  private final boolean framing;

  HttpHeaders(byte[] block, long[] spans, boolean wireForm, boolean framing) {
    this.block = block;
    this.spans = spans;
    this.wireForm = wireForm;
    this.framing = framing;
  }

  /// For the parsers: fields whose bytes were checked, at `spans` of `block`; both are taken over.
  public static HttpHeaders parsed(byte[] block, long[] spans) {
    return new HttpHeaders(block, spans, false, true);
  }

  /// A span for [#parsed]; each number is 0 to 65,535.
  public static long span(int nameOffset, int nameLength, int valueOffset, int valueLength) {
    return (long) nameOffset << 48
        | (long) nameLength << 32
        | (long) valueOffset << 16
        | valueLength;
  }

  /// Fields from names and values in turn.
  ///
  /// @throws IllegalArgumentException for a number of arguments that is odd, or a bad name or value
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

  /// A builder with these fields.
  public Builder toBuilder() {
    Builder builder = new Builder();
    for (int i = 0; i < spans.length; i++) {
      builder.add(name(i), value(i));
    }
    return builder;
  }

  /// How many fields there are.
  public int size() {
    return spans.length;
  }

  /// The name of a field, as it was received or given.
  public String name(int index) {
    return text(nameOffset(spans[index]), nameLength(spans[index]));
  }

  /// The value of a field.
  public String value(int index) {
    return text(valueOffset(spans[index]), valueLength(spans[index]));
  }

  /// The first value of a name, or null. Where several are invalid, use [#getSingle].
  public @Nullable String get(String name) {
    int index = indexOf(name, 0);
    return index < 0 ? null : value(index);
  }

  /// The value of a name that comes once; null when there is none or several. For fields that are
  /// no lists, which a sender must not repeat (RFC 9110 section 5.3), where several mean that the
  /// field is invalid: which one the sender meant, and another recipient takes, is not known.
  public @Nullable String getSingle(String name) {
    int index = indexOf(name, 0);
    return index < 0 || indexOf(name, index + 1) >= 0 ? null : value(index);
  }

  /// All values of a name, in order.
  public List<String> getAll(String name) {
    List<String> values = new ArrayList<>();
    for (int i = indexOf(name, 0); i >= 0; i = indexOf(name, i + 1)) {
      values.add(value(i));
    }
    return values;
  }

  /// True when there is a field of that name.
  public boolean contains(String name) {
    return indexOf(name, 0) >= 0;
  }

  /// True when a comma-separated list in the fields of that name has `token`, case-insensitively.
  public boolean containsToken(String name, String token) {
    for (int i = indexOf(name, 0); i >= 0; i = indexOf(name, i + 1)) {
      for (String element : value(i).split(",", -1)) {
        if (element.strip().equalsIgnoreCase(token)) {
          return true;
        }
      }
    }
    return false;
  }

  /// The index of the first field of that name at or after `from`, or -1.
  public int indexOf(String name, int from) {
    for (int i = from; i < spans.length; i++) {
      if (nameLength(spans[i]) == name.length() && nameEquals(nameOffset(spans[i]), name)) {
        return i;
      }
    }
    return -1;
  }

  private boolean nameEquals(int offset, String name) {
    for (int i = 0; i < name.length(); i++) {
      if (lower((char) (block[offset + i] & 0xff)) != lower(name.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char) (c + 32) : c;
  }

  /// Calls `action` with each name and value, in order.
  public void forEach(BiConsumer<String, String> action) {
    for (int i = 0; i < spans.length; i++) {
      action.accept(name(i), value(i));
    }
  }

  /// The fields as HTTP/1.1 sends them, each with its line end, without the empty line. For
  /// encoders, which only read it.
  public byte[] wireForm() {
    return wireForm ? block : toBuilder().build().block;
  }

  /// True when a field here belongs to the framing, which the protocol engine writes alone:
  /// Connection, Content-Length, Date, Keep-Alive, Transfer-Encoding, Upgrade. A parsed block says
  /// true without looking.
  public boolean mayHaveFraming() {
    return framing;
  }

  private String text(int offset, int length) {
    return new String(block, offset, length, StandardCharsets.ISO_8859_1);
  }

  private static int nameOffset(long span) {
    return (int) (span >>> 48);
  }

  private static int nameLength(long span) {
    return (int) (span >>> 32) & 0xffff;
  }

  private static int valueOffset(long span) {
    return (int) (span >>> 16) & 0xffff;
  }

  private static int valueLength(long span) {
    return (int) span & 0xffff;
  }

  /// Same names, without regard to case, and same values in the same order.
  @Override
  public boolean equals(@Nullable Object other) {
    if (!(other instanceof HttpHeaders that) || that.size() != size()) {
      return false;
    }
    for (int i = 0; i < size(); i++) {
      if (!name(i).equalsIgnoreCase(that.name(i)) || !value(i).equals(that.value(i))) {
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

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    forEach((n, v) -> text.append(text.length() > 1 ? ", " : "").append(n).append(": ").append(v));
    return text.append('}').toString();
  }

  /// Collects fields. Every name and value is checked when it is added; one thread.
  public static final class Builder {

    private static final int LARGEST_BLOCK = 0xffff;

    private final List<String> names = new ArrayList<>();
    private final List<String> values = new ArrayList<>();

    private Builder() {}

    /// Appends a field; white space around the value is dropped.
    ///
    /// @throws IllegalArgumentException if the name is no token, or the value has a control
    ///   character or one above 0xFF
    public Builder add(String name, String value) {
      if (!Grammar.isToken(name)) {
        throw new IllegalArgumentException("a header name has to be a token of RFC 9110");
      }
      String stripped = strip(value);
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
      names.add(name);
      values.add(stripped);
      return this;
    }

    /// Replaces all fields of a name by one.
    public Builder set(String name, String value) {
      return remove(name).add(name, value);
    }

    /// Takes all fields of a name out.
    public Builder remove(String name) {
      for (int i = names.size() - 1; i >= 0; i--) {
        if (names.get(i).equalsIgnoreCase(name)) {
          names.remove(i);
          values.remove(i);
        }
      }
      return this;
    }

    /// The fields so far.
    ///
    /// @throws IllegalStateException if they take more than 65,535 bytes
    public HttpHeaders build() {
      int length = 0;
      for (int i = 0; i < names.size(); i++) {
        length += names.get(i).length() + values.get(i).length() + 4;
      }
      if (length > LARGEST_BLOCK) {
        throw new IllegalStateException(
            "the fields take " + length + " bytes, the most is " + LARGEST_BLOCK);
      }
      byte[] block = new byte[length];
      long[] spans = new long[names.size()];
      boolean framing = false;
      int at = 0;
      for (int i = 0; i < spans.length; i++) {
        int nameAt = at;
        at = put(block, at, names.get(i));
        framing |= isFraming(names.get(i));
        block[at++] = ':';
        block[at++] = ' ';
        spans[i] = span(nameAt, names.get(i).length(), at, values.get(i).length());
        at = put(block, at, values.get(i));
        block[at++] = '\r';
        block[at++] = '\n';
      }
      return new HttpHeaders(block, spans, true, framing);
    }

    private static int put(byte[] block, int at, String text) {
      byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
      System.arraycopy(bytes, 0, block, at, bytes.length);
      return at + bytes.length;
    }

    private static String strip(String value) {
      int from = 0;
      int to = value.length();
      while (from < to && isWhite(value.charAt(from))) {
        from++;
      }
      while (to > from && isWhite(value.charAt(to - 1))) {
        to--;
      }
      return value.substring(from, to);
    }

    private static boolean isWhite(char c) {
      return c == ' ' || c == '\t';
    }

    private static boolean isFraming(String name) {
      return name.equalsIgnoreCase("content-length")
          || name.equalsIgnoreCase("transfer-encoding")
          || name.equalsIgnoreCase("connection")
          || name.equalsIgnoreCase("date")
          || name.equalsIgnoreCase("keep-alive")
          || name.equalsIgnoreCase("upgrade");
    }
  }
}

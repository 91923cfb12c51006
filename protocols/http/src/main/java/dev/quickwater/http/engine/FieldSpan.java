package dev.quickwater.http.engine;

/// The position of a field in a parsed block, packed in a `long`: offset and length of the name,
/// offset and length of the value, 16 bits each.
public final class FieldSpan {

  private FieldSpan() {}

  /// Packs a span; each number is 0 to 65,535.
  public static long of(int nameOffset, int nameLength, int valueOffset, int valueLength) {
    return (long) nameOffset << 48
        | (long) nameLength << 32
        | (long) valueOffset << 16
        | valueLength;
  }

  public static int nameOffset(long span) {
    return (int) (span >>> 48);
  }

  public static int nameLength(long span) {
    return (int) (span >>> 32) & 0xffff;
  }

  public static int valueOffset(long span) {
    return (int) (span >>> 16) & 0xffff;
  }

  public static int valueLength(long span) {
    return (int) span & 0xffff;
  }
}

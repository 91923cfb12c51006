package dev.quickwater.microbench.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Random fields of a number and of lengths: those of Netty's own benchmarks.
public enum HeaderSet {
  SMALL(5, 20, 40),
  MEDIUM(20, 40, 80),
  LARGE(100, 100, 300);

  private static final String NAME = "abcdefghijklmnopqrstuvwxyz0123456789-_";
  private static final String VALUE =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

  private final int count;
  private final int nameLength;
  private final int valueLength;

  HeaderSet(int count, int nameLength, int valueLength) {
    this.count = count;
    this.nameLength = nameLength;
    this.valueLength = valueLength;
  }

  /// The fields.
  ///
  /// @param duplicates all fields are the same one
  /// @param limitToAscii values are letters and digits; otherwise they have any bytes that a value
  ///   may have
  List<Map.Entry<String, String>> fields(boolean duplicates, boolean limitToAscii) {
    Random random = new Random(13);
    List<Map.Entry<String, String>> fields = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder name = new StringBuilder();
      while (name.length() < nameLength) {
        name.append(NAME.charAt(random.nextInt(NAME.length())));
      }
      StringBuilder value = new StringBuilder();
      while (value.length() < valueLength) {
        value.append(
            limitToAscii
                ? VALUE.charAt(random.nextInt(VALUE.length()))
                : (char)
                    (random.nextBoolean() ? 0x80 + random.nextInt(128) : '!' + random.nextInt(94)));
      }
      fields.add(
          duplicates && i > 0 ? fields.getFirst() : Map.entry(name.toString(), value.toString()));
    }
    return fields;
  }
}

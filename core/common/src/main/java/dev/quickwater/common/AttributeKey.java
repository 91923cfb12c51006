package dev.quickwater.common;

import java.util.concurrent.atomic.AtomicInteger;

/// Under what a value is kept in an [AttributeMap].
///
/// A key is equal to itself alone, whatever its name: two parts of a program cannot meet by
/// accident, and who wants to share a value shares the key, as a constant. There is no table of all
/// keys by name, which would keep them alive for ever; a program that needs keys by name keeps its
/// own map.
///
/// @param <T> the values
@SuppressWarnings("UnusedTypeParameter") // it says what AttributeMap takes and gives
public final class AttributeKey<T> {

  private static final AtomicInteger MADE = new AtomicInteger();

  private final String name;

  /// Different for keys made one after another, as those of one program are; so they do not meet in
  /// tables.
  final int number = MADE.getAndIncrement();

  private AttributeKey(String name) {
    this.name = name;
  }

  /// A new key; the name is for people.
  public static <T> AttributeKey<T> named(String name) {
    return new AttributeKey<>(name);
  }

  /// For people.
  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return "AttributeKey[" + name + "]";
  }
}

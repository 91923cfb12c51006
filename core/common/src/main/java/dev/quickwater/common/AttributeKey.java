package dev.quickwater.common;

import java.util.concurrent.atomic.AtomicInteger;

/// The key of a value in an [AttributeMap].
///
/// A key is equal to itself only; names do not count. Two parts of a program therefore cannot use
/// the same key by accident. Parts that share a value share the key, as a constant. There is no
/// table of all keys by name, because it would keep them alive for ever; a program that needs keys
/// by name keeps a map.
///
/// @param <T> the values
@SuppressWarnings("UnusedTypeParameter") // the type of the values in AttributeMap
public final class AttributeKey<T> {

  private static final AtomicInteger MADE = new AtomicInteger();

  private final String name;

  /// Different for keys that are made one after another, as those of one program are: they do not
  /// collide in tables.
  final int number = MADE.getAndIncrement();

  private AttributeKey(String name) {
    this.name = name;
  }

  /// A new key; the name is for messages.
  public static <T> AttributeKey<T> named(String name) {
    return new AttributeKey<>(name);
  }

  /// The name, for messages.
  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return "AttributeKey[" + name + "]";
  }
}

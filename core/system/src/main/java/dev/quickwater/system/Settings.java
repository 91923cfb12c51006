package dev.quickwater.system;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Every system property that Quickwater reads, each read once, here.
///
/// | property | values | default |
/// |---|---|---|
/// | `dev.quickwater.nativeAccess` | `auto`, `off` | `auto`: used when the JVM grants it |
/// | `dev.quickwater.leakLevel` | `disabled`, `simple`, `advanced`, `paranoid` | `simple` |
/// | `dev.quickwater.memoryLimit` | bytes, at least 1 MiB | the JVM's maximum heap size |
///
/// A value outside its range stops class initialisation with an [IllegalArgumentException] that
/// names the property; a typing mistake is never taken for the default.
public final class Settings {

  /// False when native memory and system calls must not be used even where the JVM allows them.
  public static final boolean NATIVE_ALLOWED =
      switch (read("dev.quickwater.nativeAccess", "auto")) {
        case "auto" -> true;
        case "off" -> false;
        case String other ->
            throw new IllegalArgumentException(
                "dev.quickwater.nativeAccess is '" + other + "', expected auto or off");
      };

  /// The name of the leak tracking level, lower case; its meaning belongs to the tracker.
  public static final String LEAK_LEVEL = read("dev.quickwater.leakLevel", "simple");

  /// The most bytes that slabs may take in all.
  public static final long MEMORY_LIMIT = bytes("dev.quickwater.memoryLimit");

  private Settings() {}

  private static String read(String name, String fallback) {
    @Nullable String value = System.getProperty(name);
    return value == null ? fallback : value.strip().toLowerCase(Locale.ROOT);
  }

  private static long bytes(String name) {
    @Nullable String value = System.getProperty(name);
    if (value == null) {
      return Runtime.getRuntime().maxMemory();
    }
    try {
      long parsed = Long.parseLong(value.strip());
      if (parsed >= 1 << 20) {
        return parsed;
      }
    } catch (NumberFormatException _) {
      // reported below with the value as it was given
    }
    throw new IllegalArgumentException(
        name + " is '" + value + "', expected a number of bytes, at least " + (1 << 20));
  }
}

package dev.quickwater.system;

import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Every system property and environment variable that Quickwater reads, each read once, here.
///
/// | property | values | default |
/// |---|---|---|
/// | `dev.quickwater.nativeAccess` | `auto`, `off` | `auto`: used when the JVM grants it |
/// | `dev.quickwater.leakLevel` | `disabled`, `simple`, `advanced`, `paranoid` | `simple` |
/// | `dev.quickwater.bufferLimit` | bytes, at least 1 MiB | the JVM's maximum heap size; in a container at most the memory that the heap leaves |
/// | `dev.quickwater.bufferSoftLimit` | bytes, at least 1 MiB | three quarters of the limit |
/// | `dev.quickwater.tls.library` | the path or soname of a libssl | `auto`: `libssl.so.3`, then `libssl.so.1.1` |
///
/// A value outside its range stops class initialisation with an [IllegalArgumentException] that
/// names the property; a misspelled value never selects the default.
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

  /// The maximum number of bytes that all buffers together may hold: native memory and arrays.
  public static final long BUFFER_LIMIT =
      bytes("dev.quickwater.bufferLimit", Settings::defaultLimit);

  /// The number of bytes in buffers above which the process reports memory pressure.
  public static final long BUFFER_SOFT_LIMIT =
      Math.min(
          BUFFER_LIMIT,
          bytes("dev.quickwater.bufferSoftLimit", () -> BUFFER_LIMIT - BUFFER_LIMIT / 4));

  /// The path or soname of the OpenSSL library, or `auto`.
  public static final String TLS_LIBRARY =
      System.getProperty("dev.quickwater.tls.library", "auto").strip();

  /// A file of trusted certificates, which OpenSSL and others read from the same environment
  /// variable, `SSL_CERT_FILE`; null if it is not set.
  public static final @Nullable String CERTIFICATE_FILE = System.getenv("SSL_CERT_FILE");

  /// A lower limit could not hold one page of each size class.
  private static final long MIN_BYTES = 1 << 20;

  private Settings() {}

  private static String read(String name, String fallback) {
    @Nullable String value = System.getProperty(name);
    return value == null ? fallback : value.strip().toLowerCase(Locale.ROOT);
  }

  /// The maximum heap size. In a container, at most the memory that the heap leaves, because the
  /// limit of the container covers heap and buffers together.
  private static long defaultLimit() {
    long heap = Runtime.getRuntime().maxMemory();
    return withinContainer(heap, ContainerMemory.limit());
  }

  /// At least an eighth of the container, because a heap that leaves less is unlikely to be used
  /// completely.
  static long withinContainer(long heap, long container) {
    return Math.min(heap, Math.max(container - heap, Math.max(container / 8, MIN_BYTES)));
  }

  private static long bytes(String name, LongSupplier fallback) {
    @Nullable String value = System.getProperty(name);
    if (value == null) {
      return fallback.getAsLong();
    }
    try {
      long parsed = Long.parseLong(value.strip());
      if (parsed >= MIN_BYTES) {
        return parsed;
      }
    } catch (NumberFormatException _) {
      // reported below with the value as it was given
    }
    throw new IllegalArgumentException(
        name + " is '" + value + "', expected a number of bytes, at least " + MIN_BYTES);
  }
}

package dev.quickwater.http;

/// Writes the body of a response on a virtual thread. The body ends when [#write] returns; if it
/// throws, the exchange is reset.
@FunctionalInterface
public interface BodyWriter {

  /// Writes the body. `out.close()` only flushes.
  void write(BodyOutputStream out) throws Exception;
}

package dev.quickwater.http.engine;

import dev.quickwater.http.BodyWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The body of an [dev.quickwater.http.HttpResponse].
public sealed interface ResponseBody {

  /// Content in memory. The engine only reads the array.
  @SuppressWarnings("ArrayRecordComponent") // never compared; the array is only read
  record Bytes(byte[] bytes) implements ResponseBody {}

  /// The content of a file. If `root` is not null, `file` is relative to it and the engine opens
  /// the file beneath it; links that lead out of the root are refused.
  record OfFile(@Nullable Path root, Path file) implements ResponseBody {}

  /// Content that a blocking writer makes, on a virtual thread.
  record Stream(BodyWriter writer) implements ResponseBody {}
}

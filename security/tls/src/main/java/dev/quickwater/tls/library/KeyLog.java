package dev.quickwater.tls.library;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// Appends secrets to a file in the format `SSLKEYLOGFILE`. Thread-safe. The file is opened for
/// each line, because the log is for debugging.
public final class KeyLog {

  private final Path file;

  private KeyLog(Path file) {
    this.file = file;
  }

  /// The log of a setting; null if there is none.
  ///
  /// @throws IllegalArgumentException if the file cannot be written
  public static @Nullable KeyLog of(@Nullable Path file) {
    if (file == null) {
      return null;
    }
    var log = new KeyLog(file);
    try {
      log.write(new byte[0]);
    } catch (IOException e) {
      throw new IllegalArgumentException("keyLog: " + file + " cannot be written", e);
    }
    return log;
  }

  /// Appends a line.
  public void append(String line) {
    try {
      write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException("keyLog: " + file + " cannot be written", e);
    }
  }

  private synchronized void write(byte[] bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      channel.write(ByteBuffer.wrap(bytes));
    }
  }
}

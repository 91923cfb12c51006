package dev.quickwater.channel.embedded;

import dev.quickwater.buffer.ChannelFileSource;
import dev.quickwater.buffer.FileSource;
import dev.quickwater.channel.LostMessagesException;
import dev.quickwater.channel.spi.IoPoller;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A poller without events: embedded channels get theirs by method calls.
final class EmbeddedPoller implements IoPoller {

  private @Nullable Throwable unhandled;

  @Override
  public void poll(long nanos, Runnable awake) {
    awake.run();
  }

  /// The first failure that no handler took, or null.
  @Nullable Throwable takeUnhandled() {
    @Nullable Throwable taken = unhandled;
    unhandled = null;
    return taken;
  }

  /// Messages that a close has lost are what a test of a close expects.
  @Override
  public void unhandled(Throwable cause) {
    if (unhandled == null && !(cause instanceof LostMessagesException)) {
      unhandled = cause;
    }
  }

  @Override
  public void wakeup() {}

  @Override
  public FileSource openFile(Path path) throws IOException {
    return ChannelFileSource.open(path);
  }

  @Override
  public void close() {}
}

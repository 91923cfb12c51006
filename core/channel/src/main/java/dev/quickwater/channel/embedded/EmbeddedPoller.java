package dev.quickwater.channel.embedded;

import dev.quickwater.buffer.ChannelFileSource;
import dev.quickwater.buffer.FileSource;
import dev.quickwater.channel.LostMessagesException;
import dev.quickwater.channel.spi.IoPoller;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A poller without events: embedded channels get events by method calls.
final class EmbeddedPoller implements IoPoller {

  private @Nullable Throwable unhandled;
  private final List<Object> unclaimed = new ArrayList<>();

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

  /// Ignores messages that a close has lost: a test of closing expects them.
  @Override
  public void unhandled(Throwable cause) {
    if (unhandled == null && !(cause instanceof LostMessagesException)) {
      unhandled = cause;
    }
  }

  @Override
  public boolean unclaimed(Object message) {
    unclaimed.add(message);
    return true;
  }

  /// The messages that no handler took, in order.
  List<Object> takeUnclaimed() {
    List<Object> taken = List.copyOf(unclaimed);
    unclaimed.clear();
    return taken;
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

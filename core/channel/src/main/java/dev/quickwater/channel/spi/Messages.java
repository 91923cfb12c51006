package dev.quickwater.channel.spi;

import dev.quickwater.buffer.FileRegion;
import dev.quickwater.buffer.Payload;
import dev.quickwater.channel.Datagram;
import dev.quickwater.common.Promise;
import org.jspecify.annotations.Nullable;

/// Disposes of messages that are not sent.
public final class Messages {

  private static final System.Logger LOG = System.getLogger(Messages.class.getName());

  private Messages() {}

  /// Releases one message, which the caller owns, and fails its promise or reports an event of the
  /// channel.
  public static void refuse(
      ChannelEvents events, Object message, @Nullable Promise<Void> promise, Throwable cause) {
    discard(message);
    if (promise != null) {
      promise.tryFailure(cause);
    } else {
      events.messageFailed(cause);
    }
  }

  /// Bytes of memory that a message holds. Files count as 0.
  public static long memory(Object message) {
    return switch (message) {
      case FileRegion _ -> 0;
      case Payload payload -> payload.size();
      case AttachedMessage attached -> attached.content().readableBytes();
      case Datagram datagram -> datagram.content().readableBytes();
      default -> 0;
    };
  }

  /// Releases or closes a message. Failures are logged.
  public static void discard(Object message) {
    try {
      switch (message) {
        case Payload payload -> payload.release();
        case AutoCloseable closeable -> closeable.close();
        default -> {
          // other objects hold no resource
        }
      }
    } catch (Exception e) {
      LOG.log(System.Logger.Level.WARNING, "discarding a message failed", e);
    }
  }
}

package dev.quickwater.codec.verify;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of decoding an input.
///
/// @param events the events; content is text with one character per byte
/// @param failure the exception of the decoder, or null
/// @param left bytes that the decoder did not consume; 0 after a failure
public record Outcome(List<Object> events, @Nullable Exception failure, int left) {

  /// True if both have the same events, and no failure or a failure of the same class and message.
  public boolean isLike(Outcome other) {
    return events.equals(other.events) && left == other.left && describe().equals(other.describe());
  }

  private String describe() {
    return failure == null ? "none" : failure.getClass().getName() + ": " + failure.getMessage();
  }

  @Override
  public String toString() {
    return "events " + events + ", failure " + describe() + ", " + left + " bytes left";
  }
}

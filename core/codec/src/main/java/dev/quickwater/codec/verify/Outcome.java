package dev.quickwater.codec.verify;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a decoder made of an input.
///
/// @param events what it found; content as text with one character a byte
/// @param failure what it threw in the end, or null
/// @param left bytes that it did not consume; 0 after a failure, where it says nothing
public record Outcome(List<Object> events, @Nullable Exception failure, int left) {

  /// True when both found the same, and failed with the same class and message or not at all.
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

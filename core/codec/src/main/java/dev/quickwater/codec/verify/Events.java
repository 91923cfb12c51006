package dev.quickwater.codec.verify;

import dev.quickwater.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The output of a decoder, in order.
///
/// Adjacent pieces of content are joined: how a body is cut depends on how the input was cut, and
/// is not part of the outcome.
public final class Events {

  private final List<Object> found = new ArrayList<>();
  private final ByteArrayOutputStream content = new ByteArrayOutputStream();

  Events() {}

  /// Adds a message, a frame, or its description. Events are compared with `equals`.
  public void event(Object event) {
    endContent();
    found.add(event);
  }

  /// Reads the next `length` bytes of `in` and adds them as content.
  public void content(ByteBuf in, int length) {
    content.writeBytes(in.readBytes(length));
  }

  private void endContent() {
    if (content.size() > 0) {
      found.add(content.toString(StandardCharsets.ISO_8859_1));
      content.reset();
    }
  }

  /// All events so far; content is text with one character per byte.
  List<Object> list() {
    endContent();
    return List.copyOf(found);
  }
}

package dev.quickwater.codec.verify;

import dev.quickwater.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// What a decoder found, in order.
///
/// Pieces of content are joined: how a body is cut follows from how the input was cut and is no
/// part of the outcome.
public final class Events {

  private final List<Object> found = new ArrayList<>();
  private final ByteArrayOutputStream content = new ByteArrayOutputStream();

  Events() {}

  /// A message, a frame, or its description; compared with `equals`.
  public void event(Object event) {
    endContent();
    found.add(event);
  }

  /// Some content: the next `length` bytes of `in`, which are read.
  public void content(ByteBuf in, int length) {
    content.writeBytes(in.readBytes(length));
  }

  private void endContent() {
    if (content.size() > 0) {
      found.add(content.toString(StandardCharsets.ISO_8859_1));
      content.reset();
    }
  }

  /// Everything so far; content as text with one character a byte.
  List<Object> list() {
    endContent();
    return List.copyOf(found);
  }
}

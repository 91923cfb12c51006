package dev.quickwater.http2;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.codec.verify.Decoding;
import dev.quickwater.codec.verify.Events;

/// Frames as lines. An error of a stream is a line, too; an error of the connection ends the
/// decoding.
final class FrameLines implements Decoding {

  private Events to;
  private final FrameNotes notes = new FrameNotes(line -> to.event(line));
  private final FrameReader reader;

  /// The calls of the reader.
  int steps;

  FrameLines(int maxBlock, int maxContinuations) {
    reader = new FrameReader(notes, Frames.MIN_MAX_SIZE, maxBlock, maxContinuations);
  }

  @Override
  public void decode(ByteBuf in, Events events) throws Http2Exception {
    to = events;
    boolean more = true;
    while (more) {
      try {
        steps++;
        more = reader.read(in);
      } catch (Http2Exception e) {
        if (e.stream() == 0) {
          throw e;
        }
        notes.flush();
        to.event(e.code() + " " + e.stream());
      }
    }
  }
}

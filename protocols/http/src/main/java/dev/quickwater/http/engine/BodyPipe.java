package dev.quickwater.http.engine;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.IncomingBody;
import dev.quickwater.http.OutgoingBody;

/// Copies a body to another one. The next piece is read only while the other body is writable, so
/// at most one piece waits beyond the high water mark.
public final class BodyPipe implements BodyReader {

  private final IncomingBody in;
  private final OutgoingBody out;

  /// From `in` to `out`.
  public BodyPipe(IncomingBody in, OutgoingBody out) {
    this.in = in;
    this.out = out;
  }

  /// Begins to copy.
  public void start() {
    in.read(this);
  }

  @Override
  public void data(ByteBuf bytes) {
    out.write(bytes);
    if (out.isWritable()) {
      in.read(this);
    } else {
      out.onWritable(this::start);
    }
  }

  @Override
  public void end(HttpHeaders trailers) {
    out.end(trailers);
  }
}

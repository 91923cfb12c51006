package dev.quickwater.http.engine;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.BodyReader;
import dev.quickwater.http.HttpHeaders;
import dev.quickwater.http.IncomingBody;
import dev.quickwater.http.OutgoingBody;
import dev.quickwater.http.ResetCode;
import org.jspecify.annotations.Nullable;

/// Copies a body to another one. The next piece is read only while the other body is writable: at
/// most one piece waits beyond the high water mark.
///
/// ```
/// COPYING --end, failure of the incoming body-----> ENDED
///    '-----the outgoing body accepts nothing more--> DROPPING --end, failure--> ENDED
/// ```
///
/// In DROPPING the incoming body is no longer needed. If it is the response of a client's exchange,
/// the exchange is reset. Any other body is read to its end: a peer that writes before it reads
/// then still receives the response. The limits of the exchange bound this.
public final class BodyPipe implements BodyReader {

  private enum State {
    COPYING,
    DROPPING,
    ENDED
  }

  private final IncomingBody in;
  private final OutgoingBody out;

  /// The exchange to reset if `out` ends before its response does; null to read `in` to its end
  /// instead.
  private final @Nullable ClientSideExchange response;

  private State state = State.COPYING;

  /// A piece was requested and has not arrived.
  private boolean reading;

  /// From `in` to `out`.
  public BodyPipe(IncomingBody in, OutgoingBody out) {
    this(in, out, in instanceof ClientSideExchange exchange ? exchange : null);
  }

  /// From `in`, the decoded body of `response`, to `out`.
  public BodyPipe(IncomingBody in, OutgoingBody out, @Nullable ClientSideExchange response) {
    this.in = in;
    this.out = out;
    this.response = response;
  }

  /// Begins to copy.
  public void start() {
    if (out instanceof AbstractExchange receiver && out != in) {
      receiver.onEnd(_ -> drop());
    }
    read();
  }

  private void read() {
    if (!reading && state != State.ENDED) {
      reading = true;
      in.read(this);
    }
  }

  @Override
  public void data(ByteBuf bytes) {
    reading = false;
    if (state == State.DROPPING) {
      bytes.release();
      read();
      return;
    }
    out.write(bytes);
    if (out.isWritable()) {
      read();
    } else if (out instanceof AbstractExchange receiver && !receiver.acceptsBody()) {
      drop();
    } else {
      out.onWritable(this::read);
    }
  }

  @Override
  public void end(HttpHeaders trailers) {
    boolean copies = state == State.COPYING;
    state = State.ENDED;
    if (copies) {
      out.end(trailers);
    }
  }

  @Override
  public void failed(Exception cause) throws Exception {
    state = State.ENDED;
    throw cause;
  }

  private void drop() {
    if (state != State.COPYING) {
      return;
    }
    if (response != null) {
      state = State.ENDED;
      response.reset(ResetCode.CANCEL);
    } else {
      state = State.DROPPING;
      read();
    }
  }
}

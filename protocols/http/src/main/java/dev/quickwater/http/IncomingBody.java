package dev.quickwater.http;

import dev.quickwater.http.engine.BodyPipe;

/// A received body. The reader pulls it: one [#read] delivers one piece. A request for the next
/// piece returns the credit of the previous one, so the peer cannot send faster than the reader
/// reads.
public interface IncomingBody {

  /// Requests one piece. Exactly one method of `reader` is called, once, later on the loop.
  ///
  /// @throws IllegalStateException if an earlier read is pending, or the body has ended
  void read(BodyReader reader);

  /// Copies the body to another one with back-pressure and trailers. If this body fails, the
  /// exchange of this body fails. If the other body, or its exchange, ends first, the rest of this
  /// body is dropped; if this is the response of a client's exchange, that exchange is reset.
  default void pipeTo(OutgoingBody out) {
    new BodyPipe(this, out).start();
  }
}

package dev.quickwater.http;

import dev.quickwater.http.engine.BodyPipe;

/// A body that is received. It is pulled: one [#read] delivers one piece, and the request for the
/// next piece returns the credit of the previous one, so a reader that does not read holds the peer
/// back.
public interface IncomingBody {

  /// Requests one piece. Exactly one method of `reader` is called, once, later on the loop.
  ///
  /// @throws IllegalStateException if an earlier read is pending, or the body has ended
  void read(BodyReader reader);

  /// Copies the body to another one with back-pressure and trailers. A failure of this body resets
  /// nothing: it fails the exchange that reads. If the other body, or its exchange, ends first, the
  /// rest of this body is dropped; the response of a client's exchange is cancelled instead.
  default void pipeTo(OutgoingBody out) {
    new BodyPipe(this, out).start();
  }
}

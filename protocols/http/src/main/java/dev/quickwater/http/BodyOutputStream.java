package dev.quickwater.http;

import java.io.OutputStream;

/// The stream that a [BodyWriter] writes to: it blocks while the peer does not take the bytes.
public abstract class BodyOutputStream extends OutputStream {

  /// For engines.
  protected BodyOutputStream() {}

  /// Sets the fields to send after the body.
  public abstract void trailers(HttpHeaders trailers);
}

package dev.quickwater.http;

import java.io.OutputStream;

/// The stream that a [BodyWriter] writes to. A write blocks while the peer does not accept the
/// bytes.
public abstract class BodyOutputStream extends OutputStream {

  /// For engines.
  protected BodyOutputStream() {}

  /// Sets the fields to send after the body.
  public abstract void trailers(HttpHeaders trailers);
}

package dev.quickwater.channel;

import java.io.IOException;

/// The failure of a channel whose peer sent more bytes after [Channel#closeGracefully] than the
/// channel discards. It has no stack trace, because a peer can cause it at will.
public final class LingerLimitException extends IOException {

  private static final long serialVersionUID = 1;

  LingerLimitException(long maxBytes) {
    super("the peer sent more than " + maxBytes + " bytes during the graceful close");
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}

package dev.quickwater.proxy;

import java.io.IOException;

/// A header that is missing or malformed, or comes from a sender that is not trusted. There is no
/// stack trace, because a peer can cause the failure often.
public final class ProxyProtocolException extends IOException {

  private static final long serialVersionUID = 1L;

  ProxyProtocolException(String message) {
    super(message);
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}

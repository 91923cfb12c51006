package dev.quickwater.web;

import dev.quickwater.tls.TlsContext;
import dev.quickwater.tls.TlsSettings;
import org.jspecify.annotations.Nullable;

/// The TLS context of a client. The first https request loads it, and reads trusted certificates
/// from files. Any thread that may block.
final class ClientTls {

  private final TlsSettings settings;
  private @Nullable TlsContext context;
  private boolean closed;

  ClientTls(TlsSettings settings) {
    this.settings = settings;
  }

  /// The context.
  ///
  /// @throws IllegalArgumentException if a setting cannot be used; the message names it
  /// @throws UnsupportedOperationException if the settings require a library that is not present
  /// @throws IllegalStateException if the client is closed
  synchronized TlsContext context() {
    if (closed) {
      throw new IllegalStateException("the client is closed");
    }
    if (context == null) {
      context = TlsContext.client(settings);
    }
    return context;
  }

  synchronized void close() {
    closed = true;
    if (context != null) {
      context.close();
      context = null;
    }
  }
}

package dev.quickwater.tls.openssl;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/// An `SSL_CTX`, which makes the connections of one identity. Thread-safe.
///
/// - A connection keeps the `SSL_CTX` by a reference that OpenSSL counts.
/// - [#close] releases the reference of this object after the running calls of [#newSsl].
/// - After [#close], [#newSsl] creates an `SSL_CTX` for one connection: a connection that was
///   accepted before the settings were replaced keeps its settings.
final class NativeContext implements AutoCloseable {

  private final LongSupplier creator;
  private final long context;

  /// One for the owner, and one for each call that runs.
  private final AtomicInteger users = new AtomicInteger(1);

  /// @param creator creates the `SSL_CTX`, which the caller owns
  NativeContext(LongSupplier creator) {
    this.creator = creator;
    this.context = creator.getAsLong();
  }

  /// Creates an `SSL`, which the caller owns.
  ///
  /// @throws OutOfMemoryError if OpenSSL cannot create it
  long newSsl() {
    if (users.getAndUpdate(n -> n == 0 ? 0 : n + 1) == 0) {
      long single = creator.getAsLong();
      try {
        return newSsl(single);
      } finally {
        LibSsl.SSL_CTX_free.call(single);
      }
    }
    try {
      return newSsl(context);
    } finally {
      release();
    }
  }

  private static long newSsl(long context) {
    long ssl = LibSsl.SSL_new.call(context);
    if (ssl == 0) {
      throw new OutOfMemoryError("SSL_new: " + Alerts.takeErrors());
    }
    return ssl;
  }

  private void release() {
    if (users.decrementAndGet() == 0) {
      LibSsl.SSL_CTX_free.call(context);
    }
  }

  /// The owner closes once.
  @Override
  public void close() {
    release();
  }
}

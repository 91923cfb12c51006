package dev.quickwater.tls.openssl;

import dev.quickwater.system.Memory;
import dev.quickwater.tls.TlsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// The state of one thread while it calls OpenSSL: the connection of the call, the failure of a
/// callback, and memory for copies.
///
/// An exception must not leave a callback, because the JVM would terminate. A callback stores it
/// here, and [#rethrow] throws it after the call.
final class CallFrame {

  /// The longest record with its header (RFC 5246 section 6.2.3).
  static final int MAX_RECORD = 5 + (1 << 14) + 2048;

  private static final int SMALL = 256;

  private static final ThreadLocal<CallFrame> FRAMES = ThreadLocal.withInitial(CallFrame::new);

  private final MemorySegment small = Arena.ofAuto().allocate(SMALL, Long.BYTES);
  private @Nullable MemorySegment records;
  private @Nullable OpenSslConnection connection;
  private @Nullable Throwable failure;

  private CallFrame() {}

  /// The frame of this thread.
  static CallFrame current() {
    return FRAMES.get();
  }

  /// Begins calls for a connection.
  ///
  /// @return the connection whose callback is running, for [#leave]
  @Nullable OpenSslConnection enter(OpenSslConnection next) {
    OpenSslConnection outer = connection;
    connection = next;
    return outer;
  }

  /// Ends the calls for a connection.
  void leave(@Nullable OpenSslConnection outer) {
    connection = outer;
  }

  /// The connection to which a callback belongs.
  OpenSslConnection connection() {
    if (connection == null) {
      throw new IllegalStateException("OpenSSL calls back outside of a connection");
    }
    return connection;
  }

  /// Stores the failure of a callback.
  void fail(Throwable thrown) {
    if (failure == null) {
      failure = thrown;
    }
  }

  /// Throws the failure of a callback, if there is one.
  void rethrow() throws TlsException {
    if (failure != null) {
      throwFailure();
    }
  }

  private void throwFailure() throws TlsException {
    Throwable thrown = failure;
    failure = null;
    LibSsl.ERR_clear_error.call();
    switch (thrown) {
      case TlsException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case null, default -> throw new IllegalStateException("a callback failed", thrown);
    }
  }

  /// The address of 256 bytes for results and short arguments.
  long small() {
    return small.address();
  }

  /// The address of [#MAX_RECORD] bytes for records that are in arrays.
  long records() {
    if (records == null) {
      records = Arena.ofAuto().allocate(MAX_RECORD, Long.BYTES);
    }
    return records.address();
  }

  /// The pointer or long at an address.
  static long getLong(long address) {
    return Memory.segment(address, Long.BYTES).get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
  }

  /// The int at an address.
  static int getInt(long address) {
    return Memory.segment(address, Integer.BYTES).get(ValueLayout.JAVA_INT_UNALIGNED, 0);
  }

  /// Stores a pointer or long.
  static void putLong(long address, long value) {
    Memory.segment(address, Long.BYTES).set(ValueLayout.JAVA_LONG_UNALIGNED, 0, value);
  }
}

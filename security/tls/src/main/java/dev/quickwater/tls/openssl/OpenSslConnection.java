package dev.quickwater.tls.openssl;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.UnsafeViews;
import dev.quickwater.system.Memory;
import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.TlsIdentity;
import dev.quickwater.tls.TlsSession;
import dev.quickwater.tls.library.LibraryConnection;
import dev.quickwater.tls.library.RecordOutput;
import org.jspecify.annotations.Nullable;

/// A connection of OpenSSL.
///
/// - **Input:** a read-only memory BIO is pointed at one record at a time, where the record is. The
///   record is complete, so one SSL_read returns its data or reports that it has none.
/// - **Output:** a BIO whose write function copies into the [RecordOutput] of the current call.
/// - **Memory between calls:** OpenSSL keeps no buffers (SSL_MODE_RELEASE_BUFFERS).
/// - Bytes in arrays are copied through memory of the thread, because OpenSSL needs an address.
public final class OpenSslConnection implements LibraryConnection {

  private static final int HEADER = 5;
  private static final int MAX_PLAINTEXT = 1 << 14;

  /// The maximum that one record adds to its plaintext with the suites that are secure: header,
  /// explicit nonce, content type and tag. If a suite adds more, the output grows.
  private static final int MAX_OVERHEAD = 32;

  private final Handshake handshake;
  private final long ssl;

  /// The BUF_MEM of the input.
  private final long input;

  /// Where records go while a call runs.
  private @Nullable RecordOutput output;

  private boolean open;
  private boolean inputEnded;
  private boolean outputEnded;
  private boolean failed;
  private boolean closed;

  private OpenSslConnection(Handshake handshake, long ssl, long input) {
    this.handshake = handshake;
    this.ssl = ssl;
    this.input = input;
  }

  /// The side of a server. Takes ownership of `ssl`, also if it throws.
  static OpenSslConnection server(
      OpenSslContext context, long ssl, @Nullable TlsIdentity identity) {
    boolean complete = false;
    try {
      long input = attach(context, ssl);
      LibSsl.SSL_set_accept_state.call(ssl);
      var result = new OpenSslConnection(Handshake.server(context, ssl, identity), ssl, input);
      complete = true;
      return result;
    } finally {
      if (!complete) {
        LibSsl.SSL_free.call(ssl);
      }
    }
  }

  /// The side of a client. Takes ownership of `ssl`, also if it throws.
  static OpenSslConnection client(OpenSslContext context, long ssl, String host, int port) {
    boolean complete = false;
    try {
      long input = attach(context, ssl);
      LibSsl.SSL_set_connect_state.call(ssl);
      var result = new OpenSslConnection(Handshake.client(context, ssl, host, port), ssl, input);
      complete = true;
      return result;
    } finally {
      if (!complete) {
        LibSsl.SSL_free.call(ssl);
      }
    }
  }

  /// Creates the BIOs of a connection, which then belong to `ssl`.
  private static long attach(OpenSslContext context, long ssl) {
    long method = context.library().outputMethodAddress();
    long in = LibSsl.BIO_new_mem_buf.call(method, 0);
    long out = in == 0 ? 0 : LibSsl.BIO_new.call(method);
    if (out == 0) {
      LibSsl.BIO_free.call(in);
      throw new OutOfMemoryError("BIO_new: " + Alerts.takeErrors());
    }
    LibSsl.BIO_set_init.call(out, 1);
    LibSsl.SSL_set_bio.call(ssl, in, out);
    return InputBio.bufMem(in);
  }

  Handshake handshake() {
    return handshake;
  }

  /// Appends a record to the output of the current call.
  void append(long address, int length) {
    RecordOutput target = output;
    if (target == null) {
      throw new IllegalStateException("OpenSSL writes outside of a call");
    }
    ByteBuf buffer = target.room(length);
    int at = buffer.writerIndex();
    if (UnsafeViews.isNative(buffer)) {
      Memory.copy(address, UnsafeViews.address(buffer, at), length);
    } else {
      byte[] array = UnsafeViews.array(buffer);
      Memory.copy(address, array, UnsafeViews.arrayOffset(buffer) + at, length);
    }
    buffer.writerIndex(at + length);
  }

  @Override
  public void start(RecordOutput out) throws TlsException {
    CallFrame frame = CallFrame.current();
    @Nullable OpenSslConnection outer = frame.enter(this);
    output = out;
    try {
      shakeHands(frame);
    } finally {
      output = null;
      frame.leave(outer);
    }
  }

  @Override
  public int receive(ByteBuf records, int end, ByteBuf plaintext, RecordOutput out)
      throws TlsException {
    CallFrame frame = CallFrame.current();
    @Nullable OpenSslConnection outer = frame.enter(this);
    output = out;
    try {
      int empty = 0;
      int at = records.readerIndex();
      while (at < end && !inputEnded) {
        int length = HEADER + records.getUnsignedShort(at + 3);
        InputBio.point(input, address(frame, records, at, length), length);
        boolean data = (open || shakeHands(frame)) && read(frame, plaintext, length);
        empty = data ? 0 : empty + 1;
        at += length;
      }
      records.readerIndex(end);
      return empty;
    } finally {
      InputBio.clear(input);
      output = null;
      frame.leave(outer);
    }
  }

  /// The address of bytes, which are copied if they are in an array.
  private static long address(CallFrame frame, ByteBuf bytes, int at, int length) {
    if (UnsafeViews.isNative(bytes)) {
      return UnsafeViews.address(bytes, at);
    }
    long copy = frame.records();
    Memory.copy(UnsafeViews.array(bytes), UnsafeViews.arrayOffset(bytes) + at, copy, length);
    return copy;
  }

  /// Continues the handshake.
  ///
  /// @return true if it is complete
  private boolean shakeHands(CallFrame frame) throws TlsException {
    int result = (int) LibSsl.SSL_do_handshake.call(ssl);
    check(frame);
    if (result == 1) {
      handshake.requireVerified();
      handshake.keepRenewedSession();
      open = true;
      return true;
    }
    requireMoreInput(result);
    return false;
  }

  /// Reads the data of one record.
  ///
  /// @return false if it has none
  private boolean read(CallFrame frame, ByteBuf plaintext, int max) throws TlsException {
    int at = plaintext.ensureWritable(max).writerIndex();
    int result;
    if (UnsafeViews.isNative(plaintext)) {
      result = (int) LibSsl.SSL_read.call(ssl, UnsafeViews.address(plaintext, at), max);
    } else {
      result =
          readToArray(
              frame, UnsafeViews.array(plaintext), UnsafeViews.arrayOffset(plaintext) + at, max);
    }
    check(frame);
    if (result > 0) {
      plaintext.writerIndex(at + result);
      return true;
    }
    requireMoreInput(result);
    return false;
  }

  private int readToArray(CallFrame frame, byte[] array, int offset, int max) {
    // The record was copied to the same memory at most, and OpenSSL copies it again before it
    // decrypts.
    long copy = frame.records();
    int result = (int) LibSsl.SSL_read.call(ssl, copy, Math.min(max, CallFrame.MAX_RECORD));
    if (result > 0) {
      Memory.copy(copy, array, offset, result);
    }
    return result;
  }

  /// Throws unless a call ended because there is no more input.
  private void requireMoreInput(int result) throws TlsException {
    int error = (int) LibSsl.SSL_get_error.call(ssl, result);
    switch (error) {
      case LibSsl.ERROR_WANT_READ -> {}
      case LibSsl.ERROR_ZERO_RETURN -> inputEnded = true;
      default -> {
        // After close_notify was sent, OpenSSL ignores handshake messages with this result.
        boolean ignored = error == LibSsl.ERROR_SYSCALL && outputEnded && open;
        if (!ignored) {
          failed = true;
          throw handshake.failure(open);
        }
      }
    }
  }

  private void check(CallFrame frame) throws TlsException {
    try {
      frame.rethrow();
    } catch (Throwable t) {
      failed = true;
      throw t;
    }
  }

  @Override
  public void send(ByteBuf plaintext, RecordOutput out) throws TlsException {
    int length = plaintext.readableBytes();
    if (length == 0) {
      return;
    }
    CallFrame frame = CallFrame.current();
    @Nullable OpenSslConnection outer = frame.enter(this);
    output = out;
    try {
      int records = (length + MAX_PLAINTEXT - 1) / MAX_PLAINTEXT;
      out.room(length + records * MAX_OVERHEAD);
      int at = plaintext.readerIndex();
      int end = at + length;
      int step = UnsafeViews.isNative(plaintext) ? length : MAX_PLAINTEXT;
      while (at < end) {
        int part = Math.min(step, end - at);
        write(frame, address(frame, plaintext, at, part), part);
        at += part;
      }
      plaintext.readerIndex(end);
    } finally {
      output = null;
      frame.leave(outer);
    }
  }

  private void write(CallFrame frame, long address, int length) throws TlsException {
    int result = (int) LibSsl.SSL_write.call(ssl, address, length);
    check(frame);
    if (result != length) {
      failed = true;
      throw handshake.failure(open);
    }
  }

  @Override
  public void endOutput(RecordOutput out) throws TlsException {
    CallFrame frame = CallFrame.current();
    @Nullable OpenSslConnection outer = frame.enter(this);
    output = out;
    outputEnded = true;
    try {
      int result = (int) LibSsl.SSL_shutdown.call(ssl);
      check(frame);
      if (result < 0) {
        failed = true;
        throw handshake.failure(open);
      }
    } finally {
      output = null;
      frame.leave(outer);
    }
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public boolean isInputEnded() {
    return inputEnded;
  }

  @Override
  public TlsSession session() {
    try {
      return handshake.session();
    } catch (TlsException e) {
      throw new IllegalStateException("the certificates of a verified peer cannot be read", e);
    }
  }

  /// Without the mark of a complete shutdown, OpenSSL would make the session unusable.
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (open && !failed) {
      LibSsl.SSL_set_shutdown.call(ssl, LibSsl.SENT_AND_RECEIVED_SHUTDOWN);
    }
    LibSsl.SSL_free.call(ssl);
  }
}

package dev.quickwater.tls.library;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsException;
import org.jspecify.annotations.Nullable;

/// Finds whole records in the bytes that were received, and checks their headers (RFC 8446 section
/// 5.1).
///
/// Whole records are not copied unless earlier bytes still wait; then both are joined. An
/// incomplete record is copied to a buffer that grows with the bytes received, so a header that
/// announces a long record costs no memory.
public final class RecordInput {

  /// The header of a record: type, version, length.
  private static final int HEADER = 5;

  /// The maximum length of an encrypted record in TLS 1.2 (RFC 5246 section 6.2.3); that of TLS 1.3
  /// is lower, which the library checks.
  private static final int MAX_LENGTH = (1 << 14) + 2048;

  private static final int CHANGE_CIPHER_SPEC = 20;
  private static final int ALERT = 21;
  private static final int HANDSHAKE = 22;
  private static final int APPLICATION_DATA = 23;

  private final ByteBufAllocator allocator;

  /// The first record, while it is incomplete or not yet consumed.
  private @Nullable ByteBuf begun;

  /// The bytes behind [#begun].
  private @Nullable ByteBuf received;

  private int end;
  private boolean first = true;

  /// Takes its buffers from an allocator.
  public RecordInput(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /// Adds bytes and takes ownership of them.
  public void add(ByteBuf bytes) {
    @Nullable ByteBuf before = received;
    if (before == null) {
      received = bytes;
      return;
    }
    received = null; // both buffers are released, also if there is no memory
    try {
      received =
          allocator
              .allocate(before.readableBytes() + bytes.readableBytes())
              .writeBytes(before)
              .writeBytes(bytes);
    } finally {
      before.release();
      bytes.release();
    }
  }

  /// A buffer that begins with at least one whole record, up to [#end]; null if more bytes are
  /// needed. The buffer belongs to this object. The caller advances its reader index to the end
  /// before the next call.
  ///
  /// @param maxBytes no further record begins behind this number of bytes
  /// @throws TlsException if a header is invalid
  public @Nullable ByteBuf next(int maxBytes) throws TlsException {
    releaseConsumed();
    @Nullable ByteBuf more = received;
    @Nullable ByteBuf start = begun;
    if (start != null) {
      return more != null && complete(start, more) ? start : null;
    }
    if (more == null) {
      return null;
    }
    int from = more.readerIndex();
    int to = from;
    while (to - from < maxBytes && more.writerIndex() - to >= HEADER) {
      int after = to + HEADER + length(more, to);
      if (after > more.writerIndex()) {
        break;
      }
      to = after;
    }
    if (to > from) {
      end = to;
      return more;
    }
    begun = allocator.allocate(more.readableBytes()).writeBytes(more);
    releaseConsumed();
    return null;
  }

  /// The index behind the last whole record of the buffer that [#next] returned.
  public int end() {
    return end;
  }

  private void releaseConsumed() {
    if (received != null && !received.isReadable()) {
      received.release();
      received = null;
    }
    if (begun != null && !begun.isReadable()) {
      begun.release();
      begun = null;
    }
  }

  private boolean complete(ByteBuf start, ByteBuf more) throws TlsException {
    if (!fill(start, more, HEADER)) {
      return false;
    }
    boolean whole = fill(start, more, HEADER + length(start, start.readerIndex()));
    end = start.writerIndex();
    return whole;
  }

  private boolean fill(ByteBuf start, ByteBuf more, int target) {
    int missing = target - start.readableBytes();
    if (missing > 0) {
      int part = Math.min(missing, more.readableBytes());
      start.ensureWritable(part);
      start.writeBytes(more, more.readerIndex(), part);
      more.skip(part);
      if (part < missing) {
        releaseConsumed();
        return false;
      }
    }
    return true;
  }

  private int length(ByteBuf bytes, int at) throws TlsException {
    int type = bytes.getUnsignedByte(at);
    int version = bytes.getUnsignedShort(at + 1);
    // A server may answer the ClientHello with an alert.
    if (first && type != HANDSHAKE && type != ALERT) {
      throw TlsException.local(TlsAlert.UNEXPECTED_MESSAGE, notTls(bytes, at));
    }
    if (type < CHANGE_CIPHER_SPEC || type > APPLICATION_DATA) {
      throw TlsException.local(
          TlsAlert.UNEXPECTED_MESSAGE, "the peer sent a record of the unknown type " + type);
    }
    if (version >> 8 != 3) {
      throw TlsException.local(
          TlsAlert.PROTOCOL_VERSION,
          "the peer sent a record with version 0x" + Integer.toHexString(version));
    }
    int length = bytes.getUnsignedShort(at + 3);
    if (length > MAX_LENGTH) {
      throw TlsException.local(
          TlsAlert.RECORD_OVERFLOW,
          "the peer sent a record of " + length + " bytes, the maximum is " + MAX_LENGTH);
    }
    first = false;
    return length;
  }

  private static String notTls(ByteBuf bytes, int at) {
    int type = bytes.getUnsignedByte(at);
    if (type >= 'A' && type <= 'Z') {
      return "the peer sent plaintext instead of TLS, for example an http request to an https port";
    }
    if ((type & 0x80) != 0 && bytes.getUnsignedByte(at + 2) == 1) {
      return "the peer sent an SSL 2.0 hello";
    }
    return "the first record of the peer has type " + type + ", not a handshake";
  }

  /// Releases the bytes that were not consumed.
  public void release() {
    if (received != null) {
      received.release();
      received = null;
    }
    if (begun != null) {
      begun.release();
      begun = null;
    }
  }
}

package dev.quickwater.tls.library;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads a ClientHello from the first records of a connection, for every split into records. Takes
/// linear time and at most twice the received bytes of memory.
///
/// The reader is strict, because a library parses the same bytes again: a message that two parsers
/// could read differently is refused. After an exception, the reader must not be used.
public final class ClientHelloReader {

  /// The header of a record: type, version, length.
  private static final int RECORD_HEADER = 5;

  /// The header of a handshake message: type, length of three bytes.
  private static final int MESSAGE_HEADER = 4;

  /// The maximum length of a record without encryption (RFC 8446 section 5.1).
  private static final int MAX_FRAGMENT = 1 << 14;

  private static final int HANDSHAKE = 22;
  private static final int CLIENT_HELLO = 1;

  private final int maxBytes;
  private byte[] message = new byte[MESSAGE_HEADER];
  private int length;

  /// The length of the message with its header, once the header is complete.
  private int target = MESSAGE_HEADER;

  private boolean headerComplete;

  /// A reader of messages up to a length, see [dev.quickwater.tls.TlsLimits#maxClientHello].
  public ClientHelloReader(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /// Reads whole records without moving the reader index of `records`. Ignores records behind the
  /// message.
  ///
  /// @param from index of the first record
  /// @param end index behind the last record
  /// @return the message, or null if more records are needed
  /// @throws TlsException if the message is malformed or too long
  public @Nullable ClientHello read(ByteBuf records, int from, int end) throws TlsException {
    int at = from;
    while (at < end) {
      int fragment = checkHeader(records, at);
      at += RECORD_HEADER;
      if (add(records, at, at + fragment)) {
        return new ClientHelloParser(message, target).parse();
      }
      at += fragment;
    }
    return null;
  }

  private static int checkHeader(ByteBuf records, int at) throws TlsException {
    int type = records.getUnsignedByte(at);
    int fragment = records.getUnsignedShort(at + 3);
    if (type != HANDSHAKE) {
      throw TlsException.local(
          TlsAlert.UNEXPECTED_MESSAGE,
          "the peer sent a record of type " + type + " within its ClientHello");
    }
    if (fragment == 0) {
      throw TlsException.local(
          TlsAlert.UNEXPECTED_MESSAGE, "the peer sent an empty record within its ClientHello");
    }
    if (fragment > MAX_FRAGMENT) {
      throw TlsException.local(
          TlsAlert.RECORD_OVERFLOW,
          "the peer sent a record of "
              + fragment
              + " bytes without encryption, the maximum is "
              + MAX_FRAGMENT);
    }
    return fragment;
  }

  /// Adds a part of the message.
  ///
  /// @return true if the message is complete
  private boolean add(ByteBuf records, int from, int end) throws TlsException {
    int at = from;
    if (!headerComplete) {
      at += append(records, at, end);
      if (length < MESSAGE_HEADER) {
        return false;
      }
      readHeader();
    }
    at += append(records, at, end);
    if (at < end) {
      throw TlsException.local(
          TlsAlert.UNEXPECTED_MESSAGE,
          "the peer sent " + (end - at) + " bytes behind its ClientHello in the same record");
    }
    return length == target;
  }

  private void readHeader() throws TlsException {
    int type = message[0] & 0xff;
    if (type != CLIENT_HELLO) {
      throw TlsException.local(
          TlsAlert.UNEXPECTED_MESSAGE,
          "the first message of the peer has type " + type + ", not ClientHello");
    }
    target += (message[1] & 0xff) << 16 | (message[2] & 0xff) << 8 | message[3] & 0xff;
    if (target > maxBytes) {
      throw TlsException.local(
          TlsAlert.ILLEGAL_PARAMETER,
          "the peer announced a ClientHello of "
              + target
              + " bytes, maxClientHello is "
              + maxBytes);
    }
    headerComplete = true;
  }

  /// Copies bytes up to the target and returns their number. The array grows with the bytes
  /// received, not with the length that the peer announced.
  private int append(ByteBuf records, int from, int end) {
    int part = Math.min(end - from, target - length);
    if (length + part > message.length) {
      message = Arrays.copyOf(message, Math.min(target, Math.max(length + part, 2 * length)));
    }
    records.copyToArray(from, message, length, part);
    length += part;
    return part;
  }
}

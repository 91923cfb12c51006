package dev.quickwater.http1;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.http.Authority;
import dev.quickwater.http.HttpVersion;
import dev.quickwater.http.RequestHead;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The previous head of a connection: a client usually repeats its fields, and often the whole
/// head.
///
/// Bytes that equal bytes of the previous head are not checked again. All bytes are compared: with
/// a hash, a peer could construct two heads of equal hash. The version is compared too, because the
/// meaning of the fields depends on it.
final class KeptHead {

  /// Larger heads are not kept, because they occupy memory while the connection is busy.
  static final int MAX_FIELDS = 1024;

  /// Longer request lines are not compared.
  static final int MAX_LINE = 256;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /// The request line with its line end; `lineLength` is 0 if it was too long.
  private byte[] line = new byte[48];

  private int lineLength;

  /// The fields and the empty line, in the array that the headers of `head` read.
  private byte[] block = line;

  private int fieldsStart;
  private int fieldsLength;
  private int hostStart;
  private int hostEnd;

  /// The number of lines of the head, which count towards the limit of fields.
  private int lines;

  private @Nullable RequestHead head;
  private HttpVersion version = HttpVersion.HTTP_1_1;
  private boolean persistent;
  private boolean expectsContinue;

  RequestHead head() {
    return Objects.requireNonNull(head);
  }

  HttpVersion version() {
    return version;
  }

  boolean isPersistent() {
    return persistent;
  }

  boolean expectsContinue() {
    return expectsContinue;
  }

  int fieldsLength() {
    return fieldsLength;
  }

  /// The size of the head, as the limit counts it, with a request line of `lineBytes` bytes.
  int cost(int lineBytes, int fieldCost) {
    return lineBytes + fieldsLength + fieldCost * lines;
  }

  /// True if the target was in origin form: the authority then comes from the fields.
  boolean isOrigin() {
    return head != null && !head.target().isAbsolute() && !head.target().isAuthority();
  }

  /// Keeps a head that was read from `bytes`.
  void keep(byte[] bytes, LineScanner scanner, HeadParser parser, RequestHead parsed) {
    int lineEnd = scanner.lineEnd(0) + 2;
    keepLine(bytes, lineEnd);
    block = bytes;
    fieldsStart = lineEnd;
    fieldsLength = bytes.length - lineEnd;
    FieldParser fields = parser.fields();
    hostStart = fields.hostStart;
    hostEnd = fields.hostEnd;
    lines = scanner.lines();
    head = parsed;
    version = parser.version();
    persistent = fields.isPersistent();
    expectsContinue = fields.expectContinue;
  }

  /// Keeps another request line with the same fields.
  void keep(byte[] bytes, int length, RequestHead parsed) {
    keepLine(bytes, length);
    head = parsed;
  }

  private void keepLine(byte[] bytes, int length) {
    if (length > MAX_LINE) {
      lineLength = 0;
      return;
    }
    if (line.length < length) {
      line = new byte[MAX_LINE];
    }
    System.arraycopy(bytes, 0, line, 0, length);
    lineLength = length;
  }

  /// The authority, if its text is that of the previous Host field.
  @Nullable Authority authority(byte[] bytes, int start, int end) {
    boolean same =
        hostStart >= 0 && isOrigin() && Arrays.equals(bytes, start, end, block, hostStart, hostEnd);
    return same ? head().authority() : null;
  }

  /// The length of the head if all its bytes are at the reader index of `in`, otherwise -1.
  ///
  /// @param scratch at least [#MAX_LINE] and [#MAX_FIELDS] bytes
  int matchHead(ByteBuf in, byte[] scratch) {
    int at = in.readerIndex();
    int length = lineLength + fieldsLength;
    return lineLength > 0
            && in.readableBytes() >= length
            && equal(in, at, line, 0, lineLength, scratch)
            && equal(in, at + lineLength, block, fieldsStart, fieldsLength, scratch)
        ? length
        : -1;
  }

  /// True if the fields are at `offset` from the reader index of `in`.
  boolean matchFields(ByteBuf in, int offset, byte[] scratch) {
    return in.readableBytes() - offset >= fieldsLength
        && equal(in, in.readerIndex() + offset, block, fieldsStart, fieldsLength, scratch);
  }

  /// Copies the bytes and compares arrays, because both operations are vectorised. A comparison of
  /// native with heap memory in steps of eight bytes takes five times as long.
  ///
  /// @param scratch at least `length` bytes
  static boolean equal(ByteBuf in, int at, byte[] bytes, int start, int length, byte[] scratch) {
    if (length >= 8 && in.getLong(at, ByteOrder.nativeOrder()) != (long) LONG.get(bytes, start)) {
      return false;
    }
    in.copyToArray(at, scratch, 0, length);
    return Arrays.equals(scratch, 0, length, bytes, start, start + length);
  }
}

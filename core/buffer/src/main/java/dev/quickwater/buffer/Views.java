package dev.quickwater.buffer;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Passes the memory of a buffer to code that needs a `ByteBuffer` or a segment, such as channels,
/// checksums and ciphers.
///
/// - A view is valid only during the call. It must not be kept, and the buffer must not be released
///   or grow during the call.
/// - A view for reading is read-only, because other handles may see the same bytes.
/// - A view reaches no bytes outside its range: an array that contains other buffers is never
///   exposed.
public final class Views {

  private Views() {}

  /// Code that uses a view.
  ///
  /// @param <V> the view
  /// @param <R> the result
  /// @param <X> the exception
  @FunctionalInterface
  public interface Use<V, R, X extends Exception> {

    /// Called once, on the caller's thread.
    R use(V view) throws X;
  }

  /// Passes the readable bytes to `use`. The bytes before the final position of the view count as
  /// read. If `use` throws, none do.
  ///
  /// ```
  /// int sent = Views.read(buffer, socket::write);
  /// ```
  public static <R, X extends Exception> R read(ByteBuf buffer, Use<ByteBuffer, R, X> use)
      throws X {
    ByteBuffer view =
        UnsafeViews.byteBuffer(buffer, buffer.readerIndex(), buffer.readableBytes())
            .asReadOnlyBuffer();
    R result = use.use(view);
    buffer.skip(view.position());
    return result;
  }

  /// Passes room for `length` bytes behind the writer index, growing if necessary. The bytes that
  /// `use` fills, up to the position of the view, count as written; none do when `use` throws.
  ///
  /// ```
  /// int received = Views.write(buffer, 4096, socket::read);
  /// ```
  ///
  /// For a buffer in an array the room is a new array, from which the filled bytes are copied: a
  /// writable view of a part of an array would expose the whole array.
  ///
  /// @throws IndexOutOfBoundsException if the room is more than the buffer can grow to
  /// @throws IllegalArgumentException if `length` is negative
  public static <R, X extends Exception> R write(
      ByteBuf buffer, int length, Use<ByteBuffer, R, X> use) throws X {
    buffer.ensureWritable(length);
    if (!UnsafeViews.isNative(buffer)) {
      byte[] room = new byte[length];
      ByteBuffer view = ByteBuffer.wrap(room);
      R result = use.use(view);
      buffer.writeBytes(room, 0, view.position());
      return result;
    }
    int index = buffer.writerIndex();
    ByteBuffer view = UnsafeViews.byteBuffer(buffer, index, length);
    R result = use.use(view);
    buffer.writerIndex(index + view.position());
    return result;
  }

  /// Passes the readable bytes as a read-only segment; the indices stay.
  public static <R, X extends Exception> R segment(ByteBuf buffer, Use<MemorySegment, R, X> use)
      throws X {
    return use.use(
        UnsafeViews.segment(buffer, buffer.readerIndex(), buffer.readableBytes()).asReadOnly());
  }
}

package dev.quickwater.buffer;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Lends the memory of a buffer to code that wants a `ByteBuffer` or a segment, such as channels,
/// checksums and ciphers.
///
/// What is lent is for the duration of the call: it must not be kept, and the buffer must neither
/// be released nor grow meanwhile.
public final class Views {

  private Views() {}

  /// What is done with a view that is lent.
  ///
  /// @param <V> the view
  /// @param <R> the result
  /// @param <X> what may be thrown
  @FunctionalInterface
  public interface Use<V, R, X extends Exception> {

    /// Called once, on the caller's thread.
    R use(V view) throws X;
  }

  /// Lends the readable bytes; as many as `use` consumes, by the position of the view, count as
  /// read. Nothing does when it throws.
  ///
  /// ```
  /// int sent = Views.read(buffer, socket::write);
  /// ```
  public static <R, X extends Exception> R read(ByteBuf buffer, Use<ByteBuffer, R, X> use)
      throws X {
    ByteBuffer view = buffer.view(buffer.readerIndex(), buffer.readableBytes());
    R result = use.use(view);
    buffer.skip(view.position());
    return result;
  }

  /// Lends room for `length` bytes behind the writer index, growing if need be; as many as `use`
  /// fills, by the position of the view, count as written. Nothing does when it throws.
  ///
  /// ```
  /// int received = Views.write(buffer, 4096, socket::read);
  /// ```
  ///
  /// @throws IndexOutOfBoundsException if the room is more than the buffer can grow to
  /// @throws IllegalArgumentException if `length` is negative
  public static <R, X extends Exception> R write(
      ByteBuf buffer, int length, Use<ByteBuffer, R, X> use) throws X {
    buffer.ensureWritable(length);
    int index = buffer.writerIndex();
    ByteBuffer view = buffer.view(index, length);
    R result = use.use(view);
    buffer.writerIndex(index + view.position());
    return result;
  }

  /// Lends the readable bytes as a segment; the indices stay.
  public static <R, X extends Exception> R segment(ByteBuf buffer, Use<MemorySegment, R, X> use)
      throws X {
    return use.use(UnsafeViews.segment(buffer, buffer.readerIndex(), buffer.readableBytes()));
  }
}

package dev.quickwater.examples;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.search.LineIterator;
import dev.quickwater.channel.ChannelHandler;
import dev.quickwater.channel.HandlerContext;
import org.jspecify.annotations.Nullable;

/// Divides received bytes into lines of UTF-8 text and passes each on as a [String], without its
/// line feed.
///
/// - A line may arrive in any number of pieces. Each byte is examined once, so the work grows with
///   the bytes and not with the pieces.
/// - A line of more than the maximum length is a [LineTooLongException], which closes the channel
///   unless a handler takes it: a peer cannot fill the memory. Later input is dropped.
/// - The pipeline releases what an incomplete line holds when it removes the handler.
public final class LineDecoder implements ChannelHandler {

  private final int maxLength;

  /// The start of a line whose end has not arrived.
  private @Nullable ByteBuf partial;

  private boolean failed;

  /// For one channel, with lines of at most `maxLength` bytes without the line feed.
  public LineDecoder(int maxLength) {
    this.maxLength = maxLength;
  }

  // @start region=read
  @Override
  public void channelRead(HandlerContext context, Object message) throws LineTooLongException {
    ByteBuf bytes = (ByteBuf) message;
    if (failed) {
      bytes.release();
      return;
    }
    LineIterator lines = new LineIterator(bytes, bytes.readerIndex(), bytes.writerIndex());
    try {
      for (int end = lines.next(); end >= 0; end = lines.next()) {
        append(context, bytes, end - bytes.readerIndex());
        bytes.skip(1);
        context.fireChannelRead(takeLine());
      }
      append(context, bytes, bytes.readableBytes());
    } catch (LineTooLongException e) {
      failed = true;
      throw e;
    } finally {
      bytes.release();
    }
  }

  // @end

  private void append(HandlerContext context, ByteBuf bytes, int length)
      throws LineTooLongException {
    int before = partial == null ? 0 : partial.readableBytes();
    if (length > maxLength - before) {
      throw new LineTooLongException(maxLength);
    }
    if (length == 0) {
      return;
    }
    if (partial == null) {
      partial = context.allocator().allocate(length, maxLength);
    }
    partial.writeBytes(bytes, length);
  }

  private String takeLine() {
    if (partial == null) {
      return "";
    }
    String line = partial.readUtf8(partial.readableBytes());
    partial.release();
    partial = null;
    return line;
  }

  // @start region=removed
  @Override
  public void handlerRemoved(HandlerContext context) {
    if (partial != null) {
      partial.release();
      partial = null;
    }
  }

  // @end

  /// A line has more bytes than the decoder allows.
  public static final class LineTooLongException extends Exception {

    private static final long serialVersionUID = 1;

    LineTooLongException(int maxLength) {
      super("a line has more than " + maxLength + " bytes");
    }
  }
}

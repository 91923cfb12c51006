package dev.quickwater.codec.verify;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import java.util.Arrays;
import java.util.List;

/// The memory of an input while it is decoded.
enum Window {
  /// A slice of an array that ends with the input: reading past the end throws.
  ARRAY_SLICE,
  /// The same in memory of the shared allocator, which is native if native access is granted.
  NATIVE_SLICE,
  /// A part of a larger buffer, with other bytes before the reader index and behind the writer
  /// index.
  AMONG_JUNK;

  private static final int MARGIN = 16;

  /// A byte that ends nothing in any protocol.
  private static final byte JUNK = (byte) 0xa5;

  Feed feed(byte[] input) {
    return new Feed(this, input);
  }

  private static ByteBuf surrounded(byte[] input, boolean inArray) {
    byte[] junk = new byte[MARGIN];
    Arrays.fill(junk, JUNK);
    ByteBuf all =
        inArray
            ? ByteBuf.wrap(new byte[input.length + 2 * MARGIN]).clear()
            : ByteBufAllocator.shared().allocate(input.length + 2 * MARGIN);
    return all.writeBytes(junk).writeBytes(input).writeBytes(junk);
  }

  /// Feeds an input to a decoder piece by piece.
  static final class Feed implements AutoCloseable {

    private final Window window;
    private final byte[] input;
    private final ByteBuf memory;

    private Feed(Window window, byte[] input) {
      this.window = window;
      this.input = input;
      this.memory = surrounded(input, window == ARRAY_SLICE);
    }

    Outcome run(Decoding decoder, List<Integer> cuts) {
      Events events = new Events();
      int consumed = 0;
      for (int i = 0; i <= cuts.size(); i++) {
        int arrived = i < cuts.size() ? cuts.get(i) : input.length;
        ByteBuf in = piece(consumed, arrived);
        int start = in.readerIndex();
        try {
          decoder.decode(in, events);
          consumed += in.readerIndex() - start;
        } catch (IndexOutOfBoundsException e) {
          throw new AssertionError("the decoder accessed bytes outside of its input", e);
        } catch (Exception e) {
          return new Outcome(events.list(), e, 0);
        } finally {
          in.release();
        }
      }
      return new Outcome(events.list(), null, input.length - consumed);
    }

    private ByteBuf piece(int from, int to) {
      if (window != AMONG_JUNK) {
        return memory.slice(MARGIN + from, to - from);
      }
      byte[] bytes = new byte[input.length + 2 * MARGIN];
      Arrays.fill(bytes, JUNK);
      System.arraycopy(input, from, bytes, MARGIN, to - from);
      return ByteBuf.wrap(bytes).readerIndex(MARGIN).writerIndex(MARGIN + to - from);
    }

    @Override
    public void close() {
      memory.release();
    }
  }
}

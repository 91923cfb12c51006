package dev.quickwater.buffer;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ViewsTest extends Buffers {

  @EachStorage
  void readLendsTheReadableBytesAndCountsWhatWasConsumed(Storage storage) {
    ByteBuf buffer = counting(storage, 16);
    buffer.skip(3);
    int length =
        Views.read(
            buffer,
            view -> {
              assertEquals(0, view.position());
              assertEquals(13, view.capacity());
              assertEquals(3, view.get());
              assertEquals(4, view.get());
              assertThrows(ReadOnlyBufferException.class, () -> view.put(2, (byte) 50));
              assertFalse(view.hasArray());
              return view.capacity();
            });
    assertEquals(13, length);
    assertEquals(5, buffer.readerIndex());
    assertEquals(5, buffer.readByte());
    buffer.release();
  }

  @EachStorage
  void writeLendsRoomAndCountsWhatWasFilled(Storage storage) {
    ByteBuf buffer = buffer(storage, 2).writeByte(9);
    Views.write(buffer, 100, view -> view.put((byte) 1).put((byte) 2).capacity());
    assertEquals(3, buffer.readableBytes());
    assertEquals(0x0901_02, buffer.readUnsignedMedium());
    assertThrows(
        IllegalArgumentException.class, () -> Views.write(buffer, -1, ByteBuffer::position));
    buffer.release();
  }

  @EachStorage
  void writeLendsNothingButTheRoom(Storage storage) {
    ByteBuf buffer = buffer(storage, 64).writeLong(1);
    Views.write(
        buffer,
        8,
        view -> {
          assertEquals(8, view.capacity());
          assertTrue(!view.hasArray() || view.array().length == 8);
          return view.putInt(7);
        });
    assertEquals(1, buffer.readLong());
    assertEquals(7, buffer.readInt());
    assertEquals(0, buffer.readableBytes());
    buffer.release();
  }

  @EachStorage
  void failureLeavesTheIndices(Storage storage) {
    ByteBuf buffer = counting(storage, 4);
    IOException failure = new IOException();
    Views.Use<ByteBuffer, Void, IOException> use =
        view -> {
          view.position(1);
          throw failure;
        };
    assertSame(failure, assertThrows(IOException.class, () -> Views.read(buffer, use)));
    assertSame(failure, assertThrows(IOException.class, () -> Views.write(buffer, 5, use)));
    assertEquals(0, buffer.readerIndex());
    assertEquals(4, buffer.writerIndex());
    buffer.release();
  }

  @EachStorage
  void fileIsReadAndWrittenThroughViews(Storage storage, @TempDir Path directory)
      throws IOException {
    Path file = Files.write(directory.resolve("file"), new byte[] {1, 2, 3, 4, 5});
    ByteBuf buffer = buffer(storage, 2);
    try (FileChannel channel = FileChannel.open(file)) {
      int read = Views.write(buffer, 10, view -> channel.read(view, 2));
      assertEquals(3, read);
      read = Views.write(buffer, 10, view -> channel.read(view, 5));
      assertEquals(-1, read);
    }
    assertEquals(0x0304_05, buffer.readUnsignedMedium());
    assertEquals(0, buffer.readableBytes());
    buffer.release();
  }

  @EachStorage
  void segmentCoversTheReadableBytes(Storage storage) {
    ByteBuf buffer = counting(storage, 16);
    buffer.skip(2);
    byte last =
        Views.segment(
            buffer,
            segment -> {
              assertEquals(14, segment.byteSize());
              assertTrue(segment.isReadOnly());
              assertTrue(segment.heapBase().isEmpty());
              return segment.get(JAVA_BYTE, 13);
            });
    assertEquals(15, last);
    assertEquals(2, buffer.readByte());
    buffer.release();
  }

  @EachStorage
  void bareByteBufferIsAWindowOnTheBytesAndNoMore(Storage storage) {
    ByteBuf buffer = counting(storage, 16);
    ByteBuffer part = UnsafeViews.byteBuffer(buffer, 5, 2);
    assertEquals(2, part.capacity());
    assertEquals(5, part.get());
    assertEquals(storage == Storage.NATIVE, part.isDirect());
    assertThrows(IndexOutOfBoundsException.class, () -> UnsafeViews.byteBuffer(buffer, 15, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> UnsafeViews.segment(buffer, 15, 2));
    buffer.release();
  }

  @EachStorage
  void memoryOfTheOtherKindIsRefused(Storage storage) {
    ByteBuf buffer = counting(storage, 16);
    if (UnsafeViews.isNative(buffer)) {
      assertEquals(UnsafeViews.address(buffer, 0) + 16, UnsafeViews.address(buffer, 16));
      assertThrows(UnsupportedOperationException.class, () -> UnsafeViews.array(buffer));
      assertThrows(UnsupportedOperationException.class, () -> UnsafeViews.arrayOffset(buffer));
    } else {
      assertEquals(7, UnsafeViews.array(buffer)[UnsafeViews.arrayOffset(buffer) + 7]);
      assertThrows(UnsupportedOperationException.class, () -> UnsafeViews.address(buffer, 0));
    }
    buffer.release();
  }

  @Test
  void arrayOfAWrappedPartIsTheWholeArray() {
    byte[] array = {1, 2, 3, 4, 5};
    ByteBuf buffer = ByteBuf.wrap(array, 1, 3);
    assertSame(array, UnsafeViews.array(buffer));
    assertEquals(1, UnsafeViews.arrayOffset(buffer));
  }
}

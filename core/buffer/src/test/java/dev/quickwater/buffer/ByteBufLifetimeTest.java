package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.testkit.Threads;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class ByteBufLifetimeTest extends Buffers {

  private static Map<String, Executable> uses(ByteBuf buffer) {
    Map<String, Executable> uses = new LinkedHashMap<>();
    uses.put("release", buffer::release);
    uses.put("capacity", buffer::capacity);
    uses.put("writableBytes", buffer::writableBytes);
    uses.put("getByte", () -> buffer.getByte(0));
    uses.put("getShort", () -> buffer.getShort(0));
    uses.put("readUnsignedMedium", buffer::readUnsignedMedium);
    uses.put("getInt", () -> buffer.getInt(0));
    uses.put("getLong", () -> buffer.getLong(0));
    uses.put("setByte", () -> buffer.setByte(0, 1));
    uses.put("setLong", () -> buffer.setLong(0, 1));
    uses.put("readByte", buffer::readByte);
    uses.put("readLong", buffer::readLong);
    uses.put("writeByte", () -> buffer.writeByte(1));
    uses.put("writeShort", () -> buffer.writeShort(1));
    uses.put("writeLong", () -> buffer.writeLong(1));
    uses.put("writeBytes", () -> buffer.writeBytes(new byte[0]));
    uses.put("writeAscii", () -> buffer.writeAscii("x"));
    uses.put("readBytes", () -> buffer.readBytes(0));
    uses.put("copyToArray", () -> buffer.copyToArray(0, new byte[1], 0, 1));
    uses.put("ensureWritable", () -> buffer.ensureWritable(0));
    uses.put("readerIndex", () -> buffer.readerIndex(0));
    uses.put("writerIndex", () -> buffer.writerIndex(0));
    uses.put("skip", () -> buffer.skip(0));
    uses.put("clear", buffer::clear);
    uses.put("discardRead", buffer::discardRead);
    uses.put("share", buffer::share);
    uses.put("slice", () -> buffer.slice(0, 0));
    uses.put("readSlice", () -> buffer.readSlice(0));
    uses.put("copy", buffer::copy);
    uses.put("isShared", buffer::isShared);
    uses.put("indexOf", () -> buffer.indexOf(0, 0, (byte) 0));
    uses.put("bytesBefore", () -> buffer.bytesBefore((byte) 0));
    uses.put("toString", () -> buffer.toString(StandardCharsets.UTF_8));
    uses.put("readableBytes", buffer::readableBytes);
    uses.put("isReadable", buffer::isReadable);
    uses.put("size", buffer::size);
    uses.put("unsafeByteBuffer", () -> UnsafeViews.byteBuffer(buffer, 0, 0));
    uses.put("segment", () -> UnsafeViews.segment(buffer, 0, 0));
    uses.put("Views.read", () -> Views.read(buffer, ByteBuffer::get));
    uses.put("Views.write", () -> Views.write(buffer, 0, ByteBuffer::position));
    uses.put("split", buffer::split);
    uses.put("unsafe", () -> unsafe(buffer));
    uses.put("as a source", () -> ByteBuf.wrap(new byte[9]).clear().writeBytes(buffer, 0));
    return uses;
  }

  private static void unsafe(ByteBuf buffer) {
    if (UnsafeViews.isNative(buffer)) {
      UnsafeViews.address(buffer, 0);
    } else {
      UnsafeViews.array(buffer);
    }
  }

  @EachStorage
  void everyUseAfterReleaseSaysThatTheBufferWasReleased(Storage storage) {
    ByteBuf buffer = counting(storage, 32);
    assertTrue(buffer.isLive());
    buffer.release();
    assertFalse(buffer.isLive());
    assertEquals("ByteBuf[released]", buffer.toString());
    uses(buffer)
        .forEach((name, use) ->
            assertEquals(
                "the buffer was released",
                assertThrows(IllegalStateException.class, use, name).getMessage(),
                name));
  }

  @EachStorage
  void releaseElsewhereIsSeenAfterTheHandOver(Storage storage) throws Exception {
    ByteBuf buffer = counting(storage, 32);
    Threads.elsewhere(buffer::release);
    assertThrows(IllegalStateException.class, () -> buffer.getByte(0));
    assertThrows(IllegalStateException.class, buffer::release);
  }

  @EachStorage
  void viewsOutliveTheHandleTheyCameFrom(Storage storage) {
    ByteBuf buffer = counting(storage, 32);
    ByteBuf share = buffer.share();
    ByteBuf slice = buffer.slice(8, 8);
    ByteBuf inner = slice.slice(2, 2);
    ByteBuf read = buffer.readSlice(4);
    buffer.release();
    slice.release();
    assertEquals(31, share.getByte(31));
    assertEquals(10, inner.getByte(0));
    assertEquals(3, read.getByte(3));
    assertTrue(share.isShared());
    share.release();
    read.release();
    assertFalse(inner.isShared());
    inner.release();
    assertThrows(IllegalStateException.class, inner::share);
  }

  @EachStorage
  void eachViewHasIndicesOfItsOwn(Storage storage) {
    ByteBuf buffer = counting(storage, 16);
    buffer.skip(2);
    ByteBuf share = buffer.share();
    share.skip(3);
    assertEquals(2, buffer.readerIndex());
    assertEquals(5, share.readerIndex());
    ByteBuf slice = buffer.readSlice(4);
    assertEquals(6, buffer.readerIndex());
    assertEquals(0, slice.readerIndex());
    assertEquals(4, slice.writerIndex());
    assertEquals(4, slice.capacity());
    share.release();
    slice.release();
    buffer.release();
  }

  @EachStorage
  void sliceIsExact(Storage storage) {
    ByteBuf buffer = counting(storage, 16);
    ByteBuf slice = buffer.slice(4, 4);
    assertThrows(IndexOutOfBoundsException.class, () -> slice.getByte(4));
    assertThrows(IndexOutOfBoundsException.class, () -> slice.getByte(-1));
    assertThrows(IndexOutOfBoundsException.class, () -> slice.getInt(1));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.slice(13, 4));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.slice(4, -1));
    assertEquals(0x0405_0607, slice.readInt());
    slice.release();
    buffer.release();
  }

  @EachStorage
  void memoryGoesBackWithTheLastHandle(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    ByteBuf buffer = allocator.allocate(100);
    assertEquals(112, allocator.metrics().used());
    ByteBuf share = buffer.share();
    buffer.release();
    assertEquals(112, allocator.metrics().used());
    share.release();
    assertEquals(0, allocator.metrics().used());
  }

  @Test
  void wrappedArrayNeedNotBeReleasedButMay() {
    ByteBuf buffer = ByteBuf.wrap(new byte[4]);
    ByteBuf slice = buffer.slice(1, 2);
    buffer.release();
    assertEquals(0, slice.getByte(1));
    assertFalse(slice.isShared());
    assertThrows(IllegalStateException.class, buffer::release);
  }
}

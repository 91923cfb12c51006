package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.function.Executable;

class ByteBufStreamTest extends Buffers {

  @EachStorage
  void readsUpToTheWriterIndexAndThenTheEnd(Storage storage) throws IOException {
    ByteBuf buffer = counting(storage, 300);
    buffer.skip(250);
    try (ByteBufInputStream in = new ByteBufInputStream(buffer)) {
      assertEquals(50, in.available());
      assertEquals(250, in.read());
      byte[] target = new byte[100];
      assertEquals(0, in.read(target, 0, 0));
      assertEquals(49, in.read(target, 1, 99));
      assertEquals((byte) 251, target[1]);
      assertEquals(0, target[0]);
      assertEquals(-1, in.read());
      assertEquals(-1, in.read(target, 0, 1));
      assertEquals(0, in.read(target, 0, 0));
      assertEquals(0, in.readAllBytes().length);
      assertThrows(IndexOutOfBoundsException.class, () -> in.read(target, 99, 2));
    }
    assertFalse(buffer.isLive());
  }

  @EachStorage
  void skipMarkAndResetMoveWithinTheBytes(Storage storage) throws IOException {
    try (ByteBufInputStream in = new ByteBufInputStream(counting(storage, 20))) {
      assertEquals(0, in.skip(-1));
      assertEquals(3, in.skip(3));
      assertTrue(in.markSupported());
      in.mark(1);
      assertArrayEquals(new byte[] {3, 4}, in.readNBytes(2));
      assertThrows(IllegalArgumentException.class, () -> in.readNBytes(-1));
      assertEquals(15, in.skip(Long.MAX_VALUE));
      in.reset();
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      assertEquals(17, in.transferTo(out));
      assertEquals(3, out.toByteArray()[0]);
      assertEquals(19, out.toByteArray()[16]);
    }
  }

  @EachStorage
  void closeReleasesOnceAndEndsTheStream(Storage storage) {
    ByteBuf buffer = counting(storage, 4);
    ByteBufInputStream in = new ByteBufInputStream(buffer);
    in.close();
    in.close();
    assertFalse(buffer.isLive());
    List<Executable> uses =
        List.of(in::read, in::available, in::readAllBytes, () -> in.skip(0), in::reset);
    uses.forEach(use ->
        assertEquals("the stream is closed", assertThrows(IOException.class, use).getMessage()));
    assertThrows(IllegalStateException.class, () -> new ByteBufInputStream(buffer));
    assertThrows(IllegalStateException.class, () -> new ByteBufOutputStream(buffer));
  }

  /// The end of the stream would look like the end of the data.
  @EachStorage
  void bufferThatAnotherHasReleasedIsNotTakenForTheEnd(Storage storage) {
    ByteBuf buffer = counting(storage, 4);
    ByteBufInputStream in = new ByteBufInputStream(buffer);
    buffer.release();
    List<Executable> uses =
        List.of(
            in::read,
            () -> in.read(new byte[4], 0, 4),
            in::available,
            in::readAllBytes,
            () -> in.skip(4),
            in::reset);
    uses.forEach(use ->
        assertEquals(
            "the buffer was released",
            assertThrows(IllegalStateException.class, use).getMessage()));
  }

  @EachStorage
  void whatIsWrittenIsRead(Storage storage) throws IOException {
    ByteBuf buffer = buffer(storage, 0);
    try (DataOutputStream out = new DataOutputStream(new ByteBufOutputStream(buffer))) {
      out.writeInt(1);
      out.writeUTF("häß");
      out.write(new byte[500], 1, 400);
    }
    assertEquals(4 + 2 + 5 + 400, buffer.readableBytes());
    try (DataInputStream in = new DataInputStream(new ByteBufInputStream(buffer))) {
      assertEquals(1, in.readInt());
      assertEquals("häß", in.readUTF());
      assertEquals(400, in.skipBytes(1_000));
    }
    assertFalse(buffer.isLive());
  }

  @EachStorage
  void outputEndsAtTheMaximumAndAfterClose(Storage storage) throws IOException {
    ByteBuf buffer = allocator(storage).allocate(2, 4);
    ByteBufOutputStream out = new ByteBufOutputStream(buffer);
    out.write(1);
    assertEquals(
        "cannot write 4 bytes at 1, the maximum capacity is 4",
        assertThrows(IOException.class, () -> out.write(new byte[4])).getMessage());
    out.write(new byte[3]);
    assertThrows(IOException.class, () -> out.write(1));
    assertThrows(IndexOutOfBoundsException.class, () -> out.write(new byte[1], 0, 2));
    out.close();
    assertEquals(
        "the stream is closed", assertThrows(IOException.class, () -> out.write(1)).getMessage());
    assertEquals(4, buffer.readableBytes());
    buffer.release();
  }
}

package dev.quickwater.http.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class InputBufferTest {

  private final ByteBufAllocator allocator = ByteBufAllocator.shared();
  private final InputBuffer received = new InputBuffer();

  @AfterEach
  void release() {
    received.release();
  }

  private ByteBuf buffer(String text, int capacity) {
    return allocator.allocate(capacity).writeAscii(text);
  }

  private void add(ByteBuf more) {
    received.add(more, allocator);
  }

  private String text() {
    return received.bytes().toString(StandardCharsets.US_ASCII);
  }

  @Test
  void firstBufferIsKeptAsItIs() {
    ByteBuf first = buffer("abc", 8);
    add(first);
    assertSame(first, received.bytes());
    assertEquals(3, received.size());
  }

  @Test
  void bytesAreAppended() {
    add(buffer("abc", 8));
    add(buffer("defghijkl", 16));
    assertEquals("abcdefghijkl", text());
  }

  @Test
  void bufferThatCannotGrowIsReplaced() {
    add(ByteBuf.wrap("abc".getBytes(StandardCharsets.US_ASCII)));
    add(ByteBuf.wrap("def".getBytes(StandardCharsets.US_ASCII)));
    assertEquals("abcdef", text());
  }

  @Test
  void slicesThatWereHandedOutAreNotOverwritten() {
    add(buffer("abcdefgh", 8));
    ByteBuf taken = received.take(7);
    add(buffer("ijk", 8));
    assertEquals("hijk", text());
    assertEquals("abcdefg", taken.toString(StandardCharsets.US_ASCII));
    taken.release();
  }

  @Test
  void spaceIsUsedAgainSoThatTheBufferStaysSmall() {
    add(buffer("abcdefgh", 8));
    for (int i = 0; i < 10_000; i++) {
      received.bytes().skip(5);
      add(buffer("abcde", 8));
    }
    assertEquals(8, received.size());
    assertTrue(received.bytes().capacity() <= 64, received.bytes().toString());
  }
}

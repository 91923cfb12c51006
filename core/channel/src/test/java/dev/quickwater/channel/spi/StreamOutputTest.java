package dev.quickwater.channel.spi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.buffer.ByteBuf;
import dev.quickwater.buffer.ByteBufAllocator;
import dev.quickwater.buffer.CompositeByteBuf;
import dev.quickwater.common.Promise;
import dev.quickwater.common.SteppedExecutor;
import dev.quickwater.common.ThreadExecutor;
import dev.quickwater.common.VirtualClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StreamOutputTest {

  private final TestEvents events = new TestEvents();
  private final StreamOutput output = new StreamOutput(events);

  private static ByteBuf bytes(int from, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (from + i);
    }
    return ByteBufAllocator.shared().allocate(length).writeBytes(bytes);
  }

  /// What a transport would see of the flushed part, in order.
  private byte[] flushed() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < output.flushedCount(); i++) {
      ByteBuf part = (ByteBuf) output.flushedAt(i);
      byte[] copy = new byte[part.readableBytes()];
      part.copyToArray(part.readerIndex(), copy, 0, copy.length);
      all.writeBytes(copy);
    }
    return all.toByteArray();
  }

  private void sendAtOnce(int payloads) {
    for (int i = 0; i < payloads; i++) {
      output.add(bytes(i, 8), null);
    }
    output.flush();
    output.progress(8L * payloads);
  }

  @Test
  void ringOfABurstIsDroppedWhenAllIsSent() {
    sendAtOnce(10_000);
    assertEquals(0, output.capacity());
  }

  @Test
  void ringOfABurstIsDroppedWhenTheChannelFails() {
    for (int i = 0; i < 10_000; i++) {
      output.add(bytes(i, 8), null);
    }
    output.fail(new IOException("the fault of this test"));
    assertEquals(0, output.capacity());
  }

  @Test
  void smallRingIsKept() {
    sendAtOnce(StreamOutput.MAX_KEPT);
    assertEquals(StreamOutput.MAX_KEPT, output.capacity());
  }

  @Test
  void oneMessageAtATimeNeedsNoRing() {
    for (int i = 0; i < 3; i++) {
      sendAtOnce(1);
    }
    assertEquals(0, output.capacity());
  }

  @Test
  void messageBeforeTheRingKeepsItsPlace() {
    output.add(bytes(1, 2), null);
    output.add(bytes(3, 2), null);
    output.flush();
    assertArrayEquals(new byte[] {1, 2, 3, 4}, flushed());
    output.progress(4);
    assertTrue(output.isEmpty());
  }

  @Test
  void messageWithoutPromiseBeforeOneWithAPromiseHasNone() {
    Promise<Void> promise = here().newPromise();
    output.add(bytes(1, 1), null);
    output.add(bytes(2, 1), promise);
    output.flush();
    assertEquals(1, output.fail(new IOException("the fault of this test")));
    assertTrue(promise.isDone());
  }

  @Test
  void bufferIsUsableAfterItsRingWasDropped() {
    sendAtOnce(100);
    output.add(bytes(7, 3), null);
    output.flush();
    assertArrayEquals(new byte[] {7, 8, 9}, flushed());
    output.progress(3);
    assertTrue(output.isEmpty());
  }

  /// Writes, flushes and any progress at random beside a model that is only a stream of numbers.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anyPartialProgressKeepsTheStream(long seed) {
    Random random = new Random(seed);
    int written = 0;
    int flushedTo = 0;
    int sent = 0;
    for (int step = 0; step < 5000; step++) {
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          int length = random.nextInt(40);
          if (random.nextInt(4) == 0) {
            int cut = length / 3;
            output.add(
                CompositeByteBuf.of(bytes(written, cut), bytes(written + cut, length - cut)), null);
          } else {
            output.add(bytes(written, length), null);
          }
          written += length;
        }
        case 2 -> {
          output.flush();
          flushedTo = written;
        }
        default -> {
          int progress = random.nextInt(flushedTo - sent + 1);
          output.progress(progress);
          sent += progress;
          if (random.nextBoolean()) {
            output.dropEmpty();
          }
        }
      }
      assertEquals(written - sent, output.pendingBytes());
      assertEquals(flushedTo - sent, output.flushedBytes());
      byte[] seen = flushed();
      assertEquals(flushedTo - sent, seen.length);
      if (seen.length > 0) {
        assertEquals((byte) sent, seen[0]);
        assertEquals((byte) (flushedTo - 1), seen[seen.length - 1]);
      }
    }
    output.fail(new IOException());
    assertTrue(output.isEmpty());
    assertEquals(0, output.pendingBytes());
  }

  @Test
  void unflushedIsNeitherSeenNorTouched() {
    output.add(bytes(0, 10), null);
    output.flush();
    ByteBuf unflushed = bytes(10, 10);
    output.add(unflushed, null);
    output.progress(10);
    assertFalse(output.hasFlushed());
    assertEquals(10, output.pendingBytes());
    assertEquals(10, unflushed.readableBytes());
    assertThrows(IllegalStateException.class, output::first);
    assertThrows(IllegalStateException.class, () -> output.progress(1));
    assertThrows(IndexOutOfBoundsException.class, () -> output.flushedAt(0));
    output.fail(new IOException());
    assertFalse(unflushed.isLive());
  }

  @Test
  void flushWithoutNewMessagesChangesNothing() {
    output.flush();
    assertFalse(output.hasFlushed());
    output.add(bytes(0, 10), null);
    output.flush();
    output.progress(3);
    output.flush();
    output.flush();
    assertEquals(7, output.flushedBytes());
    output.progress(7);
    assertTrue(output.isEmpty());
  }

  @Test
  void emptyMessagesAreDroppedOnlyAtTheFront() {
    output.add(ByteBuf.wrap(), null);
    output.add(CompositeByteBuf.of(), null);
    output.add(bytes(0, 1), null);
    output.add(ByteBuf.wrap(), null);
    output.flush();
    output.dropEmpty();
    assertEquals(2, output.flushedCount());
    output.progress(1);
    assertTrue(output.isEmpty(), "an empty one goes with the progress that reaches it");
  }

  @Test
  void whatWasReadOfACompositeBufferIsNotSent() {
    CompositeByteBuf composite = CompositeByteBuf.of(bytes(0, 3), bytes(3, 3));
    composite.readInt();
    output.add(composite, null);
    output.flush();
    assertEquals(2, output.flushedBytes());
    assertArrayEquals(new byte[] {4, 5}, flushed());
    output.progress(2);
    assertTrue(output.isEmpty());
  }

  @Test
  void messagesCountBesidesTheirBytes() {
    for (int i = 0; i < 100; i++) {
      output.add(ByteBuf.wrap(), null);
    }
    assertEquals(0, output.pendingBytes());
    assertEquals(6400, events.account().pending());
    output.fail(new IOException());
    assertEquals(0, events.account().pending());
  }

  @Test
  void aReleaseThatThrowsLeavesNothingBehind() throws Exception {
    try (ThreadExecutor executor = new ThreadExecutor("promises")) {
      ByteBuf released = bytes(0, 5);
      ByteBuf other = bytes(5, 5);
      Promise<Void> promise = executor.newPromise();
      output.add(released, promise);
      output.add(other, null);
      released.release(); // a fault of the caller
      IOException cause = new IOException("over");
      assertEquals(1, output.fail(cause));
      assertSame(cause, promise.cause());
      assertFalse(other.isLive());
    }
  }

  private static SteppedExecutor here() {
    SteppedExecutor executor = new SteppedExecutor(new VirtualClock());
    executor.bind();
    return executor;
  }

  @Test
  void messageThatIsCancelledBeforeTheFlushIsDropped() {
    SteppedExecutor executor = here();
    Promise<Void> cancelled = executor.newPromise();
    Promise<Void> parts = executor.newPromise();
    Promise<Void> kept = executor.newPromise();
    ByteBuf dropped = bytes(100, 10);
    output.add(bytes(0, 2), null);
    output.add(dropped, cancelled);
    output.add(CompositeByteBuf.of(bytes(50, 3), bytes(60, 3)), parts);
    output.add(bytes(2, 2), kept);
    assertTrue(cancelled.cancel());
    assertTrue(parts.cancel());
    assertEquals(20, output.pendingBytes());
    output.flush();
    assertFalse(dropped.isLive());
    assertEquals(4, output.pendingBytes());
    assertEquals(4, output.flushedBytes());
    assertArrayEquals(new byte[] {0, 1, 2, 3}, flushed());
    output.progress(4);
    assertTrue(output.isEmpty());
    assertTrue(kept.isSuccess());
    assertTrue(parts.isCancelled());
  }

  @Test
  void flushMakesAPromiseUncancellable() {
    SteppedExecutor executor = here();
    Promise<Void> promise = executor.newPromise();
    output.add(bytes(0, 2), promise);
    output.flush();
    assertFalse(promise.cancel());
    output.progress(2);
    assertTrue(promise.isSuccess());
  }

  @Test
  void messageOfManyPartsEndsWithItsLast() {
    SteppedExecutor executor = here();
    Promise<Void> promise = executor.newPromise();
    output.add(CompositeByteBuf.of(bytes(0, 2), bytes(2, 2), bytes(4, 2)), promise);
    output.flush();
    output.progress(5);
    assertFalse(promise.isDone());
    output.progress(1);
    assertTrue(promise.isSuccess());
  }

  @Test
  void promiseSucceedsWhenSentAndMemoryStaysUntilItIsSettled() {
    SteppedExecutor executor = here();
    Promise<Void> promise = executor.newPromise();
    ByteBuf first = bytes(0, 4);
    ByteBuf second = bytes(4, 4);
    output.add(first, promise);
    output.add(second, null);
    output.flush();
    output.lend(2);
    assertEquals(1, output.sent(6));
    assertTrue(promise.isSuccess());
    assertTrue(first.isLive());
    assertEquals(2, output.pendingBytes());
    assertEquals(1, output.sent(2));
    assertTrue(output.isEmpty());
    output.settled(1);
    assertFalse(first.isLive());
    assertTrue(second.isLive());
    output.settled(1);
    assertFalse(second.isLive());
    assertEquals(0, events.account().pending());
  }

  @Test
  void memoryThatTheKernelMayReadOutlivesTheFailure() {
    SteppedExecutor executor = here();
    Promise<Void> promise = executor.newPromise();
    ByteBuf read = bytes(0, 4);
    ByteBuf untouched = bytes(4, 4);
    output.add(read, promise);
    output.add(untouched, null);
    output.flush();
    output.lend(1);
    IOException cause = new IOException("closed");
    assertEquals(1, output.fail(cause));
    assertSame(cause, promise.cause());
    assertFalse(untouched.isLive());
    assertTrue(read.isLive());
    output.settled(1);
    assertFalse(read.isLive());
    assertEquals(0, events.account().pending());
  }

  /// The share of the last part fails: nothing is queued and nothing leaks.
  @Test
  void compositeBufferWhoseLastPartWasReleasedIsNotQueuedInParts() {
    SteppedExecutor executor = here();
    ByteBuf first = bytes(0, 4);
    ByteBuf last = bytes(4, 4);
    CompositeByteBuf composite = CompositeByteBuf.of(first, last);
    last.release(); // a fault of the caller
    Promise<Void> promise = executor.newPromise();
    output.write(composite, promise);
    assertInstanceOf(IllegalStateException.class, promise.cause());
    assertTrue(output.isEmpty());
    assertFalse(first.isLive());
    assertEquals(0, events.account().pending());
  }

  @Test
  void messageThatIsNoPayloadFailsAlone() {
    output.write("text", null);
    output.write(bytes(0, 3), null);
    assertInstanceOf(UnsupportedOperationException.class, events.failures.getFirst());
    output.flush();
    assertArrayEquals(new byte[] {0, 1, 2}, flushed());
    output.progress(3);
  }
}

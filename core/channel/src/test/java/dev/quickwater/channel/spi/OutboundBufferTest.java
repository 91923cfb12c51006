package dev.quickwater.channel.spi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OutboundBufferTest {

  private final OutboundBuffer outbound = new OutboundBuffer();

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
    for (int i = 0; i < outbound.flushedCount(); i++) {
      ByteBuf part = (ByteBuf) outbound.flushedAt(i);
      byte[] copy = new byte[part.readableBytes()];
      part.copyToArray(part.readerIndex(), copy, 0, copy.length);
      all.writeBytes(copy);
    }
    return all.toByteArray();
  }

  private void sendAtOnce(int payloads) {
    for (int i = 0; i < payloads; i++) {
      outbound.add(bytes(i, 8), null);
    }
    outbound.flush();
    outbound.progress(8L * payloads);
  }

  @Test
  void ringOfABurstIsDroppedWhenAllIsSent() {
    sendAtOnce(10_000);
    assertEquals(0, outbound.capacity());
  }

  @Test
  void ringOfABurstIsDroppedWhenTheChannelFails() {
    for (int i = 0; i < 10_000; i++) {
      outbound.add(bytes(i, 8), null);
    }
    outbound.fail(new IOException("the fault of this test"));
    assertEquals(0, outbound.capacity());
  }

  @Test
  void smallRingIsKept() {
    sendAtOnce(OutboundBuffer.MAX_KEPT_RING);
    assertEquals(OutboundBuffer.MAX_KEPT_RING, outbound.capacity());
  }

  @Test
  void bufferIsUsableAfterItsRingWasDropped() {
    sendAtOnce(100);
    outbound.add(bytes(7, 3), null);
    outbound.flush();
    assertArrayEquals(new byte[] {7, 8, 9}, flushed());
    outbound.progress(3);
    assertTrue(outbound.isEmpty());
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
            outbound.add(
                CompositeByteBuf.of(bytes(written, cut), bytes(written + cut, length - cut)), null);
          } else {
            outbound.add(bytes(written, length), null);
          }
          written += length;
        }
        case 2 -> {
          outbound.flush();
          flushedTo = written;
        }
        default -> {
          int progress = random.nextInt(flushedTo - sent + 1);
          outbound.progress(progress);
          sent += progress;
          if (random.nextBoolean()) {
            outbound.dropEmpty();
          }
        }
      }
      assertEquals(written - sent, outbound.pendingBytes());
      assertEquals(flushedTo - sent, outbound.flushedBytes());
      assertEquals(sent, outbound.sentBytes());
      byte[] seen = flushed();
      assertEquals(flushedTo - sent, seen.length);
      if (seen.length > 0) {
        assertEquals((byte) sent, seen[0]);
        assertEquals((byte) (flushedTo - 1), seen[seen.length - 1]);
      }
    }
    outbound.fail(new IOException());
    assertTrue(outbound.isEmpty());
    assertEquals(0, outbound.pendingBytes());
  }

  @Test
  void unflushedIsNeitherSeenNorTouched() {
    outbound.add(bytes(0, 10), null);
    outbound.flush();
    ByteBuf unflushed = bytes(10, 10);
    outbound.add(unflushed, null);
    outbound.progress(10);
    assertFalse(outbound.hasFlushed());
    assertEquals(10, outbound.pendingBytes());
    assertEquals(10, unflushed.readableBytes());
    assertThrows(IllegalStateException.class, outbound::first);
    assertThrows(IllegalStateException.class, () -> outbound.progress(1));
    assertThrows(IndexOutOfBoundsException.class, () -> outbound.flushedAt(0));
    outbound.fail(new IOException());
    assertFalse(unflushed.isLive());
  }

  @Test
  void flushWithoutNewMessagesChangesNothing() {
    outbound.flush();
    assertFalse(outbound.hasFlushed());
    outbound.add(bytes(0, 10), null);
    outbound.flush();
    outbound.progress(3);
    outbound.flush();
    outbound.flush();
    assertEquals(7, outbound.flushedBytes());
    outbound.progress(7);
    assertTrue(outbound.isEmpty());
  }

  @Test
  void emptyMessagesAreDroppedOnlyAtTheFront() {
    outbound.add(ByteBuf.wrap(), null);
    outbound.add(CompositeByteBuf.of(), null);
    outbound.add(bytes(0, 1), null);
    outbound.add(ByteBuf.wrap(), null);
    outbound.flush();
    outbound.dropEmpty();
    assertEquals(2, outbound.flushedCount());
    outbound.progress(1);
    assertTrue(outbound.isEmpty(), "an empty one goes with the progress that reaches it");
  }

  @Test
  void whatWasReadOfACompositeBufferIsNotSent() {
    CompositeByteBuf composite = CompositeByteBuf.of(bytes(0, 3), bytes(3, 3));
    composite.readInt();
    outbound.add(composite, null);
    outbound.flush();
    assertEquals(2, outbound.flushedBytes());
    assertArrayEquals(new byte[] {4, 5}, flushed());
    outbound.progress(2);
    assertTrue(outbound.isEmpty());
  }

  @Test
  void messagesCountBesidesTheirBytes() {
    for (int i = 0; i < 100; i++) {
      outbound.add(ByteBuf.wrap(), null);
    }
    assertEquals(0, outbound.pendingBytes());
    assertEquals(6400, outbound.heldBytes());
    outbound.fail(new IOException());
    assertEquals(0, outbound.heldBytes());
  }

  @Test
  void promisesEndInOrderAndListenersMayFailTheRest() throws Exception {
    try (ThreadExecutor executor = new ThreadExecutor("promises")) {
      List<String> ended = new ArrayList<>();
      IOException closed = new IOException("closed by a listener");
      Promise<Boolean> done = executor.newPromise();
      executor.execute(() -> {
        Promise<Void> first = executor.newPromise();
        Promise<Void> second = executor.newPromise();
        first.onComplete(_ -> {
          ended.add("first");
          outbound.fail(closed);
        });
        second.onComplete(future -> ended.add("second " + future.cause().getMessage()));
        outbound.add(bytes(0, 5), first);
        outbound.add(bytes(5, 5), second);
        outbound.flush();
        outbound.dropEmpty();
        Promise<Void> never = executor.newPromise();
        executor.dispatch(() -> never.trySuccess(null));
        outbound.progress(10);
        done.success(outbound.isEmpty());
      });
      assertTrue(done.await());
      assertTrue(ended.contains("first"), ended.toString());
    }
  }

  @Test
  void aReleaseThatThrowsLeavesNothingBehind() throws Exception {
    try (ThreadExecutor executor = new ThreadExecutor("promises")) {
      ByteBuf released = bytes(0, 5);
      ByteBuf other = bytes(5, 5);
      Promise<Void> promise = executor.newPromise();
      outbound.add(released, promise);
      outbound.add(other, null);
      released.release(); // a fault of the caller
      IOException cause = new IOException("over");
      assertEquals(1, outbound.fail(cause));
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
    outbound.add(bytes(0, 2), null);
    outbound.add(dropped, cancelled);
    outbound.add(CompositeByteBuf.of(bytes(50, 3), bytes(60, 3)), parts);
    outbound.add(bytes(2, 2), kept);
    assertTrue(cancelled.cancel());
    assertTrue(parts.cancel());
    assertEquals(20, outbound.pendingBytes());
    outbound.flush();
    assertFalse(dropped.isLive());
    assertEquals(4, outbound.pendingBytes());
    assertEquals(4, outbound.flushedBytes());
    assertArrayEquals(new byte[] {0, 1, 2, 3}, flushed());
    outbound.progress(4);
    assertTrue(outbound.isEmpty());
    assertTrue(kept.isSuccess());
    assertTrue(parts.isCancelled());
  }

  @Test
  void flushMakesAPromiseUncancellable() {
    SteppedExecutor executor = here();
    Promise<Void> promise = executor.newPromise();
    outbound.add(bytes(0, 2), promise);
    outbound.flush();
    assertFalse(promise.cancel());
    outbound.progress(2);
    assertTrue(promise.isSuccess());
  }

  @Test
  void messageOfManyPartsEndsWithItsLast() {
    SteppedExecutor executor = here();
    Promise<Void> promise = executor.newPromise();
    outbound.add(CompositeByteBuf.of(bytes(0, 2), bytes(2, 2), bytes(4, 2)), promise);
    outbound.flush();
    outbound.progress(5);
    assertFalse(promise.isDone());
    outbound.progress(1);
    assertTrue(promise.isSuccess());
  }
}

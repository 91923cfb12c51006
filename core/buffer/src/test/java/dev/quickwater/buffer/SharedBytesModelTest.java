package dev.quickwater.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Random calls on many handles of the same memory. Each handle has an array with the bytes that it
/// must see: no call on one handle changes bytes of another handle or outside the block.
class SharedBytesModelTest extends Buffers {

  private static final long SEED = 7_411;
  private static final int STEPS = 60_000;
  private static final int MANY = 24;

  private static final class Holder {
    final ByteBuf buffer;
    byte[] seen;

    Holder(ByteBuf buffer, byte[] seen) {
      this.buffer = buffer;
      this.seen = seen;
    }

    /// Bytes that were never written may have any value.
    void look() {
      seen = new byte[buffer.writerIndex()];
      buffer.copyToArray(0, seen, 0, seen.length);
    }
  }

  private final Random random = new Random(SEED);
  private final List<Holder> holders = new ArrayList<>();

  private void check(Holder holder, String message) {
    int length = Math.min(holder.seen.length, holder.buffer.writerIndex());
    byte[] bytes = new byte[length];
    holder.buffer.copyToArray(0, bytes, 0, length);
    assertArrayEquals(Arrays.copyOf(holder.seen, length), bytes, message);
  }

  private byte[] some(int bound) {
    byte[] bytes = new byte[random.nextInt(bound)];
    random.nextBytes(bytes);
    return bytes;
  }

  /// Makes one random call and updates the bytes that its handle must see. A refused write changes
  /// nothing.
  private void step(LoopAllocator allocator, Holder holder) {
    ByteBuf buffer = holder.buffer;
    int written = buffer.writerIndex();
    switch (random.nextInt(14)) {
      case 0, 1, 2 -> {
        byte[] bytes = some(40);
        buffer.writeBytes(bytes);
        holder.seen = Arrays.copyOf(holder.seen, written + bytes.length);
        System.arraycopy(bytes, 0, holder.seen, written, bytes.length);
      }
      case 3 -> {
        buffer.writeInt(0x0102_0304);
        holder.seen = Arrays.copyOf(holder.seen, written + 4);
        System.arraycopy(new byte[] {1, 2, 3, 4}, 0, holder.seen, written, 4);
      }
      case 4, 5 -> {
        byte[] bytes = some(9);
        int index = random.nextInt(written + 1);
        if (index + bytes.length <= written) {
          buffer.setBytes(index, bytes, 0, bytes.length);
          System.arraycopy(bytes, 0, holder.seen, index, bytes.length);
        }
      }
      case 6 -> {
        int index = random.nextInt(written + 1);
        int length = random.nextInt(written - index + 1);
        byte[] seen = Arrays.copyOfRange(holder.seen, index, index + length);
        add(buffer.slice(index, length), seen);
      }
      case 7 -> add(buffer.share(), holder.seen);
      case 8 -> {
        int length = random.nextInt(buffer.readableBytes() + 1);
        int from = buffer.readerIndex();
        add(buffer.readSlice(length), Arrays.copyOfRange(holder.seen, from, from + length));
      }
      case 9 -> {
        byte[] seen = Arrays.copyOfRange(holder.seen, buffer.readerIndex(), written);
        add(buffer.split(), seen);
        holder.look();
      }
      case 10 -> {
        byte[] seen = Arrays.copyOfRange(holder.seen, buffer.readerIndex(), written);
        buffer.discardRead();
        assertEquals(seen.length, buffer.readableBytes());
        holder.seen = seen;
      }
      case 11 -> {
        buffer.skip(random.nextInt(buffer.readableBytes() + 1));
        buffer.writerIndex(buffer.readerIndex() + random.nextInt(buffer.readableBytes() + 1));
        holder.look();
      }
      case 12 -> {
        buffer.clear();
        holder.look();
      }
      default -> {
        if (buffer.maxCapacity() > buffer.capacity()) {
          buffer.ensureWritable(random.nextInt(100));
        }
      }
    }
    if (random.nextInt(5) == 0 || holders.size() > MANY) {
      holders.remove(random.nextInt(holders.size())).buffer.release();
    }
    if (random.nextInt(20) == 0 || holders.isEmpty()) {
      add(allocator.allocate(random.nextInt(64), 256), new byte[0]);
    }
  }

  private void add(ByteBuf buffer, byte[] seen) {
    if (buffer.maxCapacity() == 0) {
      buffer.release();
      return;
    }
    holders.add(new Holder(buffer, seen.clone()));
  }

  @EachStorage
  void noHolderSeesBytesChange(Storage storage) {
    LoopAllocator allocator = allocator(storage);
    add(allocator.allocate(64, 256), new byte[0]);
    int refused = 0;
    for (int i = 0; i < STEPS; i++) {
      Holder holder = holders.get(random.nextInt(holders.size()));
      try {
        step(allocator, holder);
      } catch (IllegalStateException e) {
        refused++;
      } catch (IndexOutOfBoundsException e) {
        assertTrue(e.getMessage().contains("the maximum capacity is"), e.getMessage());
      }
      for (Holder each : holders) {
        check(each, "seed " + SEED + ", step " + i);
      }
    }
    assertTrue(refused > 100, "writes refused: " + refused);
    holders.forEach(holder -> holder.buffer.release());
    holders.clear();
  }
}

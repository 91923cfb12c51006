package dev.quickwater.testkit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps the Java heap full, with room for a few small objects: the next allocations succeed, and
/// the first that exceeds the room fails.
///
/// The room is exact only to within some objects; a caller tries several sizes in turn. Requires a
/// small heap, the serial garbage collector, which fills the heap completely, and `-XX:-UseTLAB`,
/// so that no room is reserved for a thread.
public final class FullHeap {

  private static final int[] SIZES = {64 << 10, 4 << 10, 256, 16};

  private static final byte[] EMPTY = {};

  /// Bytes that are held permanently.
  private final List<byte[]> always = new ArrayList<>();

  private final byte[][] held = new byte[2_000][];

  @SuppressWarnings("UnusedVariable") // it only takes room in the heap
  private byte @Nullable [] room;

  private int count;

  /// Fills the heap for good, except for what [#fillUpTo] fills.
  ///
  /// @param left bytes that are free between [#release] and [#fillUpTo], which is faster when they
  ///   are fewer
  public FullHeap(int left) {
    byte @Nullable [] kept = new byte[left];
    try {
      while (kept.length == left) {
        always.add(new byte[256 << 10]);
      }
    } catch (OutOfMemoryError _) {
      kept = null;
    }
  }

  /// Fills the heap up to `bytes`.
  public void fillUpTo(int bytes) {
    room = new byte[bytes];
    for (int size : SIZES) {
      fillBy(size);
    }
    room = null;
  }

  private void fillBy(int size) {
    try {
      while (count < held.length) {
        held[count] = new byte[size];
        count++;
      }
    } catch (OutOfMemoryError _) {
      // full for this size
    }
  }

  /// Empties the heap again. Allocates nothing.
  public void release() {
    while (count > 0) {
      held[--count] = EMPTY;
    }
  }
}

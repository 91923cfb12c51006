package dev.quickwater.common.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An unbounded queue for many producers and one consumer: a list of arrays, in which a producer
/// claims a slot by one fetch-and-add (after P. Ramalhete's and A. Correia's array queue).
///
/// - [#offer] is safe on any thread and lock-free. If the array has room, it is one atomic add and
///   one store. A full array is followed by one of twice its length, up to 1,024.
/// - [#poll] and [#isEmpty] belong to the consumer. They see an element once its `offer` has
///   returned. While an `offer` is between its two steps, `poll` waits for it. That window is two
///   instructions of the producer unless it loses its processor there, therefore `poll` soon
///   yields.
/// - Elements of one producer keep their order.
/// - Up to 32 elements that were taken may stay referenced until [#isEmpty] returns true or further
///   elements arrive.
/// - Arrays are not reused: a producer that lost its processor may still read an old one.
///
/// It does not implement `java.util.Queue`: most of that contract would be wrong for one consumer.
public final class MpscQueue<E> extends MpscProducers {

  private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(Object[].class);
  private static final VarHandle CLAIMED;
  private static final VarHandle NEXT;
  private static final VarHandle LAST;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      CLAIMED = lookup.findVarHandle(Chunk.class, "claimed", int.class);
      NEXT = lookup.findVarHandle(Chunk.class, "next", Chunk.class);
      LAST = lookup.findVarHandle(MpscProducers.class, "last", Chunk.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int FIRST_LENGTH = 32;
  private static final int MAX_LENGTH = 1024;
  private static final int SPINS = 100;

  /// Slots in a cache line of 64 bytes, with compressed references.
  private static final int LINE = 16;

  // The position of the consumer.
  private Chunk chunk;
  private @Nullable Object[] slots;
  private int index;

  /// The position of the consumer when the queue was last seen to be empty: earlier slots are null.
  private int cleared;

  /// An empty queue.
  public MpscQueue() {
    super(new Chunk(FIRST_LENGTH));
    chunk = last;
    slots = chunk.slots;
  }

  /// Appends an element.
  ///
  /// The slot is written by a plain store behind a fence. A call between the claim and the store
  /// could exhaust the stack, and the consumer would wait for that slot for ever.
  public void offer(E element) {
    Objects.requireNonNull(element, "element");
    Chunk current = last;
    // Before the atomic add, which no later read can overtake.
    @Nullable Object[] room = current.slots;
    int length = room.length;
    VarHandle.releaseFence();
    int slot = (int) CLAIMED.getAndAdd(current, 1);
    if (slot < length) {
      room[slot] = element;
    } else {
      append(current, element);
    }
  }

  /// A full chunk stays full: claims beyond its end have no meaning.
  private void append(Chunk full, E element) {
    Chunk current = full;
    while (true) {
      @Nullable Object[] room = current.slots;
      VarHandle.releaseFence();
      int slot = (int) CLAIMED.getAndAdd(current, 1);
      if (slot < room.length) {
        room[slot] = element;
        return;
      }
      @Nullable Chunk next = current.next;
      if (next == null) {
        Chunk made = new Chunk(Math.min(MAX_LENGTH, 2 * room.length));
        made.slots[0] = element;
        made.claimed = 1;
        if (NEXT.compareAndSet(current, null, made)) {
          LAST.compareAndSet(this, current, made);
          return;
        }
      } else if (next != current) {
        LAST.compareAndSet(this, current, next);
      }
      current = last;
    }
  }

  /// Takes the oldest element, or returns null when there is none.
  public @Nullable E poll() {
    return poll(true);
  }

  /// Like [#poll], but also returns null if the `offer` of the oldest element has not returned yet,
  /// even if later elements are complete.
  ///
  /// A consumer that follows a producer closely slows both down, because each element moves
  /// separately from one processor to the other. This method reports that state to the consumer,
  /// which should do other work for a while.
  public @Nullable E pollReady() {
    return poll(false);
  }

  @SuppressWarnings("unchecked")
  private @Nullable E poll(boolean waits) {
    @Nullable Object[] taken = slots;
    int slot = index;
    if (slot == taken.length) {
      if (!advance()) {
        return null;
      }
      taken = slots;
      slot = 0;
    }
    @Nullable Object element = SLOTS.getAcquire(taken, slot);
    if (element == null) {
      if (!waits || chunk.claimed <= slot) {
        return null;
      }
      element = await(taken, slot);
    }
    index = slot + 1;
    if ((slot & LINE - 1) == LINE - 1) {
      clear(slot - 2 * LINE + 1, slot - LINE + 1);
    }
    return (E) element;
  }

  /// Clears taken elements, one cache line behind. Clearing each at once would be a store to the
  /// cache line that the producers write.
  private void clear(int from, int to) {
    for (int i = Math.max(from, 0); i < to; i++) {
      slots[i] = null;
    }
  }

  /// Moves to the next chunk, if there is one.
  ///
  /// The old chunk then no longer references the next one: a chunk in an old generation of the
  /// garbage collector would keep all its successors alive. A producer that still holds the old
  /// chunk finds the current one through `last`, so `last` is moved on first.
  private boolean advance() {
    Chunk left = chunk;
    @Nullable Chunk next = left.next;
    if (next == null) {
      return false;
    }
    LAST.compareAndSet(this, left, next);
    left.next = left;
    clear(index - 2 * LINE, index);
    chunk = next;
    slots = next.slots;
    index = 0;
    cleared = 0;
    return true;
  }

  private static Object await(@Nullable Object[] slots, int index) {
    int spins = 0;
    @Nullable Object element;
    while ((element = SLOTS.getAcquire(slots, index)) == null) {
      if (++spins < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
    return element;
  }

  /// True if no `offer` has claimed a slot that was not taken. The queue then references no
  /// element; before, it may reference some that were taken.
  public boolean isEmpty() {
    boolean isEmpty = index < slots.length ? chunk.claimed <= index : chunk.next == null;
    if (isEmpty && cleared < index) {
      clear(Math.max(cleared, index - 2 * LINE), index);
      cleared = index;
    }
    return isEmpty;
  }

  /// A fixed number of consecutive slots.
  static final class Chunk {
    final @Nullable Object[] slots;

    /// The number of slots that producers have claimed; it exceeds the length if the chunk is full.
    volatile int claimed;

    /// The next chunk; null while this is the last; this chunk itself once the consumer has left
    /// it.
    volatile @Nullable Chunk next;

    Chunk(int length) {
      slots = new @Nullable Object[length];
    }
  }
}

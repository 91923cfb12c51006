package dev.quickwater.common;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// An unbounded queue for many producers and one consumer: a list of arrays, in which a producer
/// claims a slot by one fetch-and-add (after P. Ramalhete's and A. Correia's array queue).
///
/// - [#offer] is safe on any thread and lock-free; where the array has room, it is one atomic add
///   and one store. An array that is full is followed by one of twice its length, up to 1024.
/// - [#poll] and [#isEmpty] belong to the consumer. They see an element once its `offer` has
///   returned. While an `offer` is between its two steps, `poll` waits for it: that window is two
///   instructions of the producer, unless it loses its processor there, so `poll` soon yields.
/// - Elements of one producer keep their order.
/// - Arrays are not used again: a producer that lost its processor may still look at an old one.
///
/// It does not implement `java.util.Queue`: most of that contract would be wrong for one consumer.
public final class MpscQueue<E> {

  private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(Object[].class);
  private static final VarHandle CLAIMED;
  private static final VarHandle NEXT;
  private static final VarHandle LAST;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      CLAIMED = lookup.findVarHandle(Chunk.class, "claimed", int.class);
      NEXT = lookup.findVarHandle(Chunk.class, "next", Chunk.class);
      LAST = lookup.findVarHandle(Producers.class, "last", Chunk.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int FIRST_LENGTH = 32;
  private static final int MOST_LENGTH = 1024;
  private static final int SPINS = 100;

  private final Producers producers;
  private final Consumer consumer;

  /// An empty queue.
  public MpscQueue() {
    Chunk first = new Chunk(FIRST_LENGTH);
    producers = new Producers(first);
    consumer = new Consumer(first);
  }

  /// Appends an element.
  public void offer(E element) {
    Chunk last = producers.last;
    int slot = (int) CLAIMED.getAndAdd(last, 1);
    @Nullable Object[] slots = last.slots;
    if (slot < slots.length) {
      SLOTS.setRelease(slots, slot, element);
    } else {
      append(last, element);
    }
  }

  /// A chunk that was full stays so: what is claimed beyond its end means nothing.
  private void append(Chunk full, E element) {
    Chunk last = full;
    while (true) {
      int slot = (int) CLAIMED.getAndAdd(last, 1);
      if (slot < last.slots.length) {
        SLOTS.setRelease(last.slots, slot, element);
        return;
      }
      @Nullable Chunk next = last.next;
      if (next == null) {
        Chunk made = new Chunk(Math.min(MOST_LENGTH, 2 * last.slots.length));
        made.slots[0] = element;
        made.claimed = 1;
        if (NEXT.compareAndSet(last, null, made)) {
          LAST.compareAndSet(producers, last, made);
          return;
        }
      } else if (next != last) {
        LAST.compareAndSet(producers, last, next);
      }
      last = producers.last;
    }
  }

  /// Takes the oldest element, or returns null when there is none.
  @SuppressWarnings("unchecked")
  public @Nullable E poll() {
    Consumer here = consumer;
    @Nullable Object[] slots = here.slots;
    int index = here.index;
    if (index == slots.length) {
      if (!here.advance(producers)) {
        return null;
      }
      slots = here.slots;
      index = 0;
    }
    @Nullable Object element = SLOTS.getAcquire(slots, index);
    if (element == null) {
      if (here.chunk.claimed <= index) {
        return null;
      }
      element = await(slots, index);
    }
    slots[index] = null;
    here.index = index + 1;
    return (E) element;
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

  /// True when no `offer` has claimed a slot that was not taken.
  public boolean isEmpty() {
    int index = consumer.index;
    Chunk chunk = consumer.chunk;
    if (index < consumer.slots.length) {
      return chunk.claimed <= index;
    }
    return chunk.next == null;
  }

  /// So many slots in a row.
  private static final class Chunk {
    final @Nullable Object[] slots;

    /// Slots that producers have claimed, and more when it is full.
    volatile int claimed;

    /// What follows, null while this is the last, or this itself once the consumer has left it.
    volatile @Nullable Chunk next;

    Chunk(int length) {
      slots = new @Nullable Object[length];
    }
  }

  /// What producers read for each element, on a cache line that the consumer does not write to.
  @SuppressWarnings({"unused", "UnusedVariable"})
  private static final class Producers {
    volatile Chunk last;
    private long p0, p1, p2, p3, p4, p5, p6, p7;

    Producers(Chunk first) {
      last = first;
    }
  }

  /// Where the consumer is.
  @SuppressWarnings({"unused", "UnusedVariable"})
  private static final class Consumer {
    private long p0, p1, p2, p3, p4, p5, p6, p7;
    Chunk chunk;
    @Nullable Object[] slots;
    int index;

    Consumer(Chunk first) {
      chunk = first;
      slots = first.slots;
    }

    /// Goes on to the next chunk, if there is one.
    ///
    /// The old one leads nowhere from then on: one that has grown old in the collector's sense
    /// would keep its successors alive, and they theirs. A producer that still holds it finds the
    /// way through `producers`, which has to be past it before.
    boolean advance(Producers producers) {
      Chunk left = chunk;
      @Nullable Chunk next = left.next;
      if (next == null) {
        return false;
      }
      LAST.compareAndSet(producers, left, next);
      left.next = left;
      chunk = next;
      slots = next.slots;
      index = 0;
      return true;
    }
  }
}

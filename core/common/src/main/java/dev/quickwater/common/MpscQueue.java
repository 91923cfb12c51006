package dev.quickwater.common;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// An unbounded queue for many producers and one consumer (after D. Vyukov's linked MPSC queue).
///
/// - [#offer] is wait-free: one atomic exchange. It is safe on any thread.
/// - [#poll] and [#isEmpty] belong to the consumer. They see an element once its `offer` has
///   returned. While an `offer` is between its two steps, `poll` waits for it: that window is two
///   instructions of the producer, unless it loses its processor there, so `poll` soon yields.
/// - Elements of one producer keep their order.
///
/// It does not implement `java.util.Queue`: most of that contract would be wrong for one consumer.
public final class MpscQueue<E> {

  private static final VarHandle TAIL;
  private static final VarHandle NEXT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      TAIL = lookup.findVarHandle(MpscQueue.class, "tail", Node.class);
      NEXT = lookup.findVarHandle(Node.class, "next", Node.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int SPINS = 100;

  /// Consumer side: the node whose element was taken last.
  private Node<E> head;

  @SuppressWarnings("UnusedVariable") // by TAIL
  private volatile Node<E> tail;

  /// An empty queue.
  public MpscQueue() {
    head = new Node<>(null);
    tail = head;
  }

  /// Appends an element.
  @SuppressWarnings("unchecked")
  public void offer(E element) {
    Node<E> node = new Node<>(element);
    Node<E> previous = (Node<E>) TAIL.getAndSet(this, node);
    NEXT.setRelease(previous, node);
  }

  /// Takes the oldest element, or returns null when there is none.
  public @Nullable E poll() {
    Node<E> next = next(head);
    if (next == null) {
      if (head == tail) {
        return null;
      }
      next = awaitNext();
    }
    E element = next.element;
    next.element = null;
    // An old node that reaches new ones would keep them from a young collection.
    NEXT.set(head, null);
    head = next;
    return element;
  }

  private Node<E> awaitNext() {
    int spins = 0;
    Node<E> next;
    while ((next = next(head)) == null) {
      if (++spins < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
    return next;
  }

  /// True when no `offer` has begun that was not taken.
  public boolean isEmpty() {
    return head == tail;
  }

  @SuppressWarnings("unchecked")
  private static <E> @Nullable Node<E> next(Node<E> node) {
    return (Node<E>) NEXT.getAcquire(node);
  }

  private static final class Node<E> {
    @Nullable E element;

    @SuppressWarnings("UnusedVariable") // by NEXT
    volatile @Nullable Node<E> next;

    Node(@Nullable E element) {
      this.element = element;
    }
  }
}

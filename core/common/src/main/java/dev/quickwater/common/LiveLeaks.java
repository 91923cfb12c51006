package dev.quickwater.common;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The handles that are tracked and neither released nor reported. The lists are linked through the
/// leaks, so adding and removing allocates nothing. The thread that creates a handle selects the
/// list, so threads seldom contend.
final class LiveLeaks {

  private static final int STRIPES = 32;

  /// One list and the lock of its links.
  static final class Stripe {
    private LeakTracker.@Nullable Leak first;
    private int size;
  }

  private final Stripe[] stripes = new Stripe[STRIPES];

  LiveLeaks() {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  /// The list for handles that the calling thread creates.
  Stripe stripe() {
    return stripes[(int) Thread.currentThread().threadId() & STRIPES - 1];
  }

  void add(LeakTracker.Leak leak) {
    Stripe stripe = leak.stripe;
    synchronized (stripe) {
      LeakTracker.@Nullable Leak second = stripe.first;
      leak.next = second;
      if (second != null) {
        second.previous = leak;
      }
      stripe.first = leak;
      leak.listed = true;
      stripe.size++;
    }
  }

  /// Marks a handle that the garbage collector has found unreachable. The leak stays in the list.
  ///
  /// @return true for the first call, if the handle was not released before
  boolean find(LeakTracker.Leak leak) {
    synchronized (leak.stripe) {
      boolean isFirst = leak.listed && !leak.found;
      leak.found = true;
      return isFirst;
    }
  }

  /// Removes a leak; does nothing if it was removed before.
  void remove(LeakTracker.Leak leak) {
    Stripe stripe = leak.stripe;
    synchronized (stripe) {
      if (!leak.listed) {
        return;
      }
      LeakTracker.@Nullable Leak before = leak.previous;
      LeakTracker.@Nullable Leak after = leak.next;
      if (before == null) {
        stripe.first = after;
      } else {
        before.next = after;
      }
      if (after != null) {
        after.previous = before;
      }
      leak.previous = null;
      leak.next = null;
      leak.listed = false;
      stripe.size--;
    }
  }

  /// The number of leaks. A leak that is added or removed during the call may or may not be
  /// counted.
  int size() {
    int size = 0;
    for (Stripe stripe : stripes) {
      synchronized (stripe) {
        size += stripe.size;
      }
    }
    return size;
  }

  /// The leaks of all threads. A leak that is added or removed during the call may or may not be
  /// included.
  List<LeakTracker.Leak> all() {
    List<LeakTracker.Leak> all = new ArrayList<>();
    for (Stripe stripe : stripes) {
      synchronized (stripe) {
        for (LeakTracker.@Nullable Leak leak = stripe.first; leak != null; leak = leak.next) {
          all.add(leak);
        }
      }
    }
    return all;
  }
}

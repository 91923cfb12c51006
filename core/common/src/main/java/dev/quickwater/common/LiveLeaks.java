package dev.quickwater.common;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The handles that are tracked and neither released nor reported: lists that are linked through
/// the leaks themselves, so that adding and removing allocates nothing. The thread that creates a
/// handle chooses the list, so that threads seldom meet.
final class LiveLeaks {

  private static final int STRIPES = 32;

  /// One list and the lock of its links.
  static final class Stripe {
    private LeakTracker.@Nullable Leak first;
  }

  private final Stripe[] stripes = new Stripe[STRIPES];

  LiveLeaks() {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  /// The list for what the calling thread creates.
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
    }
  }

  /// The collector has found the handle. It stays in the list.
  ///
  /// @return true for the first call, if the handle was not released before
  boolean find(LeakTracker.Leak leak) {
    synchronized (leak.stripe) {
      boolean isFirst = leak.listed && !leak.found;
      leak.found = true;
      return isFirst;
    }
  }

  /// Takes it out, if it has not been.
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
    }
  }

  /// Those of all threads, but perhaps not one that comes or goes meanwhile.
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

package dev.quickwater.microbench.local;

import dev.quickwater.common.Recycler;
import java.util.ArrayList;

/// A list as a program would recycle it: cleared before it goes back.
final class RecycledList extends ArrayList<Object> {

  private static final long serialVersionUID = 1;
  private static final Recycler<RecycledList> RECYCLER = Recycler.of(RecycledList::new);

  private final transient Recycler.Handle<RecycledList> handle;

  private RecycledList(Recycler.Handle<RecycledList> handle) {
    this.handle = handle;
  }

  static RecycledList take(int capacity) {
    RecycledList list = RECYCLER.take();
    list.ensureCapacity(capacity);
    return list;
  }

  boolean recycle() {
    clear();
    handle.recycle();
    return true;
  }
}

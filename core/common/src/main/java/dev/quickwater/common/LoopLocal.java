package dev.quickwater.common;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A variable with a separate value for each thread. An event loop reads it at almost no cost.
///
/// - **Values belong to the local, not to the thread.** Each [LoopThread] has a small number while
///   it runs, and a local has an array with an entry for each number. A value is therefore
///   reachable through its local only: a loop that runs for long keeps neither the local nor its
///   values nor their class loader alive. An array has 4 bytes for each possible loop, and at least
///   64; locals should be few and static.
/// - **On other threads**, including virtual threads and loops beyond the available numbers, the
///   local uses a separate [ThreadLocal] with the rules of that class: such a value lives at least
///   as long as the local and the thread, unless it is removed.
/// - **First use:** the supplier runs in [#get] on the thread that has no value. Its exception is
///   passed on, and no value is set. It may use the local; its result then replaces what it set.
///   Null is a valid result.
/// - **Removal:** the removal action receives the value that [#remove] or [#removeAll] removes, or
///   that a loop thread has when it ends. It does not receive values that [#set] replaces, or
///   values of a local that became garbage. An exception of an action is logged, and the other
///   actions run. Threads that are not loop threads end without any action.
/// - Neighbouring loops share cache lines of the array. A value that changes often should be one
///   object that is changed in place.
///
/// @param <T> the values
public final class LoopLocal<T extends @Nullable Object> {

  private static final System.Logger LOG = System.getLogger(LoopLocal.class.getName());

  /// How often values that are set during a removal are removed in turn.
  private static final int ROUNDS = 4;

  private static final LoopLocals ALL = new LoopLocals();

  /// An entry is read and written by the thread with that number only; [LoopSlots] orders threads.
  private final @Nullable Object[] values = new @Nullable Object[LoopSlots.COUNT + 1];

  @SuppressWarnings("ThreadLocalUsage") // locals are meant to be static themselves
  private final ThreadLocal<@Nullable Object> others = new ThreadLocal<>();

  /// Marks threads whose value is null, which makes [#get] faster for other values; null until it
  /// is needed.
  private volatile @Nullable LoopLocal<Boolean> nulls;

  private final String name;
  private final Supplier<? extends T> initial;
  private final @Nullable Consumer<? super T> onRemoval;

  private LoopLocal(
      String name, Supplier<? extends T> initial, @Nullable Consumer<? super T> onRemoval) {
    this.name = name;
    this.initial = initial;
    this.onRemoval = onRemoval;
  }

  /// A local without a removal action. The name is for messages.
  public static <T extends @Nullable Object> LoopLocal<T> withInitial(
      String name, Supplier<? extends T> initial) {
    return register(new LoopLocal<>(name, initial, null));
  }

  /// A local whose values are passed to `onRemoval`, on their thread, when they are removed.
  public static <T extends @Nullable Object> LoopLocal<T> withInitial(
      String name, Supplier<? extends T> initial, Consumer<? super T> onRemoval) {
    return register(new LoopLocal<>(name, initial, onRemoval));
  }

  private static <T extends @Nullable Object> LoopLocal<T> register(LoopLocal<T> local) {
    ALL.add(local);
    return local;
  }

  /// This thread's value, made by the supplier when there is none.
  @SuppressWarnings("unchecked")
  public T get() {
    @Nullable Object value =
        Thread.currentThread() instanceof LoopThread thread ? values[thread.slot] : others.get();
    return value != null ? (T) value : other();
  }

  /// The path for a thread that has no value, has null, or is a loop without a number.
  @SuppressWarnings("NullAway") // null only where T may be null
  private T other() {
    @Nullable T value = peek();
    if (value != null || isNull()) {
      return value;
    }
    T made = initial.get();
    set(made);
    return made;
  }

  /// This thread's value, or null if there is none; the supplier is not called.
  public @Nullable T getIfSet() {
    return peek();
  }

  /// True if this thread has a value, which may be null.
  public boolean isSet() {
    return peek() != null || isNull();
  }

  /// Sets the value of this thread.
  public void set(T value) {
    put(value);
    if (value == null) {
      nulls().put(true);
    } else if (nulls != null) {
      nulls.put(null);
    }
  }

  /// Removes the value of this thread, if there is one; the next [#get] calls the supplier.
  public void remove() {
    take();
  }

  /// Removes the values of this thread in all locals, in no particular order. Values that the
  /// actions set meanwhile are removed, too; if an action sets values repeatedly, the last ones are
  /// dropped.
  public static void removeAll() {
    for (int round = 0; round < ROUNDS; round++) {
      boolean removed = false;
      for (LoopLocal<?> local : ALL.snapshot()) {
        removed |= local.take();
      }
      if (!removed) {
        return;
      }
    }
    ALL.snapshot().forEach(LoopLocal::clear);
  }

  /// The number of locals in which this thread has a value. The call visits all locals.
  public static int size() {
    return inUse().size();
  }

  /// The locals in which this thread has a value, for diagnosis. The call visits all locals, and
  /// the result keeps none of them alive.
  public static List<Usage> inUse() {
    List<Usage> usages = new ArrayList<>();
    for (LoopLocal<?> local : ALL.snapshot()) {
      if (local.isSet()) {
        @Nullable Object value = local.peek();
        usages.add(new Usage(local.name, value == null ? "null" : value.getClass().getName()));
      }
    }
    return usages;
  }

  /// One local in which a thread has a value.
  ///
  /// @param local its name
  /// @param valueClass the name of the value's class; `null` for a value that is null
  public record Usage(String local, String valueClass) {}

  /// At the end of a loop thread, on it.
  static void end(LoopThread thread) {
    int slot = thread.slot;
    boolean empty = false;
    try {
      removeAll();
      empty = true;
    } finally {
      // Code that still runs on this thread, such as a handler of uncaught exceptions, has no
      // number.
      thread.slot = LoopSlots.NONE;
      if (empty && slot != LoopSlots.NONE) {
        LoopSlots.release(slot);
      }
    }
  }

  private boolean isNull() {
    @Nullable LoopLocal<Boolean> nulls = this.nulls;
    return nulls != null && nulls.peek() != null;
  }

  private LoopLocal<Boolean> nulls() {
    @Nullable LoopLocal<Boolean> made = nulls;
    if (made == null) {
      synchronized (values) {
        made = nulls;
        if (made == null) {
          made = new LoopLocal<>(name, () -> true, null);
          nulls = made;
        }
      }
    }
    return made;
  }

  @SuppressWarnings("unchecked")
  private @Nullable T peek() {
    int slot = slot();
    if (slot != LoopSlots.NONE) {
      return (T) values[slot];
    }
    @Nullable Object value = others.get();
    if (value == null) {
      // The lookup has left an entry in the thread, which is removed.
      others.remove();
    }
    return (T) value;
  }

  private void put(@Nullable Object value) {
    int slot = slot();
    if (slot != LoopSlots.NONE) {
      values[slot] = value;
    } else if (value == null) {
      others.remove();
    } else {
      others.set(value);
    }
  }

  private void clear() {
    put(null);
    if (nulls != null) {
      nulls.put(null);
    }
  }

  @SuppressWarnings("NullAway") // null only where T may be null
  private boolean take() {
    if (!isSet()) {
      return false;
    }
    T value = peek();
    clear();
    if (onRemoval != null) {
      try {
        onRemoval.accept(value);
      } catch (Throwable t) {
        LOG.log(System.Logger.Level.WARNING, "the removal action of " + this + " failed", t);
      }
    }
    return true;
  }

  private static int slot() {
    return Thread.currentThread() instanceof LoopThread thread ? thread.slot : LoopSlots.NONE;
  }

  @Override
  public String toString() {
    return "LoopLocal[" + name + "]";
  }
}

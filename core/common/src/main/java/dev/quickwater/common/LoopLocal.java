package dev.quickwater.common;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A variable of which every thread has its own value, and which costs an event loop next to
/// nothing to read.
///
/// - **Values belong to the local, not to the thread.** Each [LoopThread] has a small number while
///   it runs, and a local keeps an array with an entry for each. So a value is reachable through
///   its local alone: a loop that lives on keeps neither the local nor its values nor their class
///   loader alive. An array takes 4 bytes for every loop that could run, 64 at least; locals are
///   meant to be few and static.
/// - **On other threads**, virtual ones too, and on loops beyond the numbers that there are, it
///   works through a [ThreadLocal] of its own, with the rules of that class: such a value lives at
///   least as long as the local and the thread do, unless it is removed.
/// - **First use:** the supplier runs in [#get] on the thread that has no value. What it throws is
///   passed on, and nothing is set. It may use the local itself; what it returns is what stays. A
///   null that it returns is a value like others.
/// - **Removal:** the action given for it gets the value that [#remove] or [#removeAll] takes, or
///   that a loop thread has when it ends; it does not get a value that [#set] replaces, nor those
///   of a local that became garbage. What it throws is logged, and the others run still. Threads
///   that are not loop threads end without any action.
/// - Neighbouring loops share cache lines of the array, so a value that changes all the time should
///   be one object that is changed in place.
///
/// @param <T> what is kept
public final class LoopLocal<T extends @Nullable Object> {

  private static final System.Logger LOG = System.getLogger(LoopLocal.class.getName());

  /// How often values that appear during removal are removed in turn.
  private static final int ROUNDS = 4;

  private static final LoopLocals ALL = new LoopLocals();

  /// A value is read and written by the thread with that number only; [LoopSlots] orders threads.
  private final @Nullable Object[] values = new @Nullable Object[LoopSlots.COUNT + 1];

  @SuppressWarnings("ThreadLocalUsage") // locals are meant to be static themselves
  private final ThreadLocal<@Nullable Object> others = new ThreadLocal<>();

  /// Where threads note that their value is null, so that [#get] need not tell it from other
  /// values; null until one has to.
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

  /// A local without an action on removal. The name is for people.
  public static <T extends @Nullable Object> LoopLocal<T> withInitial(
      String name, Supplier<? extends T> initial) {
    return register(new LoopLocal<>(name, initial, null));
  }

  /// A local whose values `onRemoval` gets on their thread when they are removed.
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

  /// For a thread that has no value, has null, or is a loop without a number.
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

  /// This thread's value, or null when there is none; the supplier is not asked.
  public @Nullable T getIfSet() {
    return peek();
  }

  /// True if this thread has a value, which may be null.
  public boolean isSet() {
    return peek() != null || isNull();
  }

  /// Gives this thread another value.
  public void set(T value) {
    put(value);
    if (value == null) {
      nulls().put(true);
    } else if (nulls != null) {
      nulls.put(null);
    }
  }

  /// Takes this thread's value away, if there is one; the next [#get] asks the supplier.
  public void remove() {
    take();
  }

  /// Takes away what this thread has in any local, in no particular order. Values that the actions
  /// set meanwhile are removed too; whoever sets one time and again has the last ones dropped.
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

  /// In how many locals this thread has a value. It asks every local there is.
  public static int size() {
    return inUse().size();
  }

  /// The locals in which this thread has a value, for diagnosis. It asks every local there is, and
  /// the answer keeps none of them alive.
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
      // What still runs on this thread, such as a handler of uncaught exceptions, has no number.
      thread.slot = LoopSlots.NONE;
      if (empty && slot != LoopSlots.NONE) {
        LoopSlots.give(slot);
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
      // Having asked leaves an entry in the thread, which is not to stay.
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

package dev.quickwater.codec;

import dev.quickwater.common.LoopLocal;
import org.jspecify.annotations.Nullable;

/// The output lists that one thread keeps for reuse.
///
/// The lists form a stack. Nested calls therefore use the lists whose memory was used last.
final class OutputLists {

  /// Several times the depth to which codecs nest.
  private static final int MAX_KEPT = 16;

  private static final LoopLocal<OutputLists> LOCAL =
      LoopLocal.withInitial("output lists", OutputLists::new);

  private final @Nullable OutputList[] free = new @Nullable OutputList[MAX_KEPT];
  private int count;

  static OutputList take() {
    if (Thread.currentThread().isVirtual()) {
      return new OutputList(null).lend();
    }
    return LOCAL.get().pop().lend();
  }

  @SuppressWarnings("NullAway") // below the count there is no null
  private OutputList pop() {
    if (count == 0) {
      return new OutputList(this);
    }
    int top = --count;
    OutputList list = free[top];
    free[top] = null;
    return list;
  }

  void keep(OutputList list) {
    int top = count;
    if (top < MAX_KEPT) {
      free[top] = list;
      count = top + 1;
    }
  }
}

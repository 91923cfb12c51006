package dev.quickwater.codec;

import dev.quickwater.common.LoopLocal;
import org.jspecify.annotations.Nullable;

/// The output lists that one thread keeps.
///
/// It is a stack, so that calls that nest get the lists whose memory was touched last.
final class OutputLists {

  /// As deep as codecs are nested, several times over.
  private static final int MOST = 16;

  private static final LoopLocal<OutputLists> LOCAL =
      LoopLocal.withInitial("output lists", OutputLists::new);

  private final @Nullable OutputList[] free = new @Nullable OutputList[MOST];
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
    if (top < MOST) {
      free[top] = list;
      count = top + 1;
    }
  }
}

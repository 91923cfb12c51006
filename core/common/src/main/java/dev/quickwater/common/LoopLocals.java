package dev.quickwater.common;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/// All existing locals, referenced weakly.
///
/// An unreachable local is missing. This is harmless, because its values are garbage, too.
final class LoopLocals {

  private final Set<LoopLocal<?>> locals = Collections.newSetFromMap(new WeakHashMap<>());

  synchronized void add(LoopLocal<?> local) {
    locals.add(local);
  }

  synchronized List<LoopLocal<?>> snapshot() {
    return List.copyOf(locals);
  }
}

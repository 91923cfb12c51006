package dev.quickwater.common;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/// All the locals there are, none of which it keeps alive.
///
/// A local that nobody can reach any more is missing, which harms nobody: its values are garbage
/// with it.
final class LoopLocals {

  private final Set<LoopLocal<?>> locals = Collections.newSetFromMap(new WeakHashMap<>());

  synchronized void add(LoopLocal<?> local) {
    locals.add(local);
  }

  synchronized List<LoopLocal<?>> snapshot() {
    return List.copyOf(locals);
  }
}

package dev.quickwater.buffer;

import dev.quickwater.buffer.allocation.ArrayPages;
import dev.quickwater.buffer.allocation.Heap;
import dev.quickwater.buffer.allocation.PageSource;
import dev.quickwater.buffer.allocation.Region;
import dev.quickwater.testkit.Threads;
import org.jspecify.annotations.Nullable;

/// Memory of arrays, with a script for what happens while the source takes or returns memory: what
/// other threads do at that moment, or that there is no memory. Each script runs once.
final class ScriptedPages implements PageSource {

  private Threads.@Nullable Action whileTaking;
  private Threads.@Nullable Action whileReturning;

  /// Runs `action` in the next call of [#take], before the memory is taken.
  void whileTaking(Threads.Action action) {
    whileTaking = action;
  }

  /// Runs `action` in the next call of [#release].
  void whileReturning(Threads.Action action) {
    whileReturning = action;
  }

  private static void run(Threads.@Nullable Action action) {
    try {
      if (action != null) {
        action.run();
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public Region take(int bytes, @Nullable Heap driven) {
    Threads.@Nullable Action action = whileTaking;
    whileTaking = null;
    run(action);
    return ArrayPages.IT.take(bytes, driven);
  }

  @Override
  public void release(Region region) {
    Threads.@Nullable Action action = whileReturning;
    whileReturning = null;
    run(action);
    ArrayPages.IT.release(region);
  }

  @Override
  public void trim() {
    ArrayPages.IT.trim();
  }

  @Override
  public void trimUnused() {
    ArrayPages.IT.trimUnused();
  }

  @Override
  public boolean hasIdle() {
    return ArrayPages.IT.hasIdle();
  }

  @Override
  public long reserved() {
    return ArrayPages.IT.reserved();
  }
}

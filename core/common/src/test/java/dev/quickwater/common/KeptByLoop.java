package dev.quickwater.common;

/// A class of an application that is unloaded while a loop lives on: its own class is what it keeps
/// for each thread. Public, since a copy of it is in a package of another loader.
public final class KeptByLoop implements Runnable {

  private static final LoopLocal<KeptByLoop> LOCAL =
      LoopLocal.withInitial("kept", KeptByLoop::new, _ -> {});
  private static final Recycler<KeptByLoop> RECYCLER = Recycler.of(_ -> new KeptByLoop());

  /// Uses both.
  @Override
  public void run() {
    LOCAL.get();
    RECYCLER.take();
  }
}

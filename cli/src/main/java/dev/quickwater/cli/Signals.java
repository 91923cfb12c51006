package dev.quickwater.cli;

import dev.quickwater.system.Linkage;
import dev.quickwater.system.NativeAccess;
import java.lang.invoke.MethodHandle;

/// What SIGTERM and SIGINT do while the process shuts down.
///
/// The JVM begins its shutdown at the first of these signals and ignores further ones. A process
/// that drains restores the action of the system, so that a second signal ends it at once.
final class Signals {

  private static final int SIGINT = 2;
  private static final int SIGTERM = 15;

  /// `SIG_DFL` of signal(2).
  private static final long DEFAULT = 0;

  private Signals() {}

  /// Restores the default action: the next SIGTERM or SIGINT ends the process at once.
  ///
  /// @return false without native access, where the JVM keeps ignoring these signals
  static boolean endProcess() {
    if (!NativeAccess.enabled()) {
      return false;
    }
    try {
      MethodHandle signal = Linkage.withoutErrno("signal", 2);
      long _ = (long) signal.invokeExact((long) SIGTERM, DEFAULT);
      long _ = (long) signal.invokeExact((long) SIGINT, DEFAULT);
      return true;
    } catch (Throwable _) {
      return false; // the C library has no such function, as on Windows
    }
  }
}

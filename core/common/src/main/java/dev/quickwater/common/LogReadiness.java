package dev.quickwater.common;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/// Loads what the first log record needs before the process is short of descriptors.
///
/// The first record reads the configuration of the logger, time zones and locale texts from files.
/// If no descriptor is left, this fails and the JDK classes that read the files stay unusable. All
/// logging of the process then fails, exactly when an operator needs it. A program that opens
/// sockets therefore calls [#prepare] at its start.
///
/// The work takes about 80 ms of one processor, on a daemon thread that does not delay the start.
/// If it fails, the first record does the rest.
public final class LogReadiness {

  /// The name of the thread.
  public static final String THREAD_NAME = "quickwater-log-readiness";

  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  private LogReadiness() {}

  /// Starts the work at the first call in this process. Any thread.
  public static void prepare() {
    if (BEGUN.compareAndSet(false, true)) {
      Thread thread = new Thread(null, LogReadiness::load, THREAD_NAME, 0, false);
      thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
      thread.setDaemon(true);
      thread.start();
    }
  }

  private static void load() {
    try {
      System.getLogger(LogReadiness.class.getName()).isLoggable(System.Logger.Level.WARNING);
      // The date in a record of java.util.logging has these parts.
      ZonedDateTime now = ZonedDateTime.now(ZoneId.systemDefault());
      String text =
          String.format(
              Locale.getDefault(Locale.Category.FORMAT),
              "%1$tb %1$td, %1$tY %1$tl:%1$tM:%1$tS %1$Tp",
              now);
      new Throwable(text).printStackTrace(new PrintWriter(new StringWriter()));
    } catch (Throwable _) {
      // The logger meets the same failure at its first record.
    }
  }
}

package dev.quickwater.common;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/// Loads what the first log record needs before the process is short of descriptors.
///
/// The first record reads the configuration of the logger, time zones and texts of the locale from
/// files. If that fails because no descriptor is left, the classes of the JDK that read them stay
/// unusable, and with them all logging for the life of the process: exactly when an operator needs
/// it. So a program that opens sockets calls [#prepare] when it starts.
///
/// The work takes some 80 ms of one processor, on a daemon thread, so that a start does not wait
/// for it. What fails is left to the first record.
public final class LogReadiness {

  /// The name of the thread that does the work.
  public static final String THREAD_NAME = "quickwater-log-readiness";

  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  private LogReadiness() {}

  /// Begins, the first time it is called in this process. Any thread.
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
      // The parts of the date in a record of java.util.logging.
      ZonedDateTime now = ZonedDateTime.now(ZoneId.systemDefault());
      String text =
          String.format(
              Locale.getDefault(Locale.Category.FORMAT),
              "%1$tb %1$td, %1$tY %1$tl:%1$tM:%1$tS %1$Tp",
              now);
      new Throwable(text).printStackTrace(new PrintWriter(new StringWriter()));
    } catch (Throwable _) {
      // The logger has to cope with it at its first record.
    }
  }
}

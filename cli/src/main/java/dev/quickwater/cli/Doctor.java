package dev.quickwater.cli;

import dev.quickwater.channel.TransportChoice;
import dev.quickwater.channel.spi.TransportProvider;
import dev.quickwater.system.NativeAccess;
import dev.quickwater.tls.TlsContext;
import dev.quickwater.tls.TlsLibrary;
import dev.quickwater.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// `qw doctor`: prints what Quickwater finds on this machine, with warnings.
final class Doctor {

  private static final int FEW_FILES = 65_536;

  private Doctor() {}

  static void run(String[] arguments) {
    if (arguments.length > 0) {
      throw new UsageException("doctor takes no options, not " + arguments[0]);
    }
    line("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    line(
        "system",
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch")
            + ", "
            + Runtime.getRuntime().availableProcessors()
            + " processors");
    line("native access", NativeAccess.enabled() ? "yes" : "no: " + NativeAccess.reason());
    boolean chosen = false;
    for (TransportProvider provider : TransportChoice.installed()) {
      @Nullable String obstacle = provider.unusableReason();
      String note = obstacle == null && !chosen ? "usable, chosen by auto" : "usable";
      chosen |= obstacle == null;
      line("transport " + provider.name(), obstacle == null ? note : "not usable: " + obstacle);
    }
    for (TlsLibrary library : TlsLibrary.values()) {
      line("tls " + library.name().toLowerCase(Locale.ROOT), tls(library));
    }
    openFiles();
    backlog();
  }

  private static String tls(TlsLibrary library) {
    try (TlsContext context = TlsContext.client(TlsSettings.client().withLibrary(library))) {
      return context.description();
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      return "not usable: " + e.getMessage();
    }
  }

  private static void line(String what, String text) {
    System.out.printf("%-18s %s%n", what, text);
  }

  private static void openFiles() {
    @Nullable String limit = field("/proc/self/limits", "Max open files");
    if (limit == null) {
      line("open files", "unknown on this system; see ulimit -n");
      return;
    }
    String soft = limit.split("\\s+", -1)[0];
    boolean few = !soft.equals("unlimited") && Long.parseLong(soft) < FEW_FILES;
    line(
        "open files",
        soft
            + (few
                ? ": each connection takes one, so fewer than " + soft + " fit; raise ulimit -n"
                : ""));
  }

  private static void backlog() {
    @Nullable String backlog = field("/proc/sys/net/core/somaxconn", "");
    if (backlog == null) {
      line("accept backlog", "unknown on this system");
    } else {
      boolean small = Long.parseLong(backlog) < 1024;
      line(
          "accept backlog",
          "at most " + backlog + (small ? ": bursts of connections may be refused" : ""));
    }
  }

  private static @Nullable String field(String file, String name) {
    try {
      List<String> lines = Files.readAllLines(Path.of(file));
      for (String text : lines) {
        if (text.startsWith(name)) {
          return text.substring(name.length()).strip();
        }
      }
      return null;
    } catch (IOException _) {
      return null;
    }
  }
}

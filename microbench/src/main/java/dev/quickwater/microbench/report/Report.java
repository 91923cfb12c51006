package dev.quickwater.microbench.report;

import dev.quickwater.microbench.command.Options;
import dev.quickwater.microbench.command.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// What a run leaves behind.
public record Report(String title, Environment environment, List<Row> rows) {

  /// The options that say where to.
  public static final Set<String> OPTIONS = Set.of("--json", "--html");

  /// A report of this machine; the launcher sets `qw.home` to the repository.
  public static Report of(String title, List<Row> rows) {
    return new Report(title, Environment.here(Path.of(System.getProperty("qw.home", "."))), rows);
  }

  /// Refuses targets that cannot be written now, before the minutes that a run takes.
  public static void check(Options options) {
    for (String name : OPTIONS) {
      options.value(name).map(Path::of).ifPresent(file -> checkWritable(name, file));
    }
  }

  private static void checkWritable(String name, Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isWritable(folder) || Files.isDirectory(file)) {
      throw new UsageException(name + " " + file + " cannot be written");
    }
  }

  /// Writes the files that the options name.
  public void write(Options options) throws IOException {
    write(options, "--json", Json.of(this));
    write(options, "--html", Html.of(this));
  }

  private static void write(Options options, String name, String text) throws IOException {
    if (options.value(name).isPresent()) {
      Files.writeString(Path.of(options.value(name).get()), text);
    }
  }
}

package dev.quickwater.cli;

import java.lang.module.ModuleDescriptor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Entry point of `qw`.
public final class Main {

  static final String USAGE =
      """
      usage: qw COMMAND [OPTIONS]

        serve    run an HTTP server      qw serve --help
        get      fetch a resource        qw get URL [-o FILE]
        doctor   report what works on this machine
        bench    measure, beside Netty   qw bench --help
        test     build and run all tests; --full runs the slow ones too
        install  put the libraries into the local Maven repository
        docs     build the guide and the API documentation
        version  print the version
      """;

  private static final String UNKNOWN_VERSION = "(unknown version)";

  private Main() {}

  /// Runs a command. The exit status is 0, 1 if the command failed, or 2 for a mistake in the
  /// arguments.
  public static void main(String[] arguments) {
    String command = arguments.length == 0 ? "" : arguments[0];
    String[] rest =
        arguments.length == 0 ? arguments : Arrays.copyOfRange(arguments, 1, arguments.length);
    try {
      switch (command) {
        case "serve" -> Serve.run(rest);
        case "get" -> System.exit(Get.run(rest));
        case "doctor" -> Doctor.run(rest);
        case "warm" -> Warm.run();
        case "--version", "version" -> System.out.println("quickwater " + version());
        case "", "help", "--help", "-h" -> System.out.print(USAGE);
        default -> throw new UsageException("unknown command " + command + "; try qw --help");
      }
    } catch (UsageException e) {
      System.err.println("qw: " + e.getMessage());
      System.exit(2);
    }
  }

  /// The version in the module descriptor; "unknown" outside of a build and on the class path.
  static String version() {
    @Nullable ModuleDescriptor descriptor = Main.class.getModule().getDescriptor();
    return descriptor == null ? UNKNOWN_VERSION : descriptor.rawVersion().orElse(UNKNOWN_VERSION);
  }
}

package dev.quickwater.microbench;

import dev.quickwater.microbench.command.UsageException;
import dev.quickwater.microbench.e2e.E2e;
import java.io.IOException;
import java.util.List;

/// `qw bench`.
public final class Main {

  private Main() {}

  public static void main(String[] args) throws InterruptedException {
    System.exit(run(List.of(args)));
  }

  private static int run(List<String> args) throws InterruptedException {
    try {
      dispatch(args.isEmpty() ? "help" : args.getFirst(), args);
      return 0;
    } catch (UsageException e) {
      System.err.println("qw bench: " + e.getMessage());
      return 2;
    } catch (IOException e) {
      System.err.println("qw bench: " + e.getMessage());
      return 1;
    }
  }

  private static void dispatch(String command, List<String> args)
      throws IOException, InterruptedException {
    List<String> rest = args.subList(Math.min(1, args.size()), args.size());
    switch (command) {
      case "e2e" -> E2e.run(rest);
      default -> throw new UsageException("unknown command " + command);
    }
  }
}

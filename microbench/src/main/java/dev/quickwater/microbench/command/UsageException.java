package dev.quickwater.microbench.command;

/// A mistake in the command line, or something missing on this machine: one line for the user, exit
/// code 2.
public final class UsageException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public UsageException(String line) {
    super(line, null, false, false);
  }
}

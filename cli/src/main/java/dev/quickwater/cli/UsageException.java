package dev.quickwater.cli;

/// A mistake of whoever called the command: one line for people, exit status 2.
final class UsageException extends RuntimeException {

  private static final long serialVersionUID = 1;

  UsageException(String message) {
    super(message);
  }
}

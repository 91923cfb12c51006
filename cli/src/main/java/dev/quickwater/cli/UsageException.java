package dev.quickwater.cli;

/// A mistake in the arguments: one line on standard error, exit status 2.
final class UsageException extends RuntimeException {

  private static final long serialVersionUID = 1;

  UsageException(String message) {
    super(message);
  }
}

package dev.quickwater.http;

import java.io.IOException;

/// The exchange ended before the operation could complete.
public final class ExchangeEndedException extends IOException {

  private static final long serialVersionUID = 1;

  private final transient Outcome outcome;

  /// An operation failed because of `outcome`.
  public ExchangeEndedException(Outcome outcome) {
    super("the exchange has ended: " + outcome.kind(), outcome.cause());
    this.outcome = outcome;
  }

  /// How the exchange ended.
  public Outcome outcome() {
    return outcome;
  }
}

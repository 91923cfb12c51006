package dev.quickwater.microbench.http;

/// How the heads of one connection differ from each other. Our parser keeps the previous head of a
/// connection, so its cost depends on this; Netty's does not.
public enum Repetition {
  /// Every head is the same: load generators, health checks.
  EQUAL {
    @Override
    String change(String head, int number) {
      return head;
    }
  },

  /// The targets differ, the fields are the same: most API clients.
  TARGET {
    @Override
    String change(String head, int number) {
      return head.replaceFirst(" HTTP/1.1", digits(number) + " HTTP/1.1");
    }
  },

  /// Targets and fields differ: a changing cookie or trace id.
  FIELDS {
    @Override
    String change(String head, int number) {
      return TARGET
          .change(head, number)
          .replaceFirst("\r\n\r\n", "\r\nX-Id: " + digits(number) + "\r\n\r\n");
    }
  };

  abstract String change(String head, int number);

  /// As many digits for each number, so that all heads have one length.
  private static String digits(int number) {
    return Integer.toString(1000 + number);
  }
}

package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/// The life of a context.
final class TlsContextTest {

  @Test
  void aClosedContextTakesNoOtherSettings() {
    TlsContext context = TlsContext.server(TestTls.server());
    context.close();
    assertThrows(IllegalStateException.class, () -> context.replace(TestTls.server()));
    context.close();
  }
}

package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/// Without its module, a development certificate is refused with the name of the artifact.
final class SelfSignedMissingTest {

  @Test
  void messageNamesTheArtifact() {
    UnsupportedOperationException missing =
        assertThrows(
            UnsupportedOperationException.class, () -> TlsSettings.selfSigned("localhost"));
    assertTrue(
        missing.getMessage().contains("dev.quickwater:quickwater-tls-selfsigned"),
        missing::toString);
  }
}

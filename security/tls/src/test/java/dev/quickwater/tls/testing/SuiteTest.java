package dev.quickwater.tls.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.quickwater.junit.NoLeaks;
import dev.quickwater.tls.TlsAlert;
import dev.quickwater.tls.TlsException;
import dev.quickwater.tls.TlsLibrary;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// The base of tests that every pair of libraries passes.
@NoLeaks
@ParameterizedClass(name = "{0}")
@MethodSource("dev.quickwater.tls.testing.Libraries#available")
public abstract class SuiteTest {

  @Parameter protected Libraries libraries;

  /// The handshake is complete and neither side has failed.
  protected static void assertOpen(EnginePair pair) {
    assertNull(pair.client().failure());
    assertNull(pair.server().failure());
    assertTrue(pair.isOpen());
  }

  /// This side refused the peer with an alert and a message that contains a text.
  protected static void assertRefuses(EnginePair.Peer peer, TlsAlert alert, String text) {
    assertFalse(peer.engine().isOpen(), "is open");
    assertFails(peer, alert, text);
  }

  protected static void assertFails(EnginePair.Peer peer, TlsAlert alert, String text) {
    @Nullable TlsException failure = peer.failure();
    assertNotNull(failure, "there is no failure, expected " + text);
    assertEquals(TlsException.Side.LOCAL, failure.side(), failure::toString);
    assertEquals(alert, failure.alert(), failure::toString);
    assertTrue(failure.getMessage().contains(text), failure::toString);
  }

  /// The peer received the alert.
  protected static void assertRefused(EnginePair.Peer peer, TlsAlert alert) {
    @Nullable TlsException failure = peer.failure();
    assertNotNull(failure, "there is no failure, expected the alert " + alert);
    assertEquals(TlsException.Side.PEER, failure.side(), failure::toString);
    assertEquals(alert, failure.alert(), failure::toString);
  }

  /// Like [#assertRefused]. In TLS 1.3, the JDK replaces most alerts about certificates. A
  /// revocation by a stapled response may be reported as a refused response.
  protected static void assertCertificateRefused(
      EnginePair.Peer peer, TlsLibrary sender, TlsAlert alert) {
    @Nullable TlsException failure = peer.failure();
    assertNotNull(failure, "there is no failure, expected the alert " + alert);
    assertEquals(TlsException.Side.PEER, failure.side(), failure::toString);
    boolean replaced = sender == TlsLibrary.JDK && failure.alert() == TlsAlert.CERTIFICATE_UNKNOWN;
    boolean stapled =
        alert == TlsAlert.CERTIFICATE_REVOKED
            && failure.alert() == TlsAlert.BAD_CERTIFICATE_STATUS_RESPONSE;
    assertTrue(failure.alert() == alert || replaced || stapled, failure::toString);
  }
}

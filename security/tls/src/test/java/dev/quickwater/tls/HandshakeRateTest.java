package dev.quickwater.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/// The limit of handshakes per address and second.
final class HandshakeRateTest {

  private static final long SECOND = 1_000_000_000L;
  private static final InetSocketAddress PEER =
      new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 1);

  @Test
  void eachSecondPermitsTheLimit() {
    HandshakeRate rate = new HandshakeRate(2);
    for (int second = -3; second < 3; second++) {
      assertTrue(rate.permits(PEER, second * SECOND));
      assertTrue(rate.permits(PEER, second * SECOND + 1));
      assertFalse(rate.permits(PEER, second * SECOND + SECOND - 1));
    }
  }

  @Test
  void aLoopWhoseTimeIsOlderDoesNotResetTheCounts() {
    HandshakeRate rate = new HandshakeRate(2);
    int permitted = 0;
    for (int i = 0; i < 10; i++) {
      permitted += rate.permits(PEER, 5 * SECOND) ? 1 : 0;
      permitted += rate.permits(PEER, 5 * SECOND - 1) ? 1 : 0;
    }
    assertEquals(2, permitted);
  }
}
